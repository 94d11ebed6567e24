import type { UseQueryResult } from '@tanstack/react-query';
import type { Webhook } from '../../api/generated/schema.ts';
import { useCall } from '../api/use-api.ts';

/** Returns the webhook of the application; null if there is none. */
export const useWebhook = (): UseQueryResult<Webhook | null> =>
  useCall('/v0/webhook', {}, async (api, signal) => {
    const { data, error, response } = await api.GET('/v0/webhook', { signal });
    if (response.status === 404) return { data: null, response: new Response() };
    return { data: data?.data ?? null, error, response };
  });
