import type { Database } from '../../storage/sqlite/database.ts';
import { dollars } from '../../traces/format.ts';
import { WINDOW_MS } from '../../evaluate/figures.ts';
import type { Cost, CostsQuery } from './evaluate-contract.ts';

/** Lines of one answer: the latest days, or the dearest definitions. */
const MAX_LINES = 1_000;

const GROUPS = {
  day: {
    columns: `strftime('%F', created_at / 1000, 'unixepoch') AS day, NULL AS evalDefinitionId, NULL AS name`,
    group: 'day',
    order: 'day DESC',
  },
  definition: {
    columns: `NULL AS day, definition_id AS evalDefinitionId,
      (SELECT name FROM definition WHERE application = ?1 AND id = definition_id) AS name`,
    group: 'definition_id',
    order: 'cost DESC, definition_id',
  },
} as const;

/** What judge models took, by day (the latest first) or by definition (the dearest first). */
export function evalCosts(
  database: Database,
  { application, query, now }: { application: number; query: CostsQuery; now: number },
): Cost[] {
  const { columns, group, order } = GROUPS[query.groupBy];
  return database
    .all<Cost>(
      `SELECT ${columns}, count(*) AS evals, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
         sum(cost) AS cost, count(*) - count(cost) AS unpricedEvals
       FROM eval INDEXED BY eval_by_cost
       WHERE application = ?1 AND input_tokens IS NOT NULL AND created_at >= ?2 AND created_at <= ?3
       GROUP BY ${group} ORDER BY ${order} LIMIT ?4`,
      application,
      query.startDate === undefined ? now - WINDOW_MS : Date.parse(query.startDate),
      query.endDate === undefined ? now : Date.parse(query.endDate),
      MAX_LINES,
    )
    .map((line) => ({ ...line, cost: line.cost === null ? null : dollars(line.cost) }));
}
