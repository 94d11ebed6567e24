import type { Authenticator, Headers } from '../auth.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../contract/scope.ts';
import type { commands, queries } from '../operations.ts';
import { createAttemptLimit } from '../people/attempt-limit.ts';
import { createBrowserCheck } from '../people/browser-check.ts';
import { createLoginCookie } from '../people/login-cookie.ts';
import type { LoginDeps } from '../people/login-routes.ts';
import { Logins } from '../people/logins.ts';
import type { Storage } from '../storage/storage.ts';

interface SignInOptions {
  config: Pick<Config, 'host' | 'publicUrl' | 'knownHosts'>;
  storage: Pick<Storage<typeof commands, typeof queries>, 'read' | 'write'>;
  authenticator: Authenticator;
  now: () => number;
  elapsed: () => number;
}

export interface SignIn {
  /** Authenticates a call by its key, or else by its cookie. Throws AppError. */
  authenticate: (headers: Headers) => Promise<Principal>;
  /** Does the same for a call that goes on: it does not count as use of a login. */
  check: (headers: Headers) => Promise<Principal>;
  /** Drops what is remembered of logins. */
  forgetLogins: () => void;
  login: Omit<LoginDeps, 'read' | 'write' | 'now'>;
}

/** Attempts within a minute, of which each costs half a second of a processor. */
const ACCOUNT_ATTEMPTS = 5;
const ADDRESS_ATTEMPTS = 20;

export function createSignIn({ config, storage, authenticator, now, elapsed }: SignInOptions): SignIn {
  const { read, write } = storage;
  const { findValidKey } = authenticator;
  const cookie = createLoginCookie(config);
  const checkBrowser = createBrowserCheck(config);
  const logins = new Logins({ read, write, findValidKey, cookie, checkBrowser, now, elapsed });
  const check = (headers: Headers): Promise<Principal> =>
    logins.isUsedBy(headers) ? logins.authenticate(headers) : authenticator.authenticate(headers);
  return {
    check,
    authenticate: async (headers) => {
      const scope = await check(headers);
      if (logins.isUsedBy(headers)) await logins.recordUse(headers);
      return scope;
    },
    forgetLogins: () => logins.forget(),
    login: {
      logins,
      cookie,
      checkBrowser,
      authenticateKey: authenticator.authenticateKey,
      accountAttempts: createAttemptLimit(ACCOUNT_ATTEMPTS, elapsed),
      addressAttempts: createAttemptLimit(ADDRESS_ATTEMPTS, elapsed),
    },
  };
}
