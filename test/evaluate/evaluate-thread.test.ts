import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/evaluate/evaluator.ts';
import { EvaluateThread } from '../../src/evaluate/evaluate-thread.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { ruleOf, subjectOf } from '../support/subjects.ts';

const subject = subjectOf({ output: `${'a'.repeat(40)}!` });
const check = (assertion: object): Rule => ruleOf('ASSERT', { assertions: [assertion] });
const quick = check({ type: 'contains', value: 'a' });
/** Tries every way to part the letters before it finds that none ends the text: 2 to the power of 40. */
const endless = check({ type: 'regex', value: '^(a+)+$' });
const tooLong = { status: 'FAILED', reason: 'it took longer than 2 seconds' };

let metrics: ReturnType<typeof createMetrics>;
let thread: EvaluateThread;
beforeEach(() => {
  metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error('there is no store')),
    memory: { used: 0, limit: 0 },
  });
  thread = new EvaluateThread(metrics);
});
afterEach(() => thread.close());

const counted = async (type: string, outcome: string): Promise<number | undefined> =>
  (await metrics.evaluations.get()).values.find(
    ({ labels }) => labels.type === type && labels.outcome === outcome,
  )?.value;

it('judges all rules in their order', async () => {
  const rules = [
    quick,
    check({ type: 'contains', value: 'b' }),
    ruleOf('OUTPUT_MATCH', { type: 'string' }),
    ruleOf('FACT', {}),
    check({ type: 'gone' }),
  ];
  expect(await thread.evaluateAll(subject, rules)).toMatchObject([
    { status: 'COMPLETED', passed: true },
    { status: 'COMPLETED', passed: false },
    { status: 'SKIPPED' },
    { status: 'FAILED', reason: 'FACT is judged by a model' },
    { status: 'FAILED', reason: expect.stringContaining('globalConfig.assertions.0.type') as string },
  ]);
  expect(await counted('ASSERT', 'completed')).toBe(2);
  expect(await counted('ASSERT', 'failed')).toBe(1);
  expect(await counted('OUTPUT_MATCH', 'skipped')).toBe(1);
  const seconds = (await metrics.evaluationSeconds.get()).values;
  expect(seconds.find(({ metricName }) => metricName?.endsWith('_count'))?.value).toBe(3);
});

it('of no rules there is nothing to judge', async () => {
  expect(await thread.evaluateAll(subject, [])).toEqual([]);
});

describe('a pattern that runs for ever', () => {
  it('fails alone: the other rules and the calls that wait get their verdicts', async () => {
    const before = thread.evaluateAll(subject, [quick, endless, quick]);
    const after = thread.evaluateAll(subject, [quick]);
    expect(await before).toMatchObject([{ passed: true }, tooLong, { passed: true }]);
    expect(await after).toMatchObject([{ passed: true }]);
    expect(await counted('ASSERT', 'timeout')).toBe(1);
    expect(await counted('ASSERT', 'completed')).toBe(3);
  }, 20_000);

  it.each<[what: string, rule: Rule]>([
    [
      'an extraction',
      ruleOf('OUTPUT_MATCH', { type: 'string', extract: { pattern: '^(a+)+$' } }, { expected: 'a' }),
    ],
    ['a JSON Schema', check({ type: 'is-json', value: { pattern: '^(a+)+$' } })],
  ])(
    'fails %s too, as the last rule of a call',
    async (_what, rule) => {
      const text = subjectOf({ output: JSON.stringify(`${'a'.repeat(40)}!`) });
      const raw = rule.type === 'ASSERT' ? text : subject;
      expect(await thread.evaluateAll(raw, [quick, rule])).toMatchObject([{ passed: true }, tooLong]);
      expect(await thread.evaluateAll(subject, [quick])).toMatchObject([{ passed: true }]);
    },
    20_000,
  );
});

it('takes so many calls and no more', async () => {
  const calls = Array.from({ length: 256 }, () => thread.evaluateAll(subject, [quick]));
  await expect(thread.evaluateAll(subject, [quick])).rejects.toMatchObject({ code: 'unavailable' });
  expect((await Promise.all(calls)).flat()).toHaveLength(256);
  expect(await thread.evaluateAll(subject, [quick])).toHaveLength(1);
});

it('when closed rejects what waits and what comes', async () => {
  const calls = [thread.evaluateAll(subject, [endless]), thread.evaluateAll(subject, [quick])];
  const ended = Promise.allSettled(calls);
  await thread.close();
  for (const outcome of await ended)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  await expect(thread.evaluateAll(subject, [quick])).rejects.toMatchObject({ code: 'unavailable' });
  await thread.close();
});
