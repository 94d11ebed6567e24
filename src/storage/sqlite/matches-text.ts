import { compileFilterPattern } from '../../filter/patterns.ts';

/**
 * Creates the SQL function `matches_text(source, flags, text …)`: 1 when the pattern matches one of the texts. Patterns run in
 * linear time; those that would not have been rejected before.
 */
export function createMatchesText(): (source: string, flags: string, ...texts: (string | null)[]) => 0 | 1 {
  let last = '';
  let pattern: RegExp | string = '';
  return (source, flags, ...texts) => {
    // Consecutive rows are compared with the same pattern.
    const key = `${flags}/${source}`;
    if (key !== last) [last, pattern] = [key, compileFilterPattern(source, flags)];
    const compiled = pattern;
    if (typeof compiled === 'string') return 0;
    return texts.some((text) => text !== null && text.search(compiled) !== -1) ? 1 : 0;
  };
}
