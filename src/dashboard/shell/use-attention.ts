import { useApi } from '../api/use-api.ts';
import { useSession } from '../api/session.ts';

/** Milliseconds between two looks. */
const REFRESH_MS = 60_000;

const NONE: ReadonlySet<string> = new Set();

/** Returns the paths of the screens that need attention: those of a problem with senders or with the webhook. */
export function useAttention(): ReadonlySet<string> {
  const { id } = useSession().application;
  const health = useApi('/v0/applications/{id}/health', { path: { id } }, { refresh: () => REFRESH_MS });
  const problems = (health.data?.data.checks ?? []).filter(({ level }) => level === 'problem');
  if (problems.length === 0) return NONE;
  const isOfWebhook = problems.some(({ name }) => /webhook/i.test(name));
  return new Set(['/health', ...(isOfWebhook ? ['/webhook'] : [])]);
}
