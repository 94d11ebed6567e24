import { parseJson } from '../../../traces/conventions/json.ts';
import type { JsonValue } from '../../../traces/span-wire.ts';

/** Parses JSON; returns undefined when the text is not JSON, or nests deeper than can be compared and written. */
export function jsonIn(text: string): JsonValue | undefined {
  if (/^\s*[[{]/.test(text)) {
    const value = parseJson(text);
    return typeof value === 'string' ? undefined : value;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Most characters that are examined in all attempts: each opening bracket may start one over the rest of the text.
 */
const MAX_LOOKED_AT = 4_000_000;

/** Yields the outermost objects and arrays within a text, in their order. */
export function* findJson(text: string): Generator<JsonValue> {
  const starts = /[[{]/g;
  let lookedAt = 0;
  for (let start = starts.exec(text); start && lookedAt < MAX_LOOKED_AT; start = starts.exec(text)) {
    const end = endOfBrackets(text, start.index);
    lookedAt += (end ?? text.length) - start.index;
    if (end === null) continue;
    const value = jsonIn(text.slice(start.index, end));
    if (value === undefined) continue;
    yield value;
    starts.lastIndex = end;
  }
}

/**
 * Returns the index after the bracket that closes the one at `start`; null when there is none. Ignores brackets in
 * strings.
 */
function endOfBrackets(text: string, start: number): number | null {
  const tokens = /["[\]{}]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [sign] = token;
    if (sign === '"') {
      const end = endOfString(text, token.index);
      if (end === null) return null;
      tokens.lastIndex = end;
    } else {
      depth += sign === '[' || sign === '{' ? 1 : -1;
      if (depth === 0) return tokens.lastIndex;
    }
  }
  return null;
}

function endOfString(text: string, start: number): number | null {
  const ends = /\\[^]|"/g;
  ends.lastIndex = start + 1;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text))
    if (end[0] === '"') return ends.lastIndex;
  return null;
}
