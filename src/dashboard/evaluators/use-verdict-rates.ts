import type { QueryReportBody, RateInterval } from '../../api/generated/schema.ts';
import { type Interval, shareInterval } from '../format/interval.ts';
import { groupId, monthAgo, useReport } from '../reports/use-report.ts';

/** Most evaluators of the report. */
const MAX_GROUPS = 1_000;

export interface VerdictRate {
  share: number;
  /** Verdicts that count. */
  count: number;
  interval: Interval;
  /** Number of independent observations behind the interval, and what one of them is. */
  clusters: number;
  clusteredBy: RateInterval['clusteredBy'];
}

/** Returns the share of verdicts of the last 30 days that passed, by the id of the evaluator. */
export function useVerdictRates(definitionId?: string): ReadonlyMap<string, VerdictRate> {
  const filters: NonNullable<QueryReportBody['filters']> = [
    { column: 'createdAt', operator: 'gte', value: monthAgo() },
    { column: 'passed', operator: 'isNotNull' },
  ];
  if (definitionId !== undefined)
    filters.push({ column: 'evalDefinition', operator: 'eq', value: definitionId });
  const report = useReport({
    datasource: 'eval',
    filters,
    groupBy: [{ column: 'evalDefinition' }],
    measurements: [{ aggregation: 'count' }, { aggregation: 'passRate' }],
    withIntervals: true,
    limit: MAX_GROUPS,
  });
  return new Map(
    (report.data?.data ?? []).flatMap(({ groups, values, passRateInterval }) => {
      if (!passRateInterval) return [];
      const [share, count] = [Number(values['passRate']) / 100, Number(values['count'])];
      const { clusters, clusteredBy } = passRateInterval;
      const rate = { share, count, interval: shareInterval(passRateInterval), clusters, clusteredBy };
      return [[groupId(groups['evalDefinition']) ?? '', rate] as const];
    }),
  );
}
