import { timingSafeEqual } from 'node:crypto';
import type { Scope, ScopeName } from './contract/scope.ts';
import { AppError } from './errors.ts';
import { hashKey, keyIdOf } from './resources/api-keys/key-text.ts';
import type { KeyRecord } from './resources/api-keys/store.ts';

const KEY_HEADER = 'x-api-key';
const APPLICATION_HEADER = 'x-application-id';

const MAX_CACHED = 10_000;
/** Time for which a key that another process revoked may still be accepted. */
const CACHE_MS = 1_000;
/** Compared with when there is no such key, so that both ways take the same time. */
const NO_HASH = new Uint8Array(32);

export type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type FindKey = (keyId: string) => Promise<KeyRecord | null>;

export interface Authenticator {
  /** Authenticates a request by its two headers. Throws AppError `unauthorized` or `forbidden`. */
  authenticate: (headers: Headers) => Promise<Scope>;
  /** Authenticates by the text of a key alone. */
  authenticateKey: (text: string) => Promise<Scope>;
  /** Drops what is remembered of a key: the next request looks it up again. */
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
  /** Expiry on the monotonic clock. */
  until: number;
}

/** Wall clock and monotonic clock, both in milliseconds. */
export interface Clocks {
  /** The wall clock, which expiry of keys is compared with. It can be set back or forward at any time. */
  now: () => number;
  /** A clock that only runs forward, for the age of what is cached. */
  elapsed: () => number;
}

/** Finds out on whose behalf a request is made, with one hash for each and few look-ups. */
export function createAuthenticator(findKey: FindKey, { now, elapsed }: Clocks): Authenticator {
  const cache = new Map<string, Entry>();

  const lookUp = (keyId: string): Promise<Known | null> => {
    const cached = cache.get(keyId);
    if (cached && cached.until > elapsed()) return cached.known;
    // Requests that arrive during the look-up share its result, whose age counts from the start of the look-up.
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
          `The API key is not one of the application named in ${APPLICATION_HEADER}`,
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
