import type { Tag } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Tags that one list offers. */
const MAX_TAGS = 100;

/** Returns the active tags of the application, by name. */
export function useTags(): readonly Tag[] {
  const tags = useApi(['tags', 'choices'], (api, signal) =>
    api.GET('/v0/tags', {
      params: { query: { limit: MAX_TAGS, orderBy: 'name', orderDir: 'asc' } },
      signal,
    }),
  );
  return tags.data?.data ?? [];
}
