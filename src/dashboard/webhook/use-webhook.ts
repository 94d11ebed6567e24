import type { UseQueryResult } from '@tanstack/react-query';
import type { Webhook } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useApi, useCall } from '../api/use-api.ts';

/** Returns the webhook of the application; null if there is none. */
export const useWebhook = (): UseQueryResult<Webhook | null> =>
  useCall('/v0/webhook', {}, async (api, signal) => {
    const { data, error, response } = await api.GET('/v0/webhook', { signal });
    if (response.status === 404) return { data: null, response: new Response() };
    return { data: data?.data ?? null, error, response };
  });

/** Returns whether the application has no webhook, so that no test can run; false until that is known. */
export function useLacksWebhook(): boolean {
  const { application } = useSession();
  const health = useApi('/v0/applications/{id}/health', { path: { id: application.id } });
  return health.data?.data.webhook === null;
}
