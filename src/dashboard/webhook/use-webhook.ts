import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Webhook } from '../../api/generated/schema.ts';
import { ApiError, answerOf } from '../../api/client.ts';
import { useSession } from '../api/session.ts';

/** Returns the webhook of the application; null if there is none. */
export function useWebhook(): UseQueryResult<Webhook | null> {
  const { client, application } = useSession();
  return useQuery({
    queryKey: [application.id, 'webhook', 'settings'],
    queryFn: async ({ signal }) => {
      try {
        return (await answerOf(client.GET('/v0/webhook', { signal }))).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}
