import { type PageQuery, type Pagination, paginate } from '../contract/paging.ts';
import type { SqlFragment } from './sql.ts';
import type { Database } from './database.ts';

export type PageOf = Pick<PageQuery, 'skip' | 'limit'>;

/** Number of matches at which counting for `total` stops. */
const MAX_TOTAL = 10_000;

/** Returns the pagination object of a page that shows `shown` of the rows of the query `matches`. */
export function countedPage(
  database: Database,
  matches: SqlFragment,
  page: PageOf,
  shown: number,
): Pagination & { totalExceeded?: true } {
  const { skip, limit } = page;
  // The last page shows how many rows there are, so no count is needed.
  const isLast = shown < limit && (shown > 0 || skip === 0);
  const found = isLast ? skip + shown : countMatches(database, matches, MAX_TOTAL + 1);
  return {
    ...paginate(page, Math.min(found, MAX_TOTAL)),
    ...(found > MAX_TOTAL ? { totalExceeded: true } : {}),
  };
}

/** Counts the rows of the query `matches`, up to `most`. */
export function countMatches(database: Database, { sql, values }: SqlFragment, most: number): number {
  const row = database.get<{ n: number }>(`SELECT count(*) AS n FROM (${sql} LIMIT ?)`, ...values, most);
  return row?.n ?? 0;
}
