import { timingSafeEqual } from 'node:crypto';
import type { Scope, ScopeName } from './contract/scope.ts';
import { AppError } from './errors.ts';
import { hashKey, keyIdOf } from './resources/api-keys/key-text.ts';
import type { KeyRecord } from './resources/api-keys/store.ts';

const KEY_HEADER = 'x-api-key';
const APPLICATION_HEADER = 'x-application-id';

const MAX_CACHED = 10_000;
/** Milliseconds for which a key that another process revoked may still be accepted. */
const CACHE_MS = 1_000;
/** Hash to compare with when the key does not exist, so that both cases take the same time. */
const NO_HASH = new Uint8Array(32);

export type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type FindKey = (keyId: string) => Promise<KeyRecord | null>;

export interface Authenticator {
  /** Authenticates a request by its two headers. Throws AppError `unauthorized` or `forbidden`. */
  authenticate: (headers: Headers) => Promise<Scope>;
  /** Authenticates a request by the text of a key alone. */
  authenticateKey: (text: string) => Promise<Scope>;
  /** Removes a key from the cache, so that the next request looks it up. */
  forget: (keyId: string) => void;
}

interface Known {
  scope: Scope;
  hash: Uint8Array;
  expiresAt: number;
  revoked: boolean;
}

interface Entry {
  known: Promise<Known | null>;
  /** Expiry of the entry on the monotonic clock. */
  until: number;
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
  const cache = new Map<string, Entry>();

  const lookUp = (keyId: string): Promise<Known | null> => {
    const cached = cache.get(keyId);
    if (cached && cached.until > elapsed()) return cached.known;
    // Requests that arrive during the lookup share its result, whose age counts from the start of the lookup.
    const entry: Entry = { known: findKey(keyId).then(knownFrom), until: elapsed() + CACHE_MS };
    entry.known.catch(() => {
      if (cache.get(keyId) === entry) cache.delete(keyId);
    });
    cache.delete(keyId);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(keyId, entry);
    return entry.known;
  };

  const authenticateKey = async (text: string): Promise<Scope> => {
    const keyId = keyIdOf(text);
    const known = keyId === null ? null : await lookUp(keyId);
    const isRight = timingSafeEqual(hashKey(text), known?.hash ?? NO_HASH);
    if (!known || !isRight || known.revoked || known.expiresAt <= now()) {
      throw new AppError('unauthorized', 'The API key is not valid');
    }
    return known.scope;
  };

  return {
    authenticate: async (headers) => {
      const text = required(headers, KEY_HEADER);
      const applicationId = required(headers, APPLICATION_HEADER);
      const scope = await authenticateKey(text);
      if (scope.applicationId !== applicationId.toLowerCase()) {
        throw new AppError(
          'forbidden',
          `The API key does not belong to the application in ${APPLICATION_HEADER}`,
        );
      }
      return scope;
    },
    authenticateKey,
    forget: (keyId) => cache.delete(keyId),
  };
}

export function requireScope(scope: Scope, name: ScopeName): void {
  if (!scope.scopes.has(name)) throw new AppError('forbidden', `The API key lacks the scope "${name}"`);
}

function required(headers: Headers, name: string): string {
  const value = headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new AppError('unauthorized', `The header ${name} is missing`);
}

function knownFrom(key: KeyRecord | null): Known | null {
  return (
    key && {
      scope: Object.freeze({
        organisation: key.orgId,
        applicationId: key.applicationId,
        application: key.application,
        keyId: key.keyId,
        scopes: new Set(key.scopes),
      }),
      hash: key.hash,
      expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
      revoked: key.revokedAt !== null,
    }
  );
}
