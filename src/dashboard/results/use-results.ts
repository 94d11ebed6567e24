import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Results } from '../../api/generated/schema.ts';
import type { ReadParams } from '../api/use-api.ts';
import { queryKey } from '../api/query-key.ts';
import { useSession } from '../api/session.ts';
import type { ShownResult } from './result-types.ts';

export type GridQuery = NonNullable<ReadParams<'/v0/results'>['query']>;

/** Rows of one call. */
const PAGE_ROWS = 200;
/** Pages that are kept loaded at once. */
const MAX_PAGES = 12;
const LIVE_MS = 2_000;

export interface LoadedResults {
  /** The call for the first page. */
  first: UseQueryResult<Results>;
  total: number;
  /** Returns a row by its place; undefined while it is not loaded. */
  rowAt: (place: number) => ShownResult | undefined;
  /** Loads the pages of the rows that are in view. */
  show: (from: number, to: number) => void;
}

/** Loads the results that match, page by page as they are looked at. */
export function useResults(query: GridQuery, { isLive }: { isLive: boolean }): LoadedResults {
  const { client, application } = useSession();
  const key = JSON.stringify(query);
  const [seen, setSeen] = useState<{ key: string; pages: readonly number[] }>({ key, pages: [0] });
  const pages = seen.key === key ? seen.pages : [0];
  const calls = useQueries({
    queries: pages.map((page) => {
      const params = { query: { ...query, skip: page * PAGE_ROWS, limit: PAGE_ROWS } };
      return {
        queryKey: queryKey(application.id, '/v0/results', params),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          answerOf<Results>(client.GET('/v0/results', { params, signal })),
        placeholderData: (previous: Results | undefined) => (page === 0 ? previous : undefined),
        ...(isLive && { refetchInterval: LIVE_MS }),
      };
    }),
  });
  const loaded = new Map(pages.map((page, index) => [page, calls[index]?.data?.data]));
  const first = calls[0] as UseQueryResult<Results>;
  return {
    first,
    total: first.data?.pagination.total ?? 0,
    rowAt: (place) => loaded.get(Math.floor(place / PAGE_ROWS))?.[place % PAGE_ROWS],
    show: (from, to) => {
      const wanted = [Math.floor(from / PAGE_ROWS), Math.floor(to / PAGE_ROWS)];
      const missing = wanted.filter((page) => !pages.includes(page));
      if (missing.length === 0) return;
      const kept = pages.filter((page) => page !== 0).slice(-(MAX_PAGES - missing.length - 1));
      setSeen({ key, pages: [0, ...new Set([...kept, ...missing])] });
    },
  };
}
