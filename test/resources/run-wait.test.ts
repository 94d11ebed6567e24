import { expect, it } from 'vitest';
import { waitOf } from '../../src/resources/runs/wait.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

it.each([
  [
    'a pause and a rate',
    { judge: 'a', requests: 1, pausedMs: 10_000, ratePerSecond: 0.5 },
    { pausedUntil: '2026-06-01T12:00:10.000Z', requestsPerMinute: 30, forecast: '2026-06-01T12:00:50.000Z' },
  ],
  [
    'a pause without a rate',
    { judge: 'a', requests: 1, pausedMs: 1_500.4, ratePerSecond: null },
    { pausedUntil: '2026-06-01T12:00:01.500Z', requestsPerMinute: null, forecast: null },
  ],
  [
    'fewer requests at once',
    { judge: 'a', requests: 1, pausedMs: 0, ratePerSecond: null },
    { pausedUntil: null, requestsPerMinute: null, forecast: null },
  ],
])('a run that waits for a judge with %s shows what is known', (_what, wait, shown) => {
  expect(waitOf(wait, 20, NOW)).toEqual({ judge: 'a', evals: 20, ...shown });
});
