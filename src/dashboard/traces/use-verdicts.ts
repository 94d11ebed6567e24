import { useAllRows } from '../api/use-all-rows.ts';
import { useApi } from '../api/use-api.ts';

/** Verdicts of judges and people on one trace. */
export interface VerdictCount {
  passed: number;
  total: number;
  /** Evals that have no result yet. */
  pending: number;
  /** Names of those that failed. */
  failing: string[];
}

/** Most entries that one call returns. */
const MAX_ENTRIES = 100;
/** Most evals of one page of traces. */
const MAX_EVALS = 500;

/** Returns the current verdicts on these traces, by trace. With `type`, they are those of definitions of one type only. */
export function useVerdicts(traceIds: readonly string[], type?: string): ReadonlyMap<string, VerdictCount> {
  const traceId = [...traceIds];
  const enabled = traceId.length > 0;
  const query = { traceId, superseded: false, ...(type !== undefined && { type: [type] }) };
  const evals = useAllRows('/v0/evals', query, MAX_EVALS, { enabled });
  const people = useApi(
    '/v0/human-annotations',
    { query: { traceId, limit: MAX_ENTRIES } },
    { enabled: enabled && type === undefined },
  );

  const counts = new Map<string, VerdictCount>();
  const add = (trace: string | null, passed: boolean | null, name: string, isPending = false): void => {
    if (trace === null) return;
    const count = counts.get(trace) ?? { passed: 0, total: 0, pending: 0, failing: [] };
    counts.set(trace, count);
    if (isPending) count.pending += 1;
    if (passed === null) return;
    count.total += 1;
    if (passed) count.passed += 1;
    else count.failing.push(name);
  };
  for (const { traceId: trace, passed, status, definition } of evals.data?.data ?? [])
    add(trace, passed, definition.name, status === 'PENDING' || status === 'IN_PROGRESS');
  for (const { traceId: trace, verdict } of people.data?.data ?? []) add(trace, verdict, 'a person');
  return counts;
}
