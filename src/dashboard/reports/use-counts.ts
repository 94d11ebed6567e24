import type { QueryReportBody } from '../../api/generated/schema.ts';
import { groupId, useReport } from './use-report.ts';

/** Groups of one report. */
const MAX_GROUPS = 1_000;

interface CountOptions {
  datasource: QueryReportBody['datasource'];
  /** Relation that rows are counted by, such as the topic of tasks. */
  column: string;
  filters?: NonNullable<QueryReportBody['filters']>;
}

/** Counts rows by a relation: id of the related record → number. Undefined until the report has loaded. */
export function useCounts({
  datasource,
  column,
  filters = [],
}: CountOptions): ReadonlyMap<string, number> | undefined {
  const report = useReport({
    datasource,
    filters: [...filters],
    groupBy: [{ column }],
    measurements: [{ aggregation: 'count' }],
    limit: MAX_GROUPS,
  });
  return (
    report.data &&
    new Map(
      report.data.data.map(({ groups, values }) => [
        groupId(groups[column]) ?? '',
        Number(values['count'] ?? 0),
      ]),
    )
  );
}
