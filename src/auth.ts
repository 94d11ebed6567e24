import { timingSafeEqual } from 'node:crypto';
import { includesScope, type Principal, type ScopeName } from './contract/scope.ts';
import { AppError } from './errors.ts';
import { hashKey, keyIdOf } from './resources/api-keys/key-text.ts';
import type { KeyRecord } from './resources/api-keys/store.ts';
import { createShortCache } from './runtime/short-cache.ts';

const KEY_HEADER = 'x-api-key';
const APPLICATION_HEADER = 'x-application-id';

const MAX_CACHED = 10_000;
/** Milliseconds for which a key that another process revoked may still be accepted. */
const CACHE_MS = 1_000;
/** Hash to compare with when the key does not exist, so that both cases take the same time. */
const NO_HASH = new Uint8Array(32);

export type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type FindKey = (keyId: string) => Promise<KeyRecord | null>;

/** A valid API key and what it allows. */
export interface ValidKey {
  /** Id of the key's record. */
  id: string;
  name: string;
  principal: Principal;
}

export interface Authenticator {
  /** Authenticates a request by its two headers. Throws AppError `unauthorized` or `forbidden`. */
  authenticate: (headers: Headers) => Promise<Principal>;
  /** Authenticates a request by the text of a key alone. */
  authenticateKey: (text: string) => Promise<Principal>;
  /** Returns the key with this public id; null if it is no longer valid. */
  findValidKey: (keyId: string) => Promise<ValidKey | null>;
  /** Removes a key from the cache, so that the next request looks it up. */
  forget: (keyId: string) => void;
}

interface Known extends ValidKey {
  hash: Uint8Array;
  expiresAt: number;
  revoked: boolean;
}

/** Wall clock and monotonic clock, both in milliseconds. */
export interface Clocks {
  /** Returns the wall-clock time, which the expiry of keys is compared with. It may be adjusted at any time. */
  now: () => number;
  /** Returns the monotonic time, which measures the age of cached entries. */
  elapsed: () => number;
}

/** Authenticates requests with one hash computation each and few lookups. */
export function createAuthenticator(findKey: FindKey, { now, elapsed }: Clocks): Authenticator {
  const cache = createShortCache(async (keyId) => knownFrom(await findKey(keyId)), {
    ageMs: CACHE_MS,
    maxEntries: MAX_CACHED,
    elapsed,
  });
  const isUsable = (known: Known): boolean => !known.revoked && known.expiresAt > now();

  const authenticateKey = async (text: string): Promise<Principal> => {
    const keyId = keyIdOf(text);
    const known = keyId === null ? null : await cache.get(keyId);
    const isRight = timingSafeEqual(hashKey(text), known?.hash ?? NO_HASH);
    if (!known || !isRight || !isUsable(known)) {
      throw new AppError('unauthorized', 'The API key is not valid');
    }
    return known.principal;
  };

  return {
    authenticate: async (headers) => {
      const text = requiredKey(headers);
      const applicationId = required(headers, APPLICATION_HEADER);
      const principal = await authenticateKey(text);
      if (principal.applicationId !== applicationId.toLowerCase()) {
        throw new AppError(
          'forbidden',
          `The API key does not belong to the application in ${APPLICATION_HEADER}`,
        );
      }
      return principal;
    },
    authenticateKey,
    findValidKey: async (keyId) => {
      const known = await cache.get(keyId);
      return known && isUsable(known) ? known : null;
    },
    forget: cache.forget,
  };
}

/** Returns the principal. Throws AppError `forbidden` if it lacks a scope. */
export function requireScope(principal: Principal, name: ScopeName): Principal {
  if (includesScope(principal.scopes, name)) return principal;
  const holder = principal.actor.type === 'user' ? 'Your role' : 'The API key';
  throw new AppError('forbidden', `${holder} lacks the scope "${name}"`);
}

/** Returns the key of a request. The error for another kind of authentication names the right one. */
function requiredKey(headers: Headers): string {
  const { authorization, [KEY_HEADER]: key } = headers;
  const [, scheme] = /^(basic|bearer)\b/i.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  if (scheme === undefined || (key !== undefined && key !== '')) return required(headers, KEY_HEADER);
  throw new AppError(
    'unauthorized',
    `The header ${KEY_HEADER} is missing; send the API key in it instead of ${scheme} authentication, and the id of the application in ${APPLICATION_HEADER}`,
  );
}

function required(headers: Headers, name: string): string {
  const value = headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new AppError('unauthorized', `The header ${name} is missing`);
}

function knownFrom(key: KeyRecord | null): Known | null {
  return (
    key && {
      id: key.id,
      name: key.name,
      principal: Object.freeze({
        organisation: key.orgId,
        applicationId: key.applicationId,
        application: key.application,
        actor: Object.freeze({ type: 'key' as const, id: key.keyId, name: key.name }),
        scopes: new Set(key.scopes),
      }),
      hash: key.hash,
      expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
      revoked: key.revokedAt !== null,
    }
  );
}
