import type { Topic } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Topics whose titles are loaded at once. */
const MAX_TOPICS = 100;
const STATUSES: Topic['status'][] = ['DRAFT', 'ACTIVE', 'ARCHIVED'];

/** Returns the topics of the application by title, archived ones too. */
export function useTopics(): readonly Topic[] {
  const query = { status: STATUSES, limit: MAX_TOPICS, orderBy: 'title' as const, orderDir: 'asc' as const };
  const topics = useApi('/v0/topics', { query }, { keepsRows: true });
  return topics.data?.data ?? [];
}

/** Returns the titles of topics by id. */
export const useTopicTitles = (): ReadonlyMap<string, string> =>
  new Map(useTopics().map(({ id, title }) => [id, title]));
