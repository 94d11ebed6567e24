import type { paths } from '../../api/generated/schema.ts';

export type ListTestsQuery = NonNullable<paths['/v0/tests']['get']['parameters']['query']>;

/** Filters of the list as its URL holds them; empty for none. */
export const FILTERS = { status: '', phase: '', task: '', type: '', run: '', last: '' };
export type Filters = typeof FILTERS;

/** Periods to choose from, in milliseconds. */
export const PERIODS: Readonly<Record<string, { name: string; milliseconds: number }>> = {
  '1h': { name: 'Last hour', milliseconds: 3_600_000 },
  '24h': { name: 'Last 24 hours', milliseconds: 86_400_000 },
  '7d': { name: 'Last 7 days', milliseconds: 604_800_000 },
  '30d': { name: 'Last 30 days', milliseconds: 2_592_000_000 },
};

/** Returns the start of a period, to the minute, so that the call stays the same for a while; undefined for all times. */
export function periodStart(last: string, now: number): string | undefined {
  const period = PERIODS[last]?.milliseconds;
  return period === undefined
    ? undefined
    : new Date(Math.floor((now - period) / 60_000) * 60_000).toISOString();
}

/** Converts filters to the query of the API. */
export function testsQueryOf({ status, phase, task, type, run, last }: Filters, now: number): ListTestsQuery {
  const startDate = periodStart(last, now);
  return {
    ...(status !== '' && { status: [status as 'FAILED'] }),
    ...(phase !== '' && { phase: [phase as 'done'] }),
    ...(task !== '' && { taskId: [task] }),
    ...(type !== '' && { runType: [type as 'MANUAL'] }),
    ...(run !== '' && { runId: [run] }),
    ...(startDate !== undefined && { startDate }),
  };
}

export const hasFilter = (filters: Filters): boolean =>
  (Object.keys(FILTERS) as (keyof Filters)[]).some((name) => filters[name] !== '');
