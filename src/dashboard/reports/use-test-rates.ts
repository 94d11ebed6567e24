import type { QueryReportBody } from '../../api/generated/schema.ts';
import { type Interval, shareInterval } from '../format/interval.ts';
import { groupId, groupName, useReport } from './use-report.ts';

/** Pass rate of a group of tests. */
export interface GroupRate {
  share: number;
  /** Tests that count. */
  count: number;
  /** Different examples of these tests. */
  examples: number;
  interval: Interval;
  /** Start of the first of them. */
  at: string;
}

interface TestRatesOptions {
  /** Column of tests by which they are grouped. */
  by: 'run' | 'topic' | 'example';
  filters: NonNullable<QueryReportBody['filters']>;
  /** Groups that are returned, those that began last. */
  limit?: number;
  /** False while the filters are not known. */
  enabled?: boolean;
}

/** Returns the pass rates of tests by the id, or the value, of their group, with their intervals for examples like these. */
export function useTestRates(options: TestRatesOptions): ReadonlyMap<string, GroupRate> {
  const { by, filters, limit = 100, enabled = true } = options;
  const report = useReport(
    {
      datasource: 'test',
      filters: [...filters, { column: 'passRate', operator: 'isNotNull' }],
      groupBy: [{ column: by }],
      measurements: [
        { aggregation: 'count' },
        { aggregation: 'passRate' },
        { aggregation: 'min', column: 'createdAt', as: 'at' },
      ],
      orderBy: [{ by: 'at', direction: 'desc' }],
      withIntervals: true,
      limit,
    },
    { enabled },
  );
  return new Map(
    (report.data?.data ?? []).flatMap(({ groups, values, passRateInterval }) => {
      if (!passRateInterval) return [];
      const [share, count] = [Number(values['passRate']) / 100, Number(values['count'])];
      const { examples } = passRateInterval;
      const interval = shareInterval(passRateInterval);
      const rate = { share, count, examples, interval, at: String(values['at']) };
      return [[groupId(groups[by]) ?? groupName(groups[by]) ?? '', rate] as const];
    }),
  );
}
