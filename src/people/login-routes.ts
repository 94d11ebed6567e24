import { randomUUID } from 'node:crypto';
import { invalid } from '../contract/errors.ts';
import { AT, ID } from '../contract/example-values.ts';
import { type Route, route, type RouteContext } from '../contract/route.ts';
import { AppError } from '../errors.ts';
import type { StoreCalls } from '../storage/calls.ts';
import type { BrowserCheck } from './browser-check.ts';
import {
  acceptInvitation,
  changePassword,
  findInvitation,
  findSetupLink,
  setUp,
  signIn,
  signInWithKey as signInWithKeyCommand,
  signOut,
} from './calls.ts';
import {
  checkKey,
  checkLink,
  checkOwnPassword,
  checkPassword,
  type CheckDeps,
  recordLinkSignIn,
} from './check-credentials.ts';
import { voidInvitation } from './invitation-store.ts';
import type { Cookie } from './login-cookie.ts';
import {
  acceptInvitationBody,
  changePasswordBody,
  type Login,
  login,
  loginBody,
  newPassword,
  setupBody,
} from './login-contract.ts';
import type { Credentials, NewLogin, User } from './login-store.ts';
import type { Logins } from './logins.ts';
import { ownLoginRoutes } from './own-login-routes.ts';
import { networkOf } from './network-of.ts';
import type { Passwords } from './passwords.ts';
import { voidLink } from './setup-store.ts';
import { hashToken, newCsrfKey, newToken } from './tokens.ts';

export interface LoginDeps extends StoreCalls, Omit<CheckDeps, 'read' | 'now'> {
  logins: Logins;
  cookie: Cookie;
  checkBrowser: BrowserCheck;
}

type Context = Pick<
  RouteContext<unknown, unknown, unknown, null>,
  'headers' | 'address' | 'requestId' | 'setHeader'
>;

const exampleLogin: Login = {
  user: { id: ID.user, name: 'Ada Lovelace', email: 'ada@example.com' },
  apiKey: null,
  csrf: 'k3Jq0lKX8vB6cWb1m2nQmR7t5yUeZ4sXg9dFhA0pLoI',
  expiresAt: AT,
  applications: [
    { id: ID.application, name: 'Support bot', role: 'editor', scopes: ['read', 'annotate', 'write'] },
  ],
};

const COOKIE_HEADER = { 'set-cookie': 'The cookie of the login.' };
const OF_BROWSERS = 'For browsers: the request must be sent by a page of this server.';

export const loginRoutes = (deps: LoginDeps): Route[] => [
  signInRoute(deps),
  getLoginRoute(deps),
  signOutRoute(deps),
  setUpRoute(deps),
  acceptInvitationRoute(deps),
  changePasswordRoute(deps),
  ...ownLoginRoutes(deps),
];

const signInRoute = (deps: LoginDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/login',
    operationId: 'signIn',
    group: 'Sign-in',
    summary: 'Sign in',
    description: `Signs in with email address and password, or with an API key, whose scopes the login then has. After five failures on one account from one network, or 20 from one network, further attempts must wait, for longer with each failure; a browser that has signed in to the account before is counted by itself. ${OF_BROWSERS}`,
    scope: null,
    body: loginBody,
    response: login,
    responseHeaders: COOKIE_HEADER,
    example: {
      body: { email: 'ada@example.com', password: 'correct horse battery' },
      response: exampleLogin,
    },
    errors: ['unauthorized', 'forbidden', 'misdirected', 'rate_limited', 'unavailable'],
    async handler({ body, ...context }) {
      deps.checkBrowser(context.headers);
      return 'apiKey' in body
        ? signInWithKey(deps, context, body.apiKey)
        : signInWithPassword(deps, context, body);
    },
  });

async function signInWithKey(deps: LoginDeps, context: Context, text: string): Promise<Login> {
  const { actor, application } = await checkKey(deps, context, text);
  const when = { at: deps.now(), requestId: context.requestId };
  return start(deps, context, (secrets) =>
    deps.write(signInWithKeyCommand, { application, actor, login: secrets, ...when }),
  );
}

