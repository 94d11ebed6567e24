import { AppError } from '../../errors.ts';
import { parseFilter } from '../../filter/parse.ts';

/** Throws `invalid` for a filter line of traces that cannot be parsed. */
export function checkMatch(match: string | null | undefined): void {
  if (match === null || match === undefined) return;
  const { faults } = parseFilter(match, 'traces');
  const [first] = faults;
  if (!first) return;
  throw new AppError('invalid', `Invalid request: match: ${first.message}`, {
    issues: faults.map((fault) => ({ code: 'custom', path: ['match'], ...fault })),
  });
}
