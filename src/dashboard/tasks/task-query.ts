import type { paths } from '../../api/generated/schema.ts';
import { type ListState, pageOf } from '../app/list-state.ts';

type TasksQuery = NonNullable<paths['/v0/tasks']['get']['parameters']['query']>;

/** Filters of the list as its URL holds them; empty for none. */
export const TASK_FILTERS = {
  search: '',
  topic: '',
  tag: '',
  status: '',
  result: '',
  stability: '',
  schedule: '',
};
export type TaskFilters = typeof TASK_FILTERS;

/** Converts filters to the query of the API. */
export const taskQuery = (
  { search, topic, tag, status, result, stability, schedule }: TaskFilters,
  page: ListState,
): TasksQuery => ({
  ...(search.trim() !== '' && { search: search.trim() }),
  ...(topic !== '' && { topicId: [topic] }),
  ...(tag !== '' && { tagId: [tag] }),
  ...(status !== '' && { taskStatus: [status as 'DRAFT'] }),
  ...(result !== '' && { status: [result as 'error'] }),
  ...(stability !== '' && { stability: [stability as 'LOW'] }),
  ...(schedule !== '' && { scheduleCriticality: [schedule as 'LOW'] }),
  ...pageOf<'title'>(page),
});

export const hasTaskFilter = (filters: TaskFilters): boolean =>
  (Object.keys(TASK_FILTERS) as (keyof TaskFilters)[]).some((name) => filters[name] !== '');
