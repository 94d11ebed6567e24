const DIGITS = 1 << 16;
const MASK = DIGITS - 1;

/**
 * Sorts rows by a time that is given in two halves of 32 bits, the earliest first. Rows of the same time keep their
 * order. A radix sort: a comparator called two million times would take longer than everything else.
 */
export function sortByTime(rows: Uint32Array, high: Uint32Array, low: Uint32Array): Uint32Array {
  if (isSorted(rows, high, low)) return rows;
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  const counts = new Uint32Array(DIGITS);
  for (const half of [low, high]) {
    const varying = varyingBits(rows, half);
    for (const shift of [0, 16]) {
      // Most digits of the times of one trace are alike.
      if (((varying >>> shift) & MASK) === 0) continue;
      scatter(from, to, half, shift, counts);
      [from, to] = [to, from];
    }
  }
  return from;
}

function isSorted(rows: Uint32Array, high: Uint32Array, low: Uint32Array): boolean {
  for (let i = 1; i < rows.length; i++) {
    const [before, after] = [rows[i - 1] as number, rows[i] as number];
    const difference = (high[after] as number) - (high[before] as number);
    if (difference < 0 || (difference === 0 && (low[after] as number) < (low[before] as number)))
      return false;
  }
  return true;
}

/** Returns the bits in which rows differ. */
function varyingBits(rows: Uint32Array, half: Uint32Array): number {
  const first = half[rows[0] as number] as number;
  let varying = 0;
  for (let i = 0; i < rows.length; i++) varying |= (half[rows[i] as number] as number) ^ first;
  return varying;
}

/** Moves rows to their places in the order of one digit. */
function scatter(
  from: Uint32Array,
  to: Uint32Array,
  half: Uint32Array,
  shift: number,
  counts: Uint32Array,
): void {
  counts.fill(0);
  for (let i = 0; i < from.length; i++) {
    const digit = ((half[from[i] as number] as number) >>> shift) & MASK;
    counts[digit] = (counts[digit] as number) + 1;
  }
  let place = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit] as number;
    counts[digit] = place;
    place += count;
  }
  for (let i = 0; i < from.length; i++) {
    const row = from[i] as number;
    const digit = ((half[row] as number) >>> shift) & MASK;
    const target = counts[digit] as number;
    to[target] = row;
    counts[digit] = target + 1;
  }
}
