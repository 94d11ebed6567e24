import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';

export type JsonObject = { [key: string]: JsonValue };

/** Deepest nesting of attributes; deeper values could not be written as JSON again. */
const MAX_DEPTH = 128;

/** Parses a text that is the JSON of an object or a list; returns any other text unchanged. */
export function parseJson(text: string): JsonValue {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || isTooDeep(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/** Returns the position of the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Does the same as `isObject`, for `filter` and `every` of lists. */
export const isJsonObject = (value: JsonValue): value is JsonObject => isObject(value);

/** Returns a text unchanged, and any other value as JSON. */
export function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
