import { type Check, ok, problem, warning } from '../../contract/check.ts';
import type { Outcome } from '../../deliver/outcome.ts';

const NAME = 'Webhook endpoint';

/** Says what a probe of the webhook means; `outcome` is null while a listener receives its requests. */
export function endpointCheck(
  { url, enabled }: { url: string; enabled: boolean },
  outcome: Outcome | null,
): Check {
  if (outcome === null) return ok(NAME, 'A listener (touchstone listen) receives the requests.');
  if (outcome.kind === 'not_sent') return problem(NAME, outcome.message, outcome.hint);
  const { origin } = new URL(url);
  if (outcome.kind !== 'answered')
    return problem(NAME, outcome.message, 'Check that the app runs at this address and speaks HTTP.');
  const message = `${origin} responds: status ${outcome.status} for OPTIONS after ${Math.round(outcome.timings.totalMs)} ms.`;
  if (outcome.status >= 500)
    return warning(NAME, message, 'Look into the log of the app, or of the proxy in front of it.');
  return enabled
    ? ok(NAME, message)
    : warning(NAME, `${message} The webhook is disabled.`, 'Enable it to run tests.');
}
