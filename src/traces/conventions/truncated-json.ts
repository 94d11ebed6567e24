/** Deepest nesting that is followed. */
const MAX_DEPTH = 512;
/** Text that limits of senders write in place of what they dropped. */
const MARK = /(?:…|\.{3}|\[(?:truncated|\.{3}|…)\]|<truncated>)$/i;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const SCALAR_START =
  /(?:t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?|n(?:u(?:l)?)?|-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][+-]?\d*)?)$/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Reports whether a text is the beginning of the JSON of an object or a list that ends in the middle, because a limit of
 * its sender truncated it. Text that only begins with a bracket is none. Grammar: RFC 8259.
 */
export function isTruncatedJson(text: string): boolean {
  const trimmed = text.trim();
  return /^[[{]/.test(trimmed) && [trimmed, trimmed.replace(MARK, '')].some(endsInTheMiddle);
}

/** Position of the reader within a list or an object. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma';

function endsInTheMiddle(text: string): boolean {
  const closers: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null || (found[0] === '' && pattern !== SPACE)) return false;
    at = pattern.lastIndex;
    return true;
  };
  for (;;) {
    skip(SPACE);
    if (at >= text.length) return closers.length > 0;
    const character = text[at] as string;
    const mayClose = expected === 'comma' || expected.startsWith('first');
    if (mayClose && character === closers.at(-1)) {
      closers.pop();
      at += 1;
      if (closers.length === 0) return false;
      expected = 'comma';
    } else if (expected === 'comma') {
      if (character !== ',') return false;
      at += 1;
      expected = closers.at(-1) === '}' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return false;
      at += 1;
      expected = 'value';
    } else if (expected.endsWith('key')) {
      const end = endOfString(text, at);
      if (end <= at) return end === UNENDED;
      at = end;
      expected = 'colon';
    } else if (character === '{' || character === '[') {
      if (closers.length >= MAX_DEPTH) return false;
      closers.push(character === '{' ? '}' : ']');
      at += 1;
      expected = character === '{' ? 'first key' : 'first value';
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (end <= at) return end === UNENDED;
      at = end;
      expected = 'comma';
    } else {
      if (!skip(SCALAR) || (at < text.length && !/[\s,\]}]/.test(text[at] as string))) {
        return skip(SCALAR_START) && at >= text.length;
      }
      expected = 'comma';
    }
  }
}

const UNENDED = -1;
const INVALID = -2;

/** Returns the position behind the string that begins at `start`; UNENDED if the text ends within it. */
function endOfString(text: string, start: number): number {
  if (text[start] !== '"') return INVALID;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < FIRST_PRINTABLE) return INVALID;
    if (code === BACKSLASH) {
      at += 1;
      if (at < text.length && !ESCAPABLE.includes(text[at] as string)) return INVALID;
    }
  }
  return UNENDED;
}

const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];
const ESCAPABLE = '"\\/bfnrtu';
