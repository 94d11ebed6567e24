import { compileOwnPattern } from '../masking/own-pattern.ts';

/** Most characters of the source of a regular expression. */
const MAX_SOURCE = 500;
/** Fewest characters of a literal that is worth looking for first. */
const MIN_LITERAL = 3;

/**
 * Returns the source of a regular expression that ignores case without the flag `i`, which the linear engine does not know: each
 * letter becomes a class of its upper and lower case.
 */
export function withoutCase(source: string): string {
  let folded = '';
  let isInClass = false;
  for (let at = 0; at < source.length; ) {
    const [escape] = /^\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<\w*>|[^])/.exec(source.slice(at)) ?? [];
    const [range] = (isInClass && /^[a-zA-Z]-[a-zA-Z]/.exec(source.slice(at))) || [];
    const [group] = /^\(\?(?:<\w+>|<?[=!]|:)/.exec(source.slice(at)) ?? [];
    const text = escape ?? range ?? (isInClass ? undefined : group) ?? source.charAt(at);
    if (escape !== undefined || text.startsWith('(?')) folded += text;
    else if (range !== undefined) folded += bothRanges(range);
    else if (text === '[' && !isInClass) {
      isInClass = true;
      folded += text;
    } else if (text === ']' && isInClass) {
      isInClass = false;
      folded += text;
    } else folded += isInClass ? casesOf(text).join('') : classOf(casesOf(text));
    at += text.length;
  }
  return folded;
}

const casesOf = (character: string): string[] =>
  [...new Set([character, character.toLowerCase(), character.toUpperCase()])].filter(
    (one) => one.length === 1,
  );
const classOf = (cases: readonly string[]): string =>
  cases.length === 1 ? cases.join('') : `[${cases.join('')}]`;

/** Returns a range of a class in both cases; one that mixes them stays as it is. */
function bothRanges(range: string): string {
  const [lower, upper] = [range.toLowerCase(), range.toUpperCase()];
  return range === lower || range === upper ? lower + upper : range;
}

/**
 * Compiles a regular expression of a filter line. Returns why it is not allowed otherwise: only those that run in linear time are.
 */
export function compileFilterPattern(source: string, flags: string): RegExp | string {
  if (source.length > MAX_SOURCE) return `must have at most ${MAX_SOURCE} characters`;
  if (!/^(?!.*(.).*\1)[ims]*$/.test(flags)) return 'must have no flags but i, m and s, each once';
  return compileOwnPattern(flags.includes('i') ? withoutCase(source) : source, flags.replace('i', ''));
}

/** Returns the source of the pattern of a text with wildcards: within a word of a text, or of a complete name. */
export const wildcardSource = (parts: readonly string[], isWhole: boolean): string => {
  // A pattern must not match an empty text.
  if (isWhole && parts.every((part) => part === '')) return '[^]';
  const body = parts
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join(isWhole ? '[^]*' : '\\S*');
  return isWhole ? `^${body}$` : body;
};

/**
 * Returns the longest text of ASCII letters that every match of a regular expression contains, in lower case; null if
 * none is certain.
 */
export function requiredLiteral(source: string): string | null {
  // What a group or a class matches, and every alternative, is left out: their texts are not certain.
  if (/[|()]/.test(source.replaceAll(/\\./gs, ''))) return null;
  const flat = source.replaceAll(
    /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]/g,
    '\0',
  );
  const runs = flat.replaceAll(/[^](?:[*?]|\{[^}]*\})/g, '\0').match(/[A-Za-z]+/g) ?? [];
  const longest = runs.toSorted((a, b) => b.length - a.length)[0];
  return longest !== undefined && longest.length >= MIN_LITERAL ? longest.toLowerCase() : null;
}
