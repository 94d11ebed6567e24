import type { Test } from '../../api/generated/schema.ts';
import { useWebhook } from '../webhook/use-webhook.ts';
import { useAttempts } from './use-attempts.ts';

/** Returns when the current step of a test fails unless something happens; null if that is not known. */
export function useDeadline(test: Test): { at: number; text: string } | null {
  const attempts = useAttempts(test);
  const { data: webhook } = useWebhook();
  const open = attempts.data?.data.findLast(({ outcome }) => outcome === null);
  if (test.phase !== 'delivering' || !open || !webhook) return null;
  return { at: Date.parse(open.sentAt) + webhook.timeoutMs, text: 'the request times out' };
}
