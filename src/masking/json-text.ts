/** A piece of a text that may be JSON, from `start` to before `end`. */
interface Piece {
  start: number;
  end: number;
  /** True for the contents of a string, without its quotes. */
  isString: boolean;
}

const BEGINS_LIKE_JSON = /^\s{0,100}[[{]/;

/** Reports whether a text may be JSON, perhaps truncated. */
export const looksLikeJson = (text: string): boolean =>
  BEGINS_LIKE_JSON.test(text) && (text.includes('"') || text.includes(':') || text.includes(','));

/** Splits a text into its strings and what is between them, complete and in order. Needs no valid JSON. */
export function* jsonPieces(text: string): Generator<Piece> {
  let at = 0;
  while (at < text.length) {
    // Apart from the first piece, each begins with the closing quote of a string.
    const quote = text.indexOf('"', at === 0 ? 0 : at + 1);
    const start = quote === -1 ? text.length : quote + 1;
    yield { start: at, end: start, isString: false };
    if (quote === -1) return;
    const end = endOfString(text, start);
    yield { start, end, isString: true };
    at = end;
  }
}

/** Returns the place of the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\' && quote - 1 - backslashes >= start) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Returns what a JSON string without quotes says; null when it is not valid. */
export function readJsonString(contents: string): string | null {
  try {
    return JSON.parse(`"${contents}"`) as string;
  } catch {
    return null;
  }
}

export const writeJsonString = (text: string): string => JSON.stringify(text).slice(1, -1);
