import { type FilterFault, quoted, type Token, filterTokens } from '../../filter/tokens.ts';
import { ApiError } from '../../api/client.ts';

/** Returns the faults of a filter line that the server found; none for another error. */
export function faultsOf(error: unknown): FilterFault[] {
  if (!(error instanceof ApiError) || error.status !== 422) return [];
  return error.issues
    .filter(({ path }) => path.join() === 'q')
    .map(({ start = 0, end = 0, message, suggestion = null }) => ({ start, end, message, suggestion }));
}

/** A term of a line as it stands there. */
export interface WrittenTerm extends Pick<Token, 'start' | 'end'> {
  text: string;
}

export const termsOf = (line: string): WrittenTerm[] =>
  filterTokens(line).map(({ start, end }) => ({ start, end, text: line.slice(start, end) }));

/** Returns the line with other text in place of a range. */
export const replaced = (
  line: string,
  { start, end }: { start: number; end: number },
  text: string,
): string => tidy(line.slice(0, start) + text + line.slice(end));

export const without = (line: string, term: { start: number; end: number }): string =>
  replaced(line, term, '');

/** Adds a term at the end of the line. */
export const added = (line: string, text: string): string => tidy(`${line} ${text}`);

/** Removes the space around and between terms that is not needed; that within quotes stays. */
const tidy = (line: string): string =>
  termsOf(line)
    .map(({ text }) => text)
    .join(' ');

/** Returns the line with a term in place of those of the same fields. */
export const withTerm = (line: string, text: string, fields: readonly string[]): string =>
  tidy(
    [
      ...filterTokens(line)
        .filter(({ name, isNegated }) => isNegated || !fields.includes(name?.toLowerCase() ?? ''))
        .map(({ start, end }) => line.slice(start, end)),
      text,
    ].join(' '),
  );

/** Returns the term as a text to search for. */
export const asText = (term: string): string => quoted(term);

/** Returns the line with the suggestion in place of a fault. */
export const corrected = (line: string, fault: FilterFault): string =>
  fault.suggestion === null ? line : replaced(line, fault, fault.suggestion);
