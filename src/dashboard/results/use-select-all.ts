import { answerOf } from '../../api/client.ts';
import type { Results } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { type ShownResult, rowKey } from './result-types.ts';
import { MAX_SELECTED } from './selection.ts';
import type { GridQuery } from './use-results.ts';

const PAGE_ROWS = 200;

/** Returns a function that reads the rows that match, without their texts, to select them: at most `MAX_SELECTED`. */
export function useSelectAll(): (query: GridQuery) => Promise<ReadonlyMap<string, ShownResult>> {
  const { client } = useSession();
  return async (query) => {
    const rows = new Map<string, ShownResult>();
    for (let skip = 0; skip < MAX_SELECTED; skip += PAGE_ROWS) {
      const params = { query: { ...query, text: 0, skip, limit: PAGE_ROWS } };
      const page = await answerOf<Results>(client.GET('/v0/results', { params }));
      for (const row of page.data) rows.set(rowKey(row), row);
      if (skip + PAGE_ROWS >= page.pagination.total) break;
    }
    return rows;
  };
}
