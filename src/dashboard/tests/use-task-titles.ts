import { useApi } from '../api/use-api.ts';

/** Tasks whose titles are loaded at once. */
const MAX_TASKS = 100;

/** Returns the titles of the newest tasks, by id. */
export function useTaskTitles(): ReadonlyMap<string, string> {
  const tasks = useApi('/v0/tasks', { query: { limit: MAX_TASKS, orderBy: 'createdAt', orderDir: 'desc' } });
  return new Map((tasks.data?.data ?? []).map(({ id, title }) => [id, title]));
}
