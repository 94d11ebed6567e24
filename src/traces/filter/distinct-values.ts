import type { FilterValue } from '../../filter/term.ts';
import { textMatcher } from '../../filter/matcher.ts';
import type { Database } from '../../storage/database.ts';

/** Most values of a property that are compared with a pattern; of a property with more, each trace is. */
const MAX_VALUES = 1_000;

/**
 * Returns the values of a property of traces that match a term, or null if the property has too many values to compare. Steps over
 * equal values by the index, so that the number of traces does not matter.
 */
export function matchingValues(
  database: Database,
  { application, key }: { application: number; key: string },
  values: readonly FilterValue[],
): string[] | null {
  if (values.every(({ is }) => is === 'equal'))
    return values.map((value) => (value.is === 'equal' ? value.text : ''));
  const known = distinctValues(database, { application, key }, MAX_VALUES + 1);
  if (known.length > MAX_VALUES) return null;
  const { matches } = textMatcher(values, true);
  return known.filter(matches);
}

/** Returns the values of a property in order, at most `limit`. */
function distinctValues(
  database: Database,
  { application, key }: { application: number; key: string },
  limit: number,
): string[] {
  return database
    .all<{ value: string }>(
      `WITH RECURSIVE one (value) AS (
         SELECT min(value) FROM trace_attr WHERE application = :application AND key = :key
         UNION ALL
         SELECT (SELECT min(value) FROM trace_attr WHERE application = :application AND key = :key AND value > one.value)
         FROM one WHERE one.value IS NOT NULL)
       SELECT value FROM one WHERE value IS NOT NULL LIMIT :limit`,
      { application, key, limit },
    )
    .map(({ value }) => value);
}
