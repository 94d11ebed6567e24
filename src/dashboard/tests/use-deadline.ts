import type { Test } from '../../api/generated/schema.ts';
import { useWebhook } from '../webhook/use-webhook.ts';
import { useAttempts } from './use-attempts.ts';
import { useDiagnosis } from './use-diagnosis.ts';

/** Returns when the current step of a test fails unless something happens; null if that is not known. */
export function useDeadline(test: Test): { at: number; text: string } | null {
  const attempts = useAttempts(test);
  const { data: webhook } = useWebhook();
  const diagnosis = useDiagnosis(test);
  const check = diagnosis.data?.data.deadline ?? null;
  const isAwaited = test.phase === 'delivered' || test.phase === 'trace_received';
  if (isAwaited && check !== null)
    return {
      at: Date.parse(check),
      text: test.phase === 'delivered' ? 'without a span, the test fails' : 'the trace counts as complete',
    };
  const open = attempts.data?.data.findLast(({ outcome }) => outcome === null);
  if (test.phase !== 'delivering' || !open || !webhook) return null;
  return { at: Date.parse(open.sentAt) + webhook.timeoutMs, text: 'the request times out' };
}