async function signInWithPassword(
  deps: LoginDeps,
  context: Context,
  credentials: { email: string; password: string },
): Promise<Login> {
  const { user, passwordHash, browser } = await checkPassword(deps, context, credentials);
  const when = { at: deps.now(), requestId: context.requestId };
  return startKnown(deps, context, browser, (secrets) =>
    deps.write(signIn, { user, passwordHash, ...secrets, ...when }),
  );
}

const MAX_USER_AGENT = 300;

/** Stores a new login by `write`, sets its cookie and returns it. */
async function start(
  { logins, cookie }: LoginDeps,
  { headers, address, setHeader }: Context,
  write: (login: NewLogin) => Promise<unknown>,
  moreCookies: readonly string[] = [],
): Promise<Login> {
  const { text, hash } = newToken();
  const { 'user-agent': agent } = headers;
  const userAgent = typeof agent === 'string' ? agent.slice(0, MAX_USER_AGENT) : null;
  await write({ tokenHash: hash, csrfKey: newCsrfKey(), address, userAgent });
  // Other logins of the user may have ended.
  logins.forget();
  const started = await logins.find(text);
  if (!started) throw new AppError('unauthorized', 'The login has ended already');
  setHeader('set-cookie', [cookie.set(text), ...moreCookies]);
  return started.shown;
}

/** Does the same for a person, whose browser is known from then on. `browser`: its token if it is known already. */
function startKnown(
  deps: LoginDeps,
  context: Context,
  browser: string | null,
  write: (secrets: { login: NewLogin; browserHash: Uint8Array }) => Promise<unknown>,
): Promise<Login> {
  // A token that someone else put into the browser must not become known.
  const { text, hash } = browser === null ? newToken() : { text: browser, hash: hashToken(browser) };
  const cookies = [deps.browserCookie.set(text)];
  return start(deps, context, (secrets) => write({ login: secrets, browserHash: hash }), cookies);
}

const getLoginRoute = ({ logins }: LoginDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/login',
    operationId: 'getLogin',
    group: 'Sign-in',
    summary: 'Get the login of this browser',
    scope: null,
    caller: 'login',
    response: login,
    example: { response: exampleLogin },
    async handler({ headers }) {
      const { shown } = await logins.require(headers);
      await logins.recordUse(headers);
      return shown;
    },
  });

const signOutRoute = ({ logins, write, cookie, now }: LoginDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/login',
    operationId: 'signOut',
    group: 'Sign-in',
    summary: 'Sign out',
    scope: null,
    caller: 'login',
    response: null,
    responseHeaders: COOKIE_HEADER,
    async handler({ headers, requestId, setHeader }) {
      const { tokenHash, user } = await logins.require(headers);
      await write(signOut, { tokenHash, user, at: now(), requestId });
      logins.forget();
      setHeader('set-cookie', cookie.clear());
      return undefined;
    },
  });

const setUpRoute = (deps: LoginDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/login/setup',
    operationId: 'setUpAccount',
    group: 'Sign-in',
    summary: 'Create the first user, or choose a new password',
    description: `Takes the token of the link that the first start or \`touchstone users link\` prints, which works once and for 15 minutes. The first user becomes admin of every application. A link for an existing user takes the email address of that user. ${OF_BROWSERS}`,
    scope: null,
    body: setupBody,
    response: login,
    responseHeaders: COOKIE_HEADER,
    example: {
      body: {
        token: 'N1l0Xq3kR8vB6cWb1m2nQmR7t5yUeZ4sXg9dFhA0pLo',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        password: 'correct horse battery',
      },
      response: exampleLogin,
    },
    errors: ['forbidden', 'misdirected', 'rate_limited', 'unavailable'],
    async handler({ body, ...context }) {
      deps.checkBrowser(context.headers);
      const { read, write, now } = deps;
      const { token, password, ...account } = body;
      const linkHash = hashToken(token);
      const link = await checkLink(deps, context, async () => {
        const found = await read(findSetupLink, { tokenHash: linkHash, at: now() });
        if (!found) throw voidLink();
        return found;
      });
      if (link.email !== null && link.email !== account.email)
        throw invalid([
          { code: 'custom', message: 'must be the address of the user of the link', path: ['email'] },
        ]);
      const user = { ...account, id: randomUUID() };
      const passwordHash = await deps.passwords.hash(password, networkOf(context.address));
      const when = { at: now(), requestId: context.requestId };
      const started = await startKnown(deps, context, null, (secrets) =>
        write(setUp, { linkHash, user, passwordHash, ...secrets, ...when }),
      );
      recordLinkSignIn(deps, context, started.user ?? user);
      return started;
    },
  });

