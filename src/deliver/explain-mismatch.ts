import { jsonPointer } from './json-pointer.ts';

/**
 * Returns the JSON pointer, within the body, of the first difference between the sent and the received body; null
 * when they are equal. `sent` is the canonical text that was delivered, `received` a body parsed by
 * `parseStrictJson`.
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

/** Reports whether a value is an object or an array, whose members are compared by key. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
