import type { Call } from './client.ts';

/** Rows that one call of a list returns at most. */
const MAX_PAGE = 100;

interface Page<T> {
  data: T[];
  pagination: { total: number };
}

/** Reads the first `count` rows of a list, in several calls if one does not return as many. */
export async function readNewest<T>(
  count: number,
  readPage: (page: { skip: number; limit: number }) => Call<Page<T>>,
): Call<Page<T>> {
  const rows: T[] = [];
  for (;;) {
    const page = await readPage({ skip: rows.length, limit: Math.min(MAX_PAGE, count - rows.length) });
    if (page.data === undefined) return page;
    rows.push(...page.data.data);
    const isLast = page.data.data.length === 0 || rows.length >= page.data.pagination.total;
    if (isLast || rows.length >= count) return { ...page, data: { ...page.data, data: rows } };
  }
}
