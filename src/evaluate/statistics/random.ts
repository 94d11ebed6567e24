/** Generator of pseudorandom numbers, equal for the same seed. */
export interface Random {
  /** Returns a whole number from 0 to `count` − 1. */
  below(count: number): number;
}

/**
 * Creates the generator xoshiro128** of D. Blackman and S. Vigna, "Scrambled Linear Pseudorandom Number Generators",
 * ACM Transactions on Mathematical Software 47 (2021) 36. It returns whole numbers of 32 bits; at least one number of
 * `state` must not be 0.
 */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
}

const rotated = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

const WARM_UP = 20;

export function seededRandom(seed: number): Random {
  const next = xoshiro128([seed | 0, 0x9e3779b9, 0x243f6a88, 0xb7e15162]);
  for (let i = 0; i < WARM_UP; i++) next();
  return { below: (count) => Math.floor((next() / 2 ** 32) * count) };
}
