import { fnv1a } from './fnv.ts';

/** A scope has the same buffer in all requests. */
const hashes = new WeakMap<Buffer, number>();

/** Returns a hash of an instrumentation scope; `scope` is a ScopeSpans message without its spans. */
export function scopeHash(scope: Buffer): number {
  let hash = hashes.get(scope);
  if (hash === undefined) hashes.set(scope, (hash = fnv1a(scope)));
  return hash;
}
