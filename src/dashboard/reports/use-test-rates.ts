import type { QueryReportBody } from '../../api/generated/schema.ts';
import { type Interval, wilsonInterval } from '../format/interval.ts';
import { groupId, groupName, useReport } from './use-report.ts';

/** Pass rate of a group of tests. */
export interface TestRate {
  share: number;
  /** Tests that count. */
  count: number;
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

/** Returns the pass rates of tests by the id, or the value, of their group. Each test is one observation, as in the metrics of tasks. */
export function useTestRates(options: TestRatesOptions): ReadonlyMap<string, TestRate> {
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
      limit,
    },
    { enabled },
  );
  return new Map(
    (report.data?.data ?? []).map(({ groups, values }) => {
      const [share, count] = [Number(values['passRate']) / 100, Number(values['count'])];
      const rate = { share, count, interval: wilsonInterval(share, count), at: String(values['at']) };
      return [groupId(groups[by]) ?? groupName(groups[by]) ?? '', rate];
    }),
  );
}
