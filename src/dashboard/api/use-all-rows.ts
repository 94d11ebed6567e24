import type { UseQueryResult } from '@tanstack/react-query';
import type { Call } from './client.ts';
import {
  type UseApiOptions,
  type ReadAnswer,
  type ReadParams,
  type ReadPath,
  read,
  useCall,
} from './use-api.ts';

/** Most rows of one call. */
const PAGE = 100;

/** Answer of a list. */
interface Rows {
  data: unknown[];
  pagination: { total: number };
}

type ListPath = { [P in ReadPath]: ReadAnswer<P> extends Rows ? P : never }[ReadPath];

/**
 * Returns all rows of a list from `query.skip` on, up to `most`, which takes several calls. `pagination.total` says how
 * many there are. Rows of another query stay until the new ones are there.
 */
export const useAllRows = <P extends ListPath>(
  path: P,
  query: NonNullable<ReadParams<P>['query']>,
  most: number,
  options: Omit<UseApiOptions<ReadAnswer<P>>, 'keepsRows'> = {},
): UseQueryResult<ReadAnswer<P>> =>
  useCall(
    path,
    { query: { ...query, most } },
    async (api, signal): Call<ReadAnswer<P>> => {
      const { skip = 0 } = query as { skip?: number };
      const page = (at: number): Call<ReadAnswer<P>> =>
        read(api, path, { query: { ...query, limit: PAGE, skip: at } }, signal);
      const first = await page(skip);
      const rows = first.data as Rows | undefined;
      if (rows === undefined) return first;
      const end = Math.min(rows.pagination.total, skip + most);
      for (let at = skip + PAGE; at < end; at += PAGE) {
        const next = await page(at);
        if (next.data === undefined) return next;
        rows.data.push(...(next.data as Rows).data);
      }
      return first;
    },
    { ...options, keepsRows: true },
  );
