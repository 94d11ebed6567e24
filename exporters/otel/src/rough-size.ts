/** Bytes of a number, or of the place of a member. */
const WORD_BYTES = 8;
const MAX_DEPTH = 4;
/** Members of an object that are looked at; the others count as much as these on average. */
const MAX_MEMBERS = 32;

/** Returns about how much memory a value keeps. Never throws. */
export function roughSizeOf(value: unknown): number {
  try {
    return sizeAt(value, 0);
  } catch {
    // A getter or a proxy threw.
    return WORD_BYTES;
  }
}

function sizeAt(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return WORD_BYTES;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const seen = members.slice(0, MAX_MEMBERS);
  const bytes = seen.reduce<number>((sum, member) => sum + WORD_BYTES + sizeAt(member, depth + 1), 0);
  return seen.length === 0 ? WORD_BYTES : (bytes * members.length) / seen.length;
}
