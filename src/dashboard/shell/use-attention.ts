import { useApi } from '../api/use-api.ts';
import type { AttentionItem } from '../../api/generated/schema.ts';

/** Milliseconds between two looks. */
const REFRESH_MS = 60_000;

/** Mark beside an entry of the navigation. */
export interface WaitingMark {
  /** Number of records that wait there; null for a fault, which is shown as `!`. */
  count: number | null;
  /** True if something is wrong, rather than waiting. */
  isBad: boolean;
}

/** Screens of the navigation that show what needs attention, by its kind. */
const MARKED: Partial<
  Record<AttentionItem['kind'], readonly [path: string, isCounted: boolean, isBad: boolean]>
> = {
  SENDERS: ['/health', false, true],
  WEBHOOK: ['/webhook', false, true],
  ISSUES: ['/issues', true, true],
  REVIEW: ['/review', true, false],
};

/** Returns what needs attention. */
export const useAttention = () => useApi('/v0/attention', {}, { refresh: () => REFRESH_MS });

/** Returns the marks of the navigation, by the paths of its screens. */
export function useNavigationMarks(): ReadonlyMap<string, WaitingMark> {
  const items = useAttention().data?.data ?? [];
  return new Map(
    items.flatMap(({ kind, count }) => {
      const marked = MARKED[kind];
      if (!marked) return [];
      const [path, isCounted, isBad] = marked;
      return [[path, { count: isCounted ? count : null, isBad }] as const];
    }),
  );
}
