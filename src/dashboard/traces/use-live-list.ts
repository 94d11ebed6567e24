import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import type { TracesQuery } from './query.ts';
import { loadedList, SeenTraces } from './live-changes.ts';
import { type LiveTraces, useLiveTraces } from './use-live-traces.ts';

interface Page {
  data: ListedTrace[];
}

export interface LiveList {
  connection: LiveTraces['connection'];
  /** The rows of the list in their order, each in its current state. */
  rows: readonly ListedTrace[];
  /** Number of traces that match and were not there when the list was loaded. */
  newCount: number;
  /** True if there may be more than `newCount`. */
  isTruncated: boolean;
  /** Loads the list again, after which what was counted is no longer new. */
  show: () => void;
}

/**
 * Returns the rows of a list of the newest traces, kept current while `isOn`. Rows never move: new traces are counted until
 * someone loads the list again.
 */
export function useLiveList(
  list: Pick<UseQueryResult<Page>, 'data' | 'dataUpdatedAt' | 'isPlaceholderData' | 'refetch'>,
  query: TracesQuery,
  isOn: boolean,
  pageSize: number,
): LiveList {
  const { data, dataUpdatedAt, isPlaceholderData, refetch } = list;
  const stored = useMemo(() => data?.data ?? [], [data]);
  const isLoaded = data !== undefined && !isPlaceholderData;
  const loaded = useMemo(
    () => (isLoaded ? loadedList(stored, pageSize, dataUpdatedAt) : undefined),
    [isLoaded, stored, pageSize, dataUpdatedAt],
  );
  const [seen] = useState(() => new SeenTraces());
  const live = useLiveTraces(query, isOn, loaded, seen);
  const { connection, changed, newIds, isTruncated } = live;
  const rows = useMemo(() => stored.map((row) => changed.get(row.id) ?? row), [stored, changed]);
  useEffect(() => seen.add(stored.map(({ id }) => id)), [seen, stored]);
  const show = useCallback(() => {
    seen.add(newIds);
    void refetch();
  }, [seen, newIds, refetch]);

  const isFirst = isLoaded && stored.length === 0 && newIds.size > 0;
  useEffect(() => {
    if (isFirst) void refetch();
  }, [isFirst, refetch]);
  return { connection, rows, newCount: newIds.size, isTruncated, show };
}
