import type { Metrics } from '../runtime/metrics.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { Replicas } from '../storage/replicas.ts';
import type { KeyCalls, RateLimit } from './rate-limit.ts';

/** Interval at which other processes hear of calls. */
const REPORT_MS = 1_000;
/** Keys of one report, so that it fits a notice. */
const MAX_REPORTED = 100;

interface ShareOptions {
  limit: RateLimit;
  replicas: Pick<Replicas, 'publish' | 'subscribe'>;
  metrics: Pick<Metrics, 'foreignCalls'>;
}

/**
 * Makes the calls of a key at all processes count together. No call waits for that: what one process lets through reaches
 * the others a second later.
 */
export function shareRateLimit({ limit, replicas, metrics }: ShareOptions): Ticker {
  replicas.subscribe('calls', (text) => {
    for (const calls of readCalls(text)) {
      limit.charge(calls);
      metrics.foreignCalls.inc(calls.calls);
    }
  });
  return startTicker(REPORT_MS, async () => {
    const reported = limit.report(MAX_REPORTED);
    if (reported.length > 0) replicas.publish('calls', callsText(reported));
  });
}

const callsText = (reported: readonly KeyCalls[]): string =>
  reported.map(({ keyId, calls }) => `${keyId}=${calls}`).join(' ');

/** Reads a report; what is none is left out. */
const readCalls = (text: string): KeyCalls[] =>
  text
    .split(' ')
    .map((one) => ({ keyId: one.slice(0, one.indexOf('=')), calls: Number(one.slice(one.indexOf('=') + 1)) }))
    .filter(({ keyId, calls }) => keyId !== '' && Number.isSafeInteger(calls) && calls > 0);
