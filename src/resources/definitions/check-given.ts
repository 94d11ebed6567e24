import { invalid } from '../../contract/errors.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { Judges } from '../../evaluate/judge/judges.ts';

/** Throws `invalid` for a judge that the settings do not have: its evals could never be judged. */
export function checkJudge(
  judges: Pick<Judges, 'queues'>,
  config: Readonly<Record<string, unknown>> | undefined,
): void {
  const judge = config?.['judge'];
  const names = judges.queues.map(({ name }) => name);
  if (typeof judge !== 'string' || names.includes(judge)) return;
  const known = names.length === 0 ? 'none is configured' : `known: ${names.join(', ')}`;
  const message = `no judge has the name ${JSON.stringify(judge.slice(0, 80))}; ${known}`;
  throw invalid([{ code: 'custom', message, path: ['globalConfig', 'judge'] }]);
}

/** Throws `invalid` at once for URLs of scorers that the guard would reject at every request. */
export function checkScorer(
  guard: Pick<AddressGuard, 'checkUrl'>,
  type: string,
  config: Readonly<Record<string, unknown>>,
): void {
  if (type !== 'HTTP' || typeof config['url'] !== 'string') return;
  const verdict = guard.checkUrl(config['url']);
  if (verdict.allowed) return;
  const message = `${verdict.reason}. ${verdict.hint}`;
  throw invalid([{ code: 'invalid_string', message, path: ['globalConfig', 'url'] }]);
}
