/** Returns pseudo-random numbers from 0 to 1 (exclusive), always the same ones for a seed (sfc32). */
export function seededRandom(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11) | 0) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers of similar seeds are similar.
  for (let i = 0; i < 15; i++) next();
  return next;
}

/** Returns that many pseudo-random bytes. */
export function seededBytes(random: () => number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return bytes;
}

/** Returns a seed for a name (FNV-1a). */
export function seedOf(name: string): number {
  let seed = 0x811c9dc5;
  for (const byte of Buffer.from(name)) seed = Math.imul(seed ^ byte, 0x01000193) >>> 0;
  return seed;
}
