import { linksReaching } from '../../evaluate/applicable.ts';
import { type SqlFragment, isOneOf } from '../../storage/sql.ts';
import { evalsOfTraces } from './evals-of-traces.ts';
import { madeByQuickstart } from '../../storage/sql.ts';
import type { DefinitionsQuery } from './contract.ts';
import { unindexed } from '../../storage/dialect.ts';

/** Returns the conditions on the definitions of an application. */
export function definitionsThat(application: number, query: DefinitionsQuery): SqlFragment[] {
  const { taskId, traceId, quickstartId, status, type, scopeType, topicId } = query;
  const where = [isOneOf('status', query.definitionStatus ?? ['ACTIVE'])];
  if (type) where.push(isOneOf('type', type));
  if (topicId) where.push(linkedToTopic(application, topicId));
  else if (scopeType) where.push(isOneOf('scope', [scopeType]));
  if (quickstartId) where.push(madeByQuickstart('definition', application, quickstartId));
  if (taskId) where.push(applyingToTask(application, taskId));
  if (status || traceId) where.push(withEval(application, { status, traceId, taskId: status && taskId }));
  return where;
}

const linkedToTopic = (application: number, topicIds: readonly string[]): SqlFragment =>
  isIn('SELECT definition_id FROM definition_link', [
    { sql: "application = ? AND kind = 'topic'", values: [application] },
    isOneOf('target_id', topicIds),
  ]);

/**
 * Returns the condition for definitions of tasks. A task that does not exist has none, not even those of the
 * application.
 */
function applyingToTask(application: number, taskIds: readonly string[]): SqlFragment {
  const reaching = linksReaching(application, taskIds);
  const { sql, values } = isOneOf('id', taskIds);
  return {
    sql: `id IN (SELECT definition_id FROM (${reaching.sql}))
      AND EXISTS (SELECT 1 FROM task WHERE application = ? AND ${sql})`,
    values: [...reaching.values, application, ...values],
  };
}

function withEval(
  application: number,
  { status, traceId, taskId }: Pick<DefinitionsQuery, 'status' | 'traceId' | 'taskId'>,
): SqlFragment {
  const where: SqlFragment[] = [];
  if (traceId) where.push(evalsOfTraces(application, traceId));
  if (taskId) where.push(isOneOf('task_id', taskId));
  // An index on these columns would find more rows, or does not contain the definition.
  if (status) where.push(isOneOf(unindexed('status'), status));
  const ofApplication = traceId ? unindexed('application') : 'application';
  where.push({ sql: `${ofApplication} = ? AND ${unindexed('superseded')} = 0`, values: [application] });
  return isIn('SELECT definition_id FROM eval', where);
}

function isIn(select: string, where: readonly SqlFragment[]): SqlFragment {
  const { sql, values } = all(where);
  return { sql: `id IN (${select} WHERE ${sql})`, values };
}

const all = (where: readonly SqlFragment[]): SqlFragment => ({
  sql: where.map(({ sql }) => sql).join(' AND '),
  values: where.flatMap(({ values }) => values),
});
