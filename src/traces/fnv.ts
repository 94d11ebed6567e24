/** Returns the 32-bit FNV-1a hash of `bytes[start, end)`; never 0, which stands for no hash. */
export function fnv1a(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0 || 1;
}
