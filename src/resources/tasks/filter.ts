import type { SqlFragment } from '../../traces/page.ts';
import { oneOf } from '../list-rows.ts';
import { canMatch } from '../unevaluated.ts';
import type { TaskFilter } from './contract.ts';

const OPEN = ['DRAFT', 'ACTIVE'];

/** What the tasks of an application must meet; the dearest question is asked last. */
export function tasksThat(application: number, filter: TaskFilter): SqlFragment[] {
  const { topicId, tagId, scheduleCriticality, taskStatus = OPEN, search } = filter;
  const where = [oneOf('status', taskStatus)];
  if (!canMatch(filter)) where.push({ sql: 'false', values: [] });
  if (topicId) where.push(oneOf('topic_id', topicId));
  if (tagId) where.push(isIn('SELECT task_id FROM task_tag', application, oneOf('tag_id', tagId)));
  if (scheduleCriticality) {
    const matches = oneOf('criticality', scheduleCriticality);
    where.push(isIn('SELECT task_id FROM task_schedule', application, matches));
  }
  if (search !== undefined) where.push({ sql: 'contains_text(?, title, description)', values: [search] });
  return where;
}

const isIn = (select: string, application: number, { sql, values }: SqlFragment): SqlFragment => ({
  sql: `id IN (${select} WHERE application = ? AND ${sql})`,
  values: [application, ...values],
});
