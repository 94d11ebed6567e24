import type { UseQueryResult } from '@tanstack/react-query';
import type { Pagination, View } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';

const LIMIT = 100;

/** Returns the views of a screen that the login can see, by name. */
export function useViews(screen: View['screen']): UseQueryResult<{ data: View[]; pagination: Pagination }> {
  const query = { screen: [screen], limit: LIMIT, orderBy: 'name' as const, orderDir: 'asc' as const };
  return useApi('/v0/views', { query }, { keepsRows: true });
}

/** Reports whether the login may save views of its own, and shared ones. */
export function useViewRights(): { maySave: boolean; mayShare: boolean } {
  const [mayAnnotate, mayShare] = [useScope('annotate'), useScope('write')];
  return { maySave: mayAnnotate || mayShare, mayShare };
}
