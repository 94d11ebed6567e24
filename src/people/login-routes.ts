import { randomUUID } from 'node:crypto';
import { invalid } from '../contract/errors.ts';
import { AT, ID } from '../contract/example-values.ts';
import { type Route, route, type RouteContext } from '../contract/route.ts';
import type { Principal } from '../contract/scope.ts';
import { AppError } from '../errors.ts';
import type { StoreCalls } from '../storage/operations.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { BrowserCheck } from './browser-check.ts';
import { voidInvitation } from './invitation-store.ts';
import type { LoginCookie } from './login-cookie.ts';
import {
  acceptInvitationBody,
  changePasswordBody,
  type Login,
  login,
  loginBody,
  newPassword,
  setupBody,
} from './login-contract.ts';
import type { NewLogin } from './login-store.ts';
import type { Logins } from './logins.ts';
import type { peopleCommands, peopleQueries } from './operations.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { voidLink } from './setup-store.ts';
import { hashToken, newCsrfKey, newToken } from './tokens.ts';

export interface LoginDeps extends StoreCalls<typeof peopleQueries, typeof peopleCommands> {
  logins: Logins;
  cookie: LoginCookie;
  checkBrowser: BrowserCheck;
  authenticateKey: (text: string) => Promise<Principal>;
  /** Limits attempts on one account. */
  accountAttempts: AttemptLimit;
  /** Limits attempts from one address. */
  addressAttempts: AttemptLimit;
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
];

const signInRoute = (deps: LoginDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/login',
    operationId: 'signIn',
    group: 'Sign-in',
    summary: 'Sign in',
    description: `Signs in with email address and password, or with an API key, whose scopes the login then has. Five attempts a minute on one account. ${OF_BROWSERS}`,
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
      begin(deps, context);
      return 'apiKey' in body
        ? signInWithKey(deps, context, body.apiKey)
        : signInWithPassword(deps, context, body);
    },
  });

async function signInWithKey(deps: LoginDeps, context: Context, text: string): Promise<Login> {
  const { actor } = await deps.authenticateKey(text);
  return start(deps, context, (secrets) =>
    deps.write('signInWithKey', { keyId: actor.id, login: secrets, at: deps.now() }),
  );
}

async function signInWithPassword(
  deps: LoginDeps,
  context: Context,
  { email, password }: { email: string; password: string },
): Promise<Login> {
  const { user, passwordHash } = await checkPassword(deps, email, password);
  const when = { at: deps.now(), requestId: context.requestId };
  return start(deps, context, (secrets) =>
    deps.write('signIn', { user, passwordHash, login: secrets, ...when }),
  );
}

/** Throws `unauthorized`, in the same time and words whether or not there is such an account. */
async function checkPassword({ read, accountAttempts }: LoginDeps, email: string, password: string) {
  accountAttempts.count(email);
  const known = await read('findCredentials', { email });
  if (!(await isPassword(password, known?.passwordHash ?? null)) || !known)
    throw new AppError('unauthorized', 'The email address or the password is wrong');
  accountAttempts.clear(email);
  return known;
}

/** Checks a request that has no login yet. */
function begin({ checkBrowser, addressAttempts }: LoginDeps, { headers, address }: Context): void {
  checkBrowser(headers);
  addressAttempts.count(address);
}

/** Stores a new login by `write`, sets its cookie and returns it. */
async function start(
  { logins, cookie }: LoginDeps,
  { setHeader }: Context,
  write: (secrets: NewLogin) => Promise<unknown>,
): Promise<Login> {
  const { text, hash } = newToken();
  await write({ tokenHash: hash, csrfKey: newCsrfKey() });
  const started = await logins.find(text);
  if (!started) throw new AppError('unauthorized', 'The login has ended already');
  setHeader('set-cookie', cookie.set(text));
  return started.shown;
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
      await write('signOut', { tokenHash, user, at: now(), requestId });
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
      begin(deps, context);
      const { read, write, now, logins } = deps;
      const { token, password, ...account } = body;
      const linkHash = hashToken(token);
      const link = await read('findSetupLink', { tokenHash: linkHash, at: now() });
      if (!link) throw voidLink();
      if (link.email !== null && link.email !== account.email)
        throw invalid([
          { code: 'custom', message: 'must be the address of the user of the link', path: ['email'] },
        ]);
      const user = { ...account, id: randomUUID() };
      const passwordHash = await hashPassword(password);
      const when = { at: now(), requestId: context.requestId };
      logins.forget();
      return start(deps, context, (secrets) =>
        write('setUp', { linkHash, user, passwordHash, login: secrets, ...when }),
      );
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
      begin(deps, context);
      const { read, write, now, logins } = deps;
      const linkHash = hashToken(token);
      const invitation = await read('findInvitation', { tokenHash: linkHash, at: now() });
      if (!invitation) throw voidInvitation();
      const { email } = invitation;
      const { user, passwordHash } = invitation.account
        ? await checkPassword(deps, email, password)
        : await newAccount(email, name, password);
      const when = { at: now(), requestId: context.requestId };
      logins.forget();
      return start(deps, context, (secrets) =>
        write('acceptInvitation', { linkHash, user, passwordHash, login: secrets, ...when }),
      );
    },
  });

async function newAccount(email: string, name: string, password: string) {
  const { error } = newPassword.safeParse(password);
  if (error)
    throw invalid([
      { code: 'too_small', message: error.issues[0]?.message ?? 'too short', path: ['password'] },
    ]);
  return { user: { id: randomUUID(), email, name }, passwordHash: await hashPassword(password) };
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
    async handler({ body: { currentPassword, newPassword: next }, headers, requestId }) {
      const { logins, write, now } = deps;
      const { user, tokenHash, shown } = await logins.require(headers);
      if (!user) throw new AppError('conflict', 'This login is one of an API key, which has no password');
      const { passwordHash: from } = await checkCurrentPassword(deps, user.email, currentPassword);
      const to = await hashPassword(next);
      await write('changePassword', { user, from, to, tokenHash, at: now(), requestId });
      logins.forget();
      return shown;
    },
  });

/** Throws `invalid`: a wrong password here does not mean that the login has expired. */
async function checkCurrentPassword(deps: LoginDeps, email: string, password: string) {
  try {
    return await checkPassword(deps, email, password);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw invalid([{ code: 'custom', message: 'is not the current password', path: ['currentPassword'] }]);
  }
}
