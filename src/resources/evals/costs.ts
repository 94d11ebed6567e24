import type { Database } from '../../storage/database.ts';
import { byIndex, isoDayOf } from '../../storage/dialect.ts';
import { dollars } from '../../traces/format.ts';
import { WINDOW_MS } from '../../evaluate/quality-metrics.ts';
import type { Cost, CostsQuery } from './evaluate-contract.ts';

/** Most entries of a response: the latest days, or the most expensive definitions. */
const MAX_LINES = 1_000;

const GROUPS = {
  day: {
    columns: `${isoDayOf('created_at')} AS day, NULL AS evalDefinitionId, NULL AS name`,
    group: 'day',
    order: 'day DESC',
  },
  definition: {
    columns: `NULL AS day, definition_id AS evalDefinitionId,
      (SELECT name FROM definition WHERE application = :application AND id = definition_id) AS name`,
    group: 'definition_id',
    order: 'cost DESC NULLS LAST, definition_id',
  },
} as const;

/** Selects what evals, or canaries that were judged again, have cost. */
const costsIn = (table: string, index: string): string =>
  `SELECT created_at, definition_id, cost, input_tokens, output_tokens FROM ${table} ${byIndex(index)}
   WHERE application = :application AND input_tokens IS NOT NULL AND created_at >= :from AND created_at <= :to`;

/** Sums the cost of judge models and scorers by day (the latest first) or by definition (the most expensive first). */
export function evalCosts(
  database: Database,
  { application, query, now }: { application: number; query: CostsQuery; now: number },
): Cost[] {
  const { columns, group, order } = GROUPS[query.groupBy];
  return database
    .all<Cost>(
      `SELECT ${columns}, count(*) AS evals, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
         sum(cost) AS cost, count(*) - count(cost) AS unpricedEvals
       FROM (${costsIn('eval', 'eval_by_cost')} UNION ALL ${costsIn('canary_verdict', 'canary_verdict_by_cost')}) AS judged
       GROUP BY ${group} ORDER BY ${order} LIMIT :limit`,
      {
        application,
        from: query.startDate === undefined ? now - WINDOW_MS : Date.parse(query.startDate),
        to: query.endDate === undefined ? now : Date.parse(query.endDate),
        limit: MAX_LINES,
      },
    )
    .map((line) => ({ ...line, cost: line.cost === null ? null : dollars(line.cost) }));
}