const acceptInvitationRoute = (deps: LoginDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/login/invitation',
    operationId: 'acceptInvitation',
    group: 'Sign-in',
    summary: 'Accept an invitation',
    description: `Makes the invited person a member of the application and signs in. ${OF_BROWSERS}`,
    scope: null,
    body: acceptInvitationBody,
    response: login,
    responseHeaders: COOKIE_HEADER,
    example: {
      body: {
        token: 'N1l0Xq3kR8vB6cWb1m2nQmR7t5yUeZ4sXg9dFhA0pLo',
        name: 'Ada Lovelace',
        password: 'correct horse battery',
      },
      response: exampleLogin,
    },
    errors: ['unauthorized', 'forbidden', 'conflict', 'misdirected', 'rate_limited', 'unavailable'],
    async handler({ body: { token, name, password }, ...context }) {
      deps.checkBrowser(context.headers);
      const { read, write, now } = deps;
      const linkHash = hashToken(token);
      const { email, account } = await checkLink(deps, context, async () => {
        const found = await read(findInvitation, { tokenHash: linkHash, at: now() });
        if (!found) throw voidInvitation();
        return found;
      });
      const { user, passwordHash } = account
        ? await checkPassword(deps, context, { email, password })
        : await newAccount(deps.passwords, { email, name }, password, networkOf(context.address));
      const when = { at: now(), requestId: context.requestId };
      const started = await startKnown(deps, context, null, (secrets) =>
        write(acceptInvitation, { linkHash, user, passwordHash, ...secrets, ...when }),
      );
      // The password of an existing account was a sign-in already.
      if (!account) recordLinkSignIn(deps, context, user);
      return started;
    },
  });

async function newAccount(
  passwords: Passwords,
  account: { email: string; name: string },
  password: string,
  sender: string,
) {
  const { error } = newPassword.safeParse(password);
  if (error)
    throw invalid([
      { code: 'too_small', message: error.issues[0]?.message ?? 'too short', path: ['password'] },
    ]);
  return { user: { ...account, id: randomUUID() }, passwordHash: await passwords.hash(password, sender) };
}

const changePasswordRoute = (deps: LoginDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/login/password',
    operationId: 'changePassword',
    group: 'Sign-in',
    summary: 'Change the own password',
    description: 'Ends all other logins of the user.',
    scope: null,
    caller: 'login',
    body: changePasswordBody,
    response: login,
    example: {
      body: { currentPassword: 'correct horse battery', newPassword: 'staple correct horse' },
      response: exampleLogin,
    },
    errors: ['conflict', 'invalid'],
    async handler({ body: { currentPassword, newPassword: next }, ...context }) {
      const { logins, write, now } = deps;
      const { user, tokenHash, shown } = await logins.require(context.headers);
      if (!user) throw new AppError('conflict', 'This login is one of an API key, which has no password');
      const { passwordHash: from } = await checkCurrentPassword(deps, context, user, currentPassword);
      const to = await deps.passwords.hash(next, networkOf(context.address));
      const { requestId } = context;
      await write(changePassword, { user, from, to, tokenHash, at: now(), requestId });
      logins.forget();
      return shown;
    },
  });

/** Throws `invalid`: a wrong password here does not mean that the login has expired. */
async function checkCurrentPassword(
  deps: LoginDeps,
  context: Context,
  { id, email }: User,
  password: string,
): Promise<Credentials> {
  try {
    return await checkOwnPassword(deps, context, { email, password }, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw invalid([{ code: 'custom', message: 'is not the current password', path: ['currentPassword'] }]);
  }
}
