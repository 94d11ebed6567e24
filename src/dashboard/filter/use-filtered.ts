import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { FilterFault } from '../../filter/tokens.ts';
import { useSession } from '../api/session.ts';
import { faultsOf } from './line.ts';
import { rememberFilter } from './recent-filters.ts';

/** A list with a filter line. */
export interface Filtered<T> {
  /** The list; that of the previous filter if the line has faults. */
  list: UseQueryResult<T>;
  /** Line whose list is shown; null if the only line so far has faults. */
  applied: string | null;
  faults: readonly FilterFault[];
}

/**
 * Returns the list of a filter line. While the line has faults, the list keeps the previous filter. `useList` reads the list of a
 * line; it is a hook.
 */
export function useFiltered<T>(
  screen: string,
  line: string,
  useList: (line: string, isEnabled: boolean) => UseQueryResult<T>,
): Filtered<T> {
  const tried = useList(line, true);
  const faults = faultsOf(tried.error);
  const good = useRef<string | null>(null);
  const isGood = tried.isSuccess && !tried.isPlaceholderData;
  if (isGood) good.current = line;
  const before = good.current;
  const kept = useList(before ?? '', faults.length > 0 && before !== null);
  const { application } = useSession();
  useEffect(() => {
    if (isGood) rememberFilter({ applicationId: application.id, screen }, line);
  }, [isGood, line, screen, application.id]);
  if (faults.length === 0) return { list: tried, applied: line, faults };
  return { list: before === null ? tried : kept, applied: before, faults };
}

/** Returns a list without the error of a line with faults, which the filter shows; the rows are greyed. */
export const shownList = <T>(list: UseQueryResult<T>, hasFaults: boolean): ShownList<T> =>
  hasFaults ? { ...list, error: null, isPlaceholderData: true, isPending: false } : list;

type ShownList<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isPlaceholderData' | 'isPending' | 'refetch'>;
