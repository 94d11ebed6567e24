import type { Authenticator, Headers } from '../auth.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../contract/scope.ts';
import { createAttemptLimit } from '../people/attempt-limit.ts';
import { createBrowserCheck } from '../people/browser-check.ts';
import { recordSignIn } from '../people/calls.ts';
import { createBrowserCookie, createLoginCookie } from '../people/login-cookie.ts';
import type { LoginDeps } from '../people/login-routes.ts';
import { Logins } from '../people/logins.ts';
import { createSharedAttemptLimit } from '../people/shared-attempts.ts';
import { isSignIn, SignInLog } from '../people/sign-in-log.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { Storage } from '../storage/storage.ts';

interface SignInOptions {
  config: Pick<Config, 'host' | 'publicUrl' | 'knownHosts'>;
  storage: Pick<Storage, 'read' | 'write' | 'isShared'>;
  secretBox: Pick<SecretBox, 'derive'>;
  authenticator: Authenticator;
  log: Log;
  metrics: Pick<Metrics, 'signIns' | 'credentialChecks'>;
  now: () => number;
  elapsed: () => number;
}

export interface SignIn {
  /** Authenticates a call by its key, or else by its cookie. Throws AppError. */
  authenticate: (headers: Headers) => Promise<Principal>;
  /** Does the same for a call that continues: it does not count as use of a login. */
  check: (headers: Headers) => Promise<Principal>;
  /** Drops what is remembered of logins. */
  forgetLogins: () => void;
  login: Omit<LoginDeps, 'read' | 'write' | 'now' | 'passwords'>;
  /** Records what was counted of sign-ins. */
  close: () => Promise<void>;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { config, storage, secretBox, authenticator, log, metrics, now, elapsed } = options;
  const { read, write } = storage;
  const { findValidKey } = authenticator;
  const cookie = createLoginCookie(config);
  const checkBrowser = createBrowserCheck(config);
  const logins = new Logins({ read, write, findValidKey, cookie, checkBrowser, now, elapsed });
  const signIns = new SignInLog({
    log,
    count: (method, outcome) =>
      (isSignIn(method) ? metrics.signIns : metrics.credentialChecks).inc({ method, outcome }),
    audit: (entry) => write(recordSignIn, { ...entry, at: now() }),
  });
  const check = (headers: Headers): Promise<Principal> =>
    logins.isUsedBy(headers) ? logins.authenticate(headers) : authenticator.authenticate(headers);
  return {
    check,
    authenticate: async (headers) => {
      const principal = await check(headers);
      if (logins.isUsedBy(headers)) await logins.recordUse(headers);
      return principal;
    },
    forgetLogins: () => logins.forget(),
    close: () => signIns.close(),
    login: {
      logins,
      cookie,
      checkBrowser,
      authenticateKey: authenticator.authenticateKey,
      browserCookie: createBrowserCookie(config),
      attempts: storage.isShared
        ? createSharedAttemptLimit({ write, secret: secretBox.derive('attempts to sign in'), now })
        : createAttemptLimit(elapsed),
      signIns,
    },
  };
}
