import { createHistogram } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { takeLag } from '../../src/runtime/event-loop-lag.ts';

it.each<[what: string, times: readonly number[], p99: number, max: number]>([
  ['nothing was measured', [], 0, 0],
  ['all timers ran on time', [20, 20, 20], 0, 0],
  ['a timer ran early', [19], 0, 0],
  ['one of many ran late', [...Array<number>(199).fill(20), 520], 0, 0.5],
  ['all ran late', [30, 30, 30], 0.01, 0.01],
])('the delay of the main thread when %s', (_what, times, p99, max) => {
  const histogram = createHistogram();
  for (const time of times) histogram.record(time * 1e6);
  const lag = takeLag(histogram);
  expect(lag.p99).toBeCloseTo(p99, 3);
  expect(lag.max).toBeCloseTo(max, 3);
  expect(histogram.count).toBe(0);
});
