import { jsonPointer } from './json-pointer.ts';

/**
 * The JSON pointer, within the body, of the first place where what was received is not what was sent; null when the two
 * are the same. `sent` is the canonical text that was delivered, `received` a body as `parseStrictJson` reads it.
 */
export function explainMismatch(sent: string, received: unknown): string | null {
  const path = firstDifference(JSON.parse(sent), received);
  return path && jsonPointer(path);
}

function firstDifference(sent: unknown, received: unknown): string[] | null {
  if (!isContainer(sent) || !isContainer(received) || Array.isArray(sent) !== Array.isArray(received)) {
    return sent === received ? null : [];
  }
  for (const key of new Set([...Object.keys(sent), ...Object.keys(received)])) {
    if (!Object.hasOwn(sent, key) || !Object.hasOwn(received, key)) return [key];
    const rest = firstDifference(sent[key], received[key]);
    if (rest) return [key, ...rest];
  }
  return null;
}

/** An object or an array: both are read by key. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
