import type { TaskFilter } from './contract.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { isOneOf, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import { containsText } from '../../storage/dialect.ts';
import { shownTo } from '../../traces/withheld/store.ts';

const OPEN = ['DRAFT', 'ACTIVE'];

interface TasksOf {
  application: number;
  filter: TaskFilter;
  /** Caller, from whom verdicts may be withheld. */
  seenBy?: SeenBy | undefined;
}

/** Returns the conditions on the tasks of an application; the most expensive one is last. */
export function tasksThat(database: Database, { application, filter, seenBy }: TasksOf): SqlFragment[] {
  const { topicId, tagId, evalDefinitionId, scheduleCriticality, taskStatus = OPEN, search } = filter;
  const { quickstartId } = filter;
  const { status, confidence, stability, healthScore } = filter;
  const where = oneOfEach({
    status: taskStatus,
    figure_status: status,
    confidence_level: confidence,
    stability_level: stability,
    health_level: healthScore,
    schedule_criticality: scheduleCriticality,
    topic_id: topicId,
    quickstart_id: quickstartId,
  });
  const hasRate = [status, confidence, stability, healthScore].some((levels) => levels !== undefined);
  const shown = hasRate && seenBy ? shownTo(database, { application, ...seenBy }) : null;
  if (shown) where.push(shown.task('id'));
  if (tagId) where.push(isIn('SELECT task_id FROM task_tag', application, isOneOf('tag_id', tagId)));
  if (evalDefinitionId) {
    const { sql, values } = isOneOf('definition_id', evalDefinitionId);
    const links = { sql: `kind = 'task' AND ${sql}`, values };
    where.push(isIn('SELECT target_id FROM definition_link', application, links));
  }
  if (search !== undefined) where.push({ sql: containsText('?', 'title', 'description'), values: [search] });
  return where;
}

const isIn = (select: string, application: number, { sql, values }: SqlFragment): SqlFragment => ({
  sql: `id IN (${select} WHERE application = ? AND ${sql})`,
  values: [application, ...values],
});
