import { expect, it } from 'vitest';
import type { EndpointWait } from '../../src/runtime/endpoint-wait.ts';
import { type OpenWork, waitsOf } from '../../src/resources/runs/wait.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SLOW: EndpointWait = { atOnce: 2, pausedMs: 0, ratePerSecond: null, expectedPerSecond: 0.5 };
const nothing = { webhookUrl: null, evals: [] };

/** Returns what a run waits for when these endpoints do not keep up. */
const shown = (
  slow: { judge?: EndpointWait; scorer?: EndpointWait; webhook?: EndpointWait },
  work: OpenWork,
  pendingTests = 0,
) =>
  waitsOf(
    {
      judges: {
        nameFor: ({ config }) => (config['judge'] as string | undefined) ?? 'main',
        waitOf: (name) => (name === 'main' ? (slow.judge ?? null) : null),
      },
      scorers: { waitOf: () => slow.scorer ?? null },
      webhookLimits: { waitOf: () => slow.webhook ?? null },
    },
    { application: 1, pendingTests, work, now: NOW },
  );

it.each<[string, EndpointWait, object]>([
  [
    'a pause and a rate',
    { atOnce: 4, pausedMs: 10_000, ratePerSecond: 0.5, expectedPerSecond: 0.5 },
    { pausedUntil: '2026-06-01T12:00:10.000Z', requestsPerMinute: 30, forecast: '2026-06-01T12:00:50.000Z' },
  ],
  [
    'a pause without a rate',
    { atOnce: 4, pausedMs: 1_500.4, ratePerSecond: null, expectedPerSecond: null },
    { pausedUntil: '2026-06-01T12:00:01.500Z', requestsPerMinute: null, forecast: null },
  ],
  [
    'fewer requests at once',
    { atOnce: 1, pausedMs: 0, ratePerSecond: null, expectedPerSecond: 2 },
    { pausedUntil: null, requestsPerMinute: null, forecast: '2026-06-01T12:00:10.000Z' },
  ],
])('a run that waits for a judge with %s shows what is known', (_what, judge, fields) => {
  const evals = [
    { type: 'CUSTOM', config: {}, count: 15 },
    { type: 'FACT', config: { judge: 'main' }, count: 5 },
    { type: 'FACT', config: { judge: 'other' }, count: 7 },
    { type: 'ASSERT', config: {}, count: 9 },
  ];
  expect(shown({ judge }, { ...nothing, evals })).toEqual([
    { kind: 'JUDGE', name: 'main', waiting: 20, requestsAtOnce: judge.atOnce, ...fields },
  ]);
});

it('a run says that it waits for its app and for a scorer, by addresses without a query', () => {
  const evals = [{ type: 'HTTP', config: { url: 'https://scorer/a?key=secret' }, count: 3 }];
  const work = { webhookUrl: 'https://app/hook?token=secret', evals };
  const forecast = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
  const fields = { requestsAtOnce: 2, pausedUntil: null, requestsPerMinute: null };
  expect(shown({ scorer: SLOW, webhook: SLOW }, work, 10)).toEqual([
    { kind: 'WEBHOOK', name: 'https://app/hook', waiting: 10, ...fields, forecast: forecast(20) },
    { kind: 'SCORER', name: 'https://scorer/a', waiting: 3, ...fields, forecast: forecast(6) },
  ]);
});

it('a run waits for no endpoint that keeps up, or of which it needs nothing', () => {
  const work = { webhookUrl: 'https://app/hook', evals: [{ type: 'CUSTOM', config: {}, count: 1 }] };
  expect(shown({}, work, 10)).toEqual([]);
  expect(shown({ webhook: SLOW, judge: SLOW, scorer: SLOW }, { ...work, evals: [] })).toEqual([]);
});
