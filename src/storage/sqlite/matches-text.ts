import { compileFilterPattern } from '../../filter/patterns.ts';

/** Most compiled patterns that a connection keeps; a statement has far fewer. */
const MAX_PATTERNS = 200;

/**
 * Creates the SQL function `matches_text(source, flags, text …)`: 1 when the pattern matches one of the texts. Patterns run in
 * linear time; those that would not have been rejected before.
 */
export function createMatchesText(): (source: string, flags: string, ...texts: (string | null)[]) => 0 | 1 {
  const patterns = new Map<string, RegExp | string>();
  const patternOf = (source: string, flags: string): RegExp | string => {
    const key = `${flags}/${source}`;
    let pattern = patterns.get(key);
    if (pattern === undefined) {
      if (patterns.size >= MAX_PATTERNS) patterns.clear();
      patterns.set(key, (pattern = compileFilterPattern(source, flags)));
    }
    return pattern;
  };
  return (source, flags, ...texts) => {
    const pattern = patternOf(source, flags);
    if (typeof pattern === 'string') return 0;
    return texts.some((text) => text !== null && text.search(pattern) !== -1) ? 1 : 0;
  };
}
