import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../contract/scope.ts';
import { isoTime } from '../contract/values.ts';
import { AppError } from '../errors.ts';
import { createShortCache, type ShortCache } from '../runtime/short-cache.ts';
import type { Read, Write } from '../storage/calls.ts';
import type { BrowserCheck } from './browser-check.ts';
import { findLogin, useLogin } from './calls.ts';
import type { Cookie } from './login-cookie.ts';
import type { Login } from './login-contract.ts';
import { IDLE_MS, type LoginApplication, type LoginRecord, type User } from './login-store.ts';
import { SCOPES_OF_ROLE } from './roles.ts';
import { csrfOf, hashToken } from './tokens.ts';

/** Time for which a login that another process ended may still be accepted. */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
/** Use is recorded no more often than this. */
const RECORD_USE_MS = 5 * 60_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The API key of a login, and the application that it belongs to. */
interface LoginKey {
  id: string;
  name: string;
  principal: Principal;
}

interface LoginOptions {
  read: Read;
  write: Write;
  /** Returns an API key; null if it is no longer valid. */
  findValidKey: (keyId: string) => Promise<LoginKey | null>;
  cookie: Cookie;
  checkBrowser: BrowserCheck;
  now: () => number;
  elapsed: () => number;
}

/** A login that has not expired. */
export interface CurrentLogin {
  token: string;
  tokenHash: Uint8Array;
  user: User | null;
  /** Result for the page that signed in. */
  shown: Login;
  /** Principal in each application of the login, by the id of the application. */
  principals: ReadonlyMap<string, Principal>;
}

/** Finds out who is signed in with the browser that sends a request. */
export class Logins {
  private readonly options: LoginOptions;
  private readonly cache: ShortCache<LoginRecord | null>;

  constructor(options: LoginOptions) {
    this.options = options;
    const { read, elapsed } = options;
    this.cache = createShortCache((token) => read(findLogin, { tokenHash: hashToken(token) }), {
      ageMs: CACHE_MS,
      maxEntries: MAX_CACHED,
      elapsed,
    });
  }

  /** Reports whether a request relies on the cookie: one with a key never does. */
  isUsedBy(headers: Headers): boolean {
    const { authorization } = headers;
    const hasBearer = typeof authorization === 'string' && /^bearer /i.test(authorization);
    if (headers['x-api-key'] !== undefined || hasBearer) return false;
    return this.options.cookie.read(headers['cookie']) !== null;
  }

  /** Returns the principal of a request in the application that it names. Throws AppError. */
  async authenticate(headers: Headers): Promise<Principal> {
    const { principals } = await this.require(headers);
    const applicationId = headers['x-application-id'];
    if (typeof applicationId !== 'string' || applicationId === '')
      throw new AppError('unauthorized', 'The header x-application-id is missing');
    const principal = principals.get(applicationId.toLowerCase());
    if (!principal)
      throw new AppError('forbidden', 'You are not a member of the application named in x-application-id');
    return principal;
  }

  /** Returns the login of a request. Throws AppError `misdirected`, `forbidden` or `unauthorized`. */
  async require(headers: Headers): Promise<CurrentLogin> {
    const { cookie, checkBrowser } = this.options;
    checkBrowser(headers);
    const token = cookie.read(headers['cookie']);
    const login = token === null ? null : await this.find(token);
    if (!login) throw new AppError('unauthorized', 'You are not signed in, or the login has expired');
    const { 'x-csrf': csrf } = headers;
    if (typeof csrf !== 'string' || !isSame(csrf, login.shown.csrf))
      throw new AppError('forbidden', 'The header x-csrf is missing or not the one of the login');
    return login;
  }

  /** Returns the login with this token; null if there is none or it has expired. */
  async find(token: string): Promise<CurrentLogin | null> {
    const { findValidKey, now } = this.options;
    const record = await this.cache.get(token);
    const expiresAt = record === null ? 0 : Math.min(record.expiresAt, record.usedAt + IDLE_MS);
    if (!record || expiresAt <= now()) return null;
    const key = record.keyId === null ? null : await findValidKey(record.keyId);
    if (!record.user && !key) return null;
    return currentLogin(token, record, key, expiresAt);
  }

  /** Records that a login was used, so that it continues. */
  async recordUse(headers: Headers): Promise<void> {
    const { cookie, now, write } = this.options;
    const token = cookie.read(headers['cookie']) ?? '';
    const record = await this.cache.get(token);
    if (!record || now() - record.usedAt < RECORD_USE_MS) return;
    record.usedAt = now();
    await write(useLogin, { tokenHash: hashToken(token), at: record.usedAt });
  }

  /** Drops everything remembered: the next request of each login looks it up again. */
  forget(): void {
    this.cache.clear();
  }
}

function currentLogin(
  token: string,
  { user, csrfKey, applications }: LoginRecord,
  key: LoginKey | null,
  expiresAt: number,
): CurrentLogin {
  const principalOf = ({ application, applicationId, orgId, role }: LoginApplication): Principal | null =>
    user && role
      ? {
          organisation: orgId,
          applicationId,
          application,
          actor: { type: 'user', id: user.id, name: user.name },
          scopes: new Set(SCOPES_OF_ROLE[role]),
        }
      : (key?.principal ?? null);
  const allowed = applications.flatMap(({ title, role, ...application }) => {
    const principal = principalOf({ title, role, ...application });
    return principal ? [{ title, role, principal }] : [];
  });
  return {
    token,
    tokenHash: hashToken(token),
    user,
    shown: {
      user,
      apiKey: key && { id: key.id, name: key.name },
      csrf: csrfOf(csrfKey, token),
      expiresAt: isoTime(expiresAt),
      applications: allowed.map(({ title, role, principal }) => ({
        id: principal.applicationId,
        name: title,
        role,
        scopes: [...principal.scopes],
      })),
    },
    principals: new Map(allowed.map(({ principal }) => [principal.applicationId, principal])),
  };
}

const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(hashToken(given), hashToken(wanted));
