import { decodeAnyValue, type JsonValue } from '../span-wire.ts';

/** First byte of an AnyValue that is an integer. */
const INT_TAG = 0x18;
/** Length of an AnyValue with a negative integer; that of any other is shorter. */
const NEGATIVE_INT = 11;

/**
 * Reports whether a value is a number, or a text that is one, and not negative: others count as absent. `picked` is what a rule took from
 * the AnyValue between `start` and `end`; undefined for the value itself.
 */
export function isAmount(
  buffer: Buffer,
  { picked, start, end }: { picked: JsonValue | undefined; start: number; end: number },
): boolean {
  // Nearly all are integers, which need not be decoded.
  if (picked === undefined && isNatural(buffer, start, end)) return true;
  const value = picked ?? decodeAnyValue(buffer.subarray(start, end));
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0;
}

/** Reports whether an AnyValue is one integer that is not negative, which its length shows. */
function isNatural(buffer: Buffer, start: number, end: number): boolean {
  if (buffer[start] !== INT_TAG || end - start >= NEGATIVE_INT) return false;
  let last = start + 1;
  while (last < end && (buffer[last] as number) >= 0x80) last += 1;
  return last === end - 1;
}
