import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import type { TracesQuery } from './filter.ts';
import { useLiveTraces } from './use-live-traces.ts';

interface Page {
  data: ListedTrace[];
}

export interface LiveList {
  isConnected: boolean;
  /** The rows of the list in their order, each in its current state. */
  rows: readonly ListedTrace[];
  /** Number of traces that would appear if the list were loaded again. */
  newCount: number;
  /** True if there may be more than `newCount`. */
  isTruncated: boolean;
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
  // The time of the server at which the list was at least as new as this; its clock may differ from that of the browser.
  const since = useMemo(
    () => Math.max(0, ...stored.map(({ modifiedAt }) => Date.parse(modifiedAt))),
    [stored],
  );
  const live = useLiveTraces(query, isOn && isLoaded, { since, version: dataUpdatedAt });
  const { isConnected, changed, isTruncated } = live;
  const rows = useMemo(() => stored.map((row) => changed.get(row.id) ?? row), [stored, changed]);
  const newCount = useMemo(() => countNew(stored, changed, pageSize), [stored, changed, pageSize]);

  const isFirst = isLoaded && stored.length === 0 && newCount > 0;
  useEffect(() => {
    if (isFirst) void refetch();
  }, [isFirst, refetch]);
  return { isConnected, rows, newCount, isTruncated };
}

/** Counts the changed traces that belong to the page, but are not on it. */
function countNew(
  rows: readonly ListedTrace[],
  changed: ReadonlyMap<string, ListedTrace>,
  pageSize: number,
): number {
  const known = new Set(rows.map(({ id }) => id));
  const last = rows.length < pageSize ? undefined : rows.at(-1);
  const oldest = last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.timestamp);
  return [...changed.values()].filter(
    ({ id, timestamp }) => !known.has(id) && Date.parse(timestamp) >= oldest,
  ).length;
}
