import { z } from 'zod';
import { AT, LATER } from '../contract/example-values.ts';
import { type Route, route } from '../contract/route.ts';
import { AppError } from '../errors.ts';
import type { StoreCalls } from '../storage/calls.ts';
import { endOtherLogins, endOwnLogin, listOwnLogins } from './calls.ts';
import type { Cookie } from './login-cookie.ts';
import type { User } from './login-store.ts';
import type { CurrentLogin, Logins } from './logins.ts';
import { endedLogins, type OwnLogin, ownLogin, ownLoginId } from './own-login-contract.ts';

interface OwnLoginDeps extends StoreCalls {
  logins: Logins;
  cookie: Cookie;
}

const exampleLogin: OwnLogin = {
  id: '5f0c2a9be1d84c7790a3b6c5d4e3f201',
  createdAt: AT,
  usedAt: AT,
  expiresAt: LATER,
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isCurrent: true,
};

/** Logins of the person who makes the call: which browsers are signed in, and how to end one. */
export const ownLoginRoutes = (deps: OwnLoginDeps): Route[] => [
  listOwnLoginsRoute(deps),
  endOwnLoginRoute(deps),
  endOtherLoginsRoute(deps),
];

/** Returns the login of a person. Throws `conflict` for the login of an API key, which others may use too. */
function ofPerson({ user, ...login }: CurrentLogin): CurrentLogin & { user: User } {
  if (user) return { ...login, user };
  throw new AppError('conflict', 'This login is one of an API key; only people have a list of logins');
}

const listOwnLoginsRoute = ({ read, now, logins }: OwnLoginDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/logins',
    operationId: 'listOwnLogins',
    group: 'Sign-in',
    summary: 'List the own logins',
    description: 'The browsers in which the caller is signed in, the one used last first.',
    scope: null,
    caller: 'login',
    response: z.object({ data: z.array(ownLogin) }),
    example: { response: { data: [exampleLogin] } },
    errors: ['conflict'],
    async handler({ headers }) {
      const { user, tokenHash } = ofPerson(await logins.require(headers));
      return { data: await read(listOwnLogins, { userId: user.id, tokenHash, at: now() }) };
    },
  });

const endOwnLoginRoute = ({ write, now, logins, cookie }: OwnLoginDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/logins/{loginId}',
    operationId: 'endOwnLogin',
    group: 'Sign-in',
    summary: 'End one of the own logins',
    description: 'The browser is signed out within a second, and its open streams end.',
    scope: null,
    caller: 'login',
    params: z.object({ loginId: ownLoginId }),
    response: null,
    errors: ['not_found', 'conflict'],
    async handler({ headers, params: { loginId: id }, requestId, setHeader }) {
      const { user, tokenHash } = ofPerson(await logins.require(headers));
      const isCurrent = await write(endOwnLogin, { user, id, tokenHash, at: now(), requestId });
      logins.forget();
      if (isCurrent) setHeader('set-cookie', cookie.clear());
      return undefined;
    },
  });

const endOtherLoginsRoute = ({ write, now, logins }: OwnLoginDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/logins',
    operationId: 'endOtherLogins',
    group: 'Sign-in',
    summary: 'End all other own logins',
    description: 'All browsers of the caller are signed out, except the one that makes the call.',
    scope: null,
    caller: 'login',
    response: endedLogins,
    example: { response: { ended: 2 } },
    errors: ['conflict'],
    async handler({ headers, requestId }) {
      const { user, tokenHash } = ofPerson(await logins.require(headers));
      const ended = await write(endOtherLogins, { user, tokenHash, at: now(), requestId });
      logins.forget();
      return { ended };
    },
  });
