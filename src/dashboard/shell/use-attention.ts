import { useApi } from '../api/use-api.ts';
import { useSession } from '../api/session.ts';

/** Milliseconds between two looks. */
const REFRESH_MS = 60_000;

const NONE: ReadonlySet<string> = new Set();

/** Checks that concern what was sent; without any span, an application is new and nothing is wrong. */
const OF_SENDERS: ReadonlySet<string> = new Set(['API keys', 'Rejected spans']);

/** Returns the paths of the screens that need attention: rejected senders, and a webhook whose last delivery failed. */
export function useAttention(): ReadonlySet<string> {
  const { id } = useSession().application;
  const health = useApi('/v0/applications/{id}/health', { path: { id } }, { refresh: () => REFRESH_MS });
  const wrong = (health.data?.data.checks ?? []).filter(({ level }) => level !== 'ok');
  if (wrong.length === 0) return NONE;
  const isOfWebhook = wrong.some(({ name }) => name === 'Webhook');
  const isOfSenders = wrong.some(({ name, level }) => level === 'problem' || OF_SENDERS.has(name));
  return new Set([...(isOfSenders ? ['/health'] : []), ...(isOfWebhook ? ['/webhook'] : [])]);
}
