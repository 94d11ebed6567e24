const DIGITS = 1 << 16;

/**
 * Sorts rows by a time that is given in two halves of 32 bits, the earliest first. Rows of the same time keep their
 * order. A radix sort: a comparator called two million times would take longer than everything else.
 */
export function sortByTime(rows: Uint32Array, high: Uint32Array, low: Uint32Array): Uint32Array {
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  const counts = new Uint32Array(DIGITS);
  for (const [half, shift] of [
    [low, 0],
    [low, 16],
    [high, 0],
    [high, 16],
  ] as const) {
    if (!differ(from, half, shift)) continue;
    counts.fill(0);
    for (const row of from) countUp(counts, digitOf(half, shift, row));
    let place = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = counts[digit] as number;
      counts[digit] = place;
      place += count;
    }
    for (const row of from) to[countUp(counts, digitOf(half, shift, row))] = row;
    [from, to] = [to, from];
  }
  return from;
}

/** Reports whether rows differ in a digit: most digits of times of one trace are alike. */
function differ(rows: Uint32Array, half: Uint32Array, shift: number): boolean {
  if (rows.length === 0) return false;
  const first = digitOf(half, shift, rows[0] as number);
  for (const row of rows) if (digitOf(half, shift, row) !== first) return true;
  return false;
}

const digitOf = (half: Uint32Array, shift: number, row: number): number =>
  ((half[row] as number) >>> shift) & (DIGITS - 1);

/** Returns the count before. */
function countUp(counts: Uint32Array, digit: number): number {
  const count = counts[digit] as number;
  counts[digit] = count + 1;
  return count;
}
