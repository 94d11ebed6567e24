import { isoTime } from '../../contract/values.ts';
import { definitionConfigs } from '../../evaluate/definition-config.ts';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import type { Judges } from '../../evaluate/judge/judges.ts';
import type { ScorerSlots } from '../../evaluate/scorer/scorer-slots.ts';
import type { ParallelLimits } from '../../deliver/parallel-limits.ts';
import type { EndpointWait } from '../../runtime/endpoint-wait.ts';
import type { RunWait } from './contract.ts';

/** Limits of the endpoints that runs need. */
export interface EndpointLimits {
  judges: Pick<Judges, 'waitOf' | 'nameFor'>;
  scorers: Pick<ScorerSlots, 'waitOf'>;
  webhookLimits: Pick<ParallelLimits, 'waitOf'>;
}

/** Requests that a run has still to send. */
export interface OpenWork {
  /** Address of its app; null if it has no webhook. */
  webhookUrl: string | null;
  /** Number of evals without a verdict, by definition. */
  evals: { type: string; config: Readonly<Record<string, unknown>>; count: number }[];
}

interface Endpoint {
  kind: RunWait['kind'];
  name: string;
  count: number;
  wait: EndpointWait | null;
}

/** Returns the endpoints that a run waits for, each with a forecast. */
export function waitsOf(
  limits: EndpointLimits,
  {
    application,
    pendingTests,
    work,
    now,
  }: { application: number; pendingTests: number; work: OpenWork; now: number },
): RunWait[] {
  const found = new Map<string, Endpoint>();
  const add = (endpoint: Endpoint): void => {
    const key = `${endpoint.kind} ${endpoint.name}`;
    const count = endpoint.count + (found.get(key)?.count ?? 0);
    found.set(key, { ...endpoint, count });
  };
  const { webhookUrl: url } = work;
  if (url !== null && pendingTests > 0)
    add({
      kind: 'WEBHOOK',
      name: shownAddress(url),
      count: pendingTests,
      wait: limits.webhookLimits.waitOf({ application, url }),
    });
  for (const open of work.evals) {
    const endpoint = endpointOf(limits, application, open);
    if (endpoint) add({ ...endpoint, count: open.count });
  }
  return [...found.values()].flatMap((endpoint) =>
    endpoint.wait ? [waitOf(endpoint, endpoint.wait, now)] : [],
  );
}

function endpointOf(
  { judges, scorers }: EndpointLimits,
  application: number,
  { type, config }: OpenWork['evals'][number],
): Omit<Endpoint, 'count'> | null {
  const judgedBy = evaluatorOf(type)?.judgedBy;
  if (judgedBy === 'model') {
    const name = judges.nameFor({ config });
    return name === null ? null : { kind: 'JUDGE', name, wait: judges.waitOf(name) };
  }
  if (judgedBy !== 'scorer') return null;
  const { data } = definitionConfigs.HTTP.safeParse(config);
  return data
    ? { kind: 'SCORER', name: shownAddress(data.url), wait: scorers.waitOf(application, data.url) }
    : null;
}

/** Returns an address without what may be secret. */
function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Describes a wait with a forecast: each eval needs one request or more. */
function waitOf({ kind, name, count }: Endpoint, wait: EndpointWait, now: number): RunWait {
  const { atOnce, pausedMs, ratePerSecond, expectedPerSecond } = wait;
  return {
    kind,
    name,
    waiting: count,
    requestsAtOnce: atOnce,
    pausedUntil: pausedMs > 0 ? isoTime(Math.round(now + pausedMs)) : null,
    requestsPerMinute: ratePerSecond === null ? null : Math.round(ratePerSecond * 600) / 10,
    forecast:
      expectedPerSecond === null
        ? null
        : isoTime(Math.round(now + pausedMs + (count * 1_000) / expectedPerSecond)),
  };
}
