import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useAttempts } from './use-attempts.ts';

/** Returns when the current step of a test fails unless something happens; null if that is not known. */
export function useDeadline(test: Test): { at: number; text: string } | null {
  const attempts = useAttempts(test);
  const isDelivering = test.phase === 'delivering';
  const webhook = useApi(['webhook'], (api, signal) => api.GET('/v0/webhook', { signal }), {
    enabled: isDelivering,
  });
  const open = attempts.data?.data.findLast(({ outcome }) => outcome === null);
  if (!isDelivering || open === undefined || webhook.data === undefined) return null;
  return {
    at: Date.parse(open.sentAt) + webhook.data.data.timeoutMs,
    text: 'the request times out',
  };
}
