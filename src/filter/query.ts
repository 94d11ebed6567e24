import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { FilterScreen } from './fields.ts';
import { parseFilter } from './parse.ts';
import type { FilterTerms } from './term.ts';

/** Most characters of a filter line. */
const MAX_CHARACTERS = 4_000;

/** Schema of the parameter `q`. */
export const filterLine = z
  .string()
  .max(MAX_CHARACTERS)
  .optional()
  .describe(
    'Filter line, such as `verdict:fail -model:gpt-4o output:/14 days/ last:24h`: terms that must all hold. docs/filters.md has its fields. A line that cannot be parsed is rejected (422); `issues` then has the place (`start`, `end`) and a `suggestion` for each fault.',
  );

/** Terms of a filter line, and the time from which `last` counts, in Unix milliseconds. */
export interface RequestedFilter {
  terms: FilterTerms;
  at: number;
}

/** Parses the parameter `q`; undefined without one. Throws `invalid`. */
export function requestedFilter(
  q: string | undefined,
  screen: FilterScreen,
  at: number,
): RequestedFilter | undefined {
  if (q === undefined) return undefined;
  const { terms, faults } = parseFilter(q, screen);
  const [first] = faults;
  if (!first) return { terms, at };
  throw new AppError('invalid', `Invalid request: q: ${first.message}`, {
    issues: faults.map((fault) => ({ code: 'custom', path: ['q'], ...fault })),
  });
}
