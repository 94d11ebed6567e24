import { describe, expect, it } from 'vitest';
import { type RequestOutcome, RequestPace, type StartedRequest } from '../../src/runtime/request-pace.ts';

/** Decides about a request that arrives at a time: null to answer it, else the rejection. */
type Quota = (at: number) => (RequestOutcome & { kind: 'busy' }) | null;

const busy = (delayMs: number | null): RequestOutcome & { kind: 'busy' } => ({ kind: 'busy', delayMs });

/** A bucket that holds `burst` requests and is refilled `perSecond`. */
function bucket(perSecond: number, burst: number, delayOf: (lackingMs: number) => number | null): Quota {
  let [level, at] = [burst, 0];
  return (now) => {
    level = Math.min(burst, level + ((now - at) * perSecond) / 1_000);
    at = now;
    if (level < 1) return busy(delayOf(((1 - level) * 1_000) / perSecond));
    level -= 1;
    return null;
  };
}

/** A window that takes `count` requests. */
function window(count: number, lengthMs: number, isNamed: boolean): Quota {
  let [since, used] = [0, 0];
  return (now) => {
    if (now - since >= lengthMs) [since, used] = [now - (now % lengthMs), 0];
    used += 1;
    return used > count ? busy(isNamed ? since + lengthMs - now : null) : null;
  };
}

/** Sends requests through a pace, in simulated time, each answered after `latencyMs`; returns the answers per second. */
function simulate(quota: Quota, latencyMs: number, durationMs: number, fromMs: number): number {
  const pace = new RequestPace({ most: 8, maxWaitMs: 3_600_000 });
  const running: { started: StartedRequest; end: number; outcome: RequestOutcome }[] = [];
  let [now, answered] = [0, 0];
  while (now < durationMs) {
    while (pace.startsAt(now) === 0) {
      const rejection = quota(now);
      const outcome = rejection ?? { kind: 'answered', ms: latencyMs, timeoutMs: 60_000, pauseMs: null };
      running.push({ started: pace.start(now), end: now + (rejection ? 1 : latencyMs), outcome });
    }
    running.sort((one, other) => one.end - other.end);
    const [next] = running;
    const at = pace.startsAt(now);
    if (next && next.end <= at) {
      running.shift();
      now = Math.max(now, next.end);
      if (next.outcome.kind === 'answered' && now >= fromMs) answered += 1;
      pace.end(next.started, next.outcome, now);
    } else now = at;
  }
  return (answered * 1_000) / (durationMs - fromMs);
}

describe('a quota', () => {
  it.each<[what: string, quota: () => Quota, perSecond: number]>([
    ['refilled all the time, with its delay', () => bucket(5, 10, (ms) => ms), 5],
    [
      'refilled all the time, with its delay in whole seconds',
      () => bucket(5, 10, (ms) => Math.ceil(ms / 1_000) * 1_000),
      5,
    ],
    ['refilled all the time, without a delay', () => bucket(5, 10, () => null), 5],
    ['without any reserve, without a delay', () => bucket(10, 1, () => null), 10],
    ['refilled slowly', () => bucket(0.5, 3, (ms) => ms), 0.5],
    ['of a minute, with its delay', () => window(60, 60_000, true), 1],
    ['of ten seconds, without a delay', () => window(50, 10_000, false), 5],
  ])('%s is used almost completely', (_what, quota, perSecond) => {
    for (const latencyMs of [50, 900])
      expect(simulate(quota(), latencyMs, 600_000, 120_000)).toBeGreaterThan(0.85 * perSecond);
  });
});

describe('an endpoint', () => {
  const answered = (ms: number): RequestOutcome => ({
    kind: 'answered',
    ms,
    timeoutMs: 60_000,
    pauseMs: null,
  });
  const atOnce = (outcomes: readonly RequestOutcome[]): number => {
    const pace = new RequestPace({ most: 8, maxWaitMs: 1_000 });
    let now = 0;
    for (const outcome of outcomes) pace.end(pace.start(now), outcome, (now += 1));
    return pace.state(now).atOnce;
  };
  it.each<[what: string, outcomes: readonly RequestOutcome[], atOnce: number]>([
    ['that answers quickly has all requests that are allowed', [answered(10)], 8],
    ['that times out has half of them', [{ kind: 'timeout' }], 4],
    ['that times out twice has a quarter of them', [{ kind: 'timeout' }, { kind: 'timeout' }], 2],
    ['that answers slowly has one fewer', [answered(50_000)], 7],
    ['that rejects without a delay has one fewer', [busy(null)], 7],
    ['that rejects with a delay has as many', [busy(10)], 8],
    ['that rejects twice in a row has one, which tries it', [busy(10), busy(10)], 1],
    ['that answers again has as many as before', [busy(10), busy(10), answered(10)], 8],
    [
      'that answers quickly after a time-out has more again',
      [{ kind: 'timeout' }, ...Array<RequestOutcome>(40).fill(answered(10))],
      8,
    ],
  ])('%s', (_what, outcomes, expected) => {
    expect(atOnce(outcomes)).toBe(expected);
  });

  it('that rejects several requests of one moment is slowed down once', () => {
    const pace = new RequestPace({ most: 8, maxWaitMs: 1_000 });
    const started = [1, 2, 3].map(() => pace.start(0));
    for (const one of started) pace.end(one, { kind: 'timeout' }, 5);
    expect(pace.state(5).atOnce).toBe(4);
  });

  it('gets nothing during the delay that it names, and longer ones the more often it rejects without one', () => {
    const pace = new RequestPace({ most: 8, maxWaitMs: 3_600_000 });
    pace.end(pace.start(0), busy(1_500), 10);
    expect(pace.startsAt(11)).toBe(1_510);
    pace.end(pace.start(2_000), busy(null), 2_000);
    expect(pace.startsAt(2_000)).toBe(3_000);
    pace.end(pace.start(3_000), busy(null), 3_000);
    expect(pace.startsAt(3_000)).toBe(5_000);
  });

  it('gets nothing until the limit is reset that its answer reports as used up', () => {
    const pace = new RequestPace({ most: 8, maxWaitMs: 1_000 });
    pace.end(pace.start(0), { kind: 'answered', ms: 1, timeoutMs: 100, pauseMs: 700 }, 1);
    expect(pace.startsAt(1)).toBe(701);
  });

  it('that only rejects is no longer waited for after the longest wait', () => {
    const pace = new RequestPace({ most: 8, maxWaitMs: 1_000 });
    pace.end(pace.start(0), busy(100), 0);
    expect(pace.isGivenUp(999)).toBe(false);
    expect(pace.isGivenUp(1_000)).toBe(true);
    pace.end(pace.start(1_000), { kind: 'answered', ms: 1, timeoutMs: 100, pauseMs: null }, 1_001);
    expect(pace.isGivenUp(5_000)).toBe(false);
  });
});
