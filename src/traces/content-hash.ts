import { hash } from 'node:crypto';

const CONTENT_HASH_BYTES = 8;

/** A scope has the same buffer in all requests. */
const scopeHashes = new WeakMap<Buffer, Buffer>();

/** Returns the 64-bit hash by which the directory recognises a span: of its bytes, its scope and its resource. */
export function contentHash(bytes: Uint8Array, scope: Buffer, resourceHash: Buffer): Buffer {
  let scopeHash = scopeHashes.get(scope);
  if (!scopeHash) scopeHashes.set(scope, (scopeHash = hash('sha256', scope, 'buffer')));
  const digest = hash('sha256', bytes, 'buffer').subarray(0, CONTENT_HASH_BYTES);
  for (let i = 0; i < CONTENT_HASH_BYTES; i++) {
    digest[i] = (digest[i] as number) ^ (scopeHash[i] as number) ^ (resourceHash[i] as number);
  }
  return digest;
}
