import type { Tag } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Tags that one list offers. */
const MAX_TAGS = 100;

/** Returns the active tags of the application, by name. */
export function useTags(): readonly Tag[] {
  const tags = useApi('/v0/tags', { query: { limit: MAX_TAGS, orderBy: 'name', orderDir: 'asc' } });
  return tags.data?.data ?? [];
}
