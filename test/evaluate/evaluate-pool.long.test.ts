import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppliedDefinition, Verdict } from '../../src/evaluate/evaluator.ts';
import type { Subject } from '../../src/evaluate/subject.ts';
import type { EvaluatePool, EvaluationLimits } from '../../src/evaluate/evaluate-pool.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { loadEvaluatePool } from '../support/build.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

// Its threads start much faster than those of the sources.
const { EvaluatePool: BuiltPool } = await loadEvaluatePool();

const subject = subjectOf({ output: `${'a'.repeat(40)}!` });
const check = (assertion: object, fields: Partial<AppliedDefinition> = {}): AppliedDefinition =>
  appliedDefinition('ASSERT', { assertions: [assertion] }, fields);
const quick = check({ type: 'contains', value: 'a' });
/** Tries every way to part the letters before it finds that none ends the text: 2 to the power of 40. */
const ENDLESS = { type: 'regex', value: '(?=a)^(a+)+$' };
const endlessOf = (definitionId: string, version = 1): AppliedDefinition =>
  check(ENDLESS, { definitionId, version });
const endless = endlessOf('22222222-2222-4222-8222-222222222222');
/** Limits that only a rule which hangs reaches, however long a thread waits for its processor. */
const LONG_LIMITS = { quickMs: 60_000, slowMs: 60_000 };
/** Limits for runaway rules, shorter than those of a server: such a rule occupies a core until its limit. */
const LIMITS = { quickMs: 100, slowMs: 400 };
const tooLong = { status: 'FAILED', reason: 'it took longer than 0.4 seconds' };

let metrics: ReturnType<typeof createMetrics>;
let clock: number;
let elapsed: number;
let pool: EvaluatePool;
const evaluateAll = (
  of: Subject,
  definitions: readonly AppliedDefinition[],
  application = 1,
): Promise<Verdict[]> => pool.evaluateAll({ application, subject: of, definitions });
const newPool = (limits: EvaluationLimits): EvaluatePool =>
  new BuiltPool({ metrics, now: () => clock, elapsed: () => elapsed, limits });
const useLimits = async (): Promise<void> => {
  await pool.close();
  pool = newPool(LIMITS);
};
beforeEach(() => {
  metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error('there is no store')),
    memory: { used: 0, limit: 0 },
  });
  clock = Date.parse('2026-03-01T12:00:00Z');
  elapsed = 0;
  pool = newPool(LONG_LIMITS);
});
afterEach(() => pool.close());

const counted = async (type: string, outcome: string): Promise<number | undefined> =>
  (await metrics.evaluations.get()).values.find(
    ({ labels }) => labels.type === type && labels.outcome === outcome,
  )?.value;

it('judges all rules in their order', async () => {
  const definitions = [
    quick,
    check({ type: 'contains', value: 'b' }),
    appliedDefinition('OUTPUT_MATCH', { type: 'string' }),
    appliedDefinition('FACT', {}),
    check({ type: 'gone' }),
  ];
  expect(await evaluateAll(subject, definitions)).toMatchObject([
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
  expect(await evaluateAll(subject, [])).toEqual([]);
});

it('applies the same definitions to one subject after another, and others in between', async () => {
  const other = check({ type: 'contains', value: 'x' });
  const noA = subjectOf({ output: 'x' });
  const calls: [Subject, AppliedDefinition[], passed: boolean[]][] = [
    [subject, [quick, other], [true, false]],
    [noA, [quick, other], [false, true]],
    [noA, [other], [true]],
    [subject, [other, quick], [false, true]],
    [subject, [quick], [true]],
  ];
  const verdicts = await Promise.all(calls.map(([of, definitions]) => evaluateAll(of, definitions)));
  expect(verdicts).toMatchObject(calls.map(([, , expected]) => expected.map((passed) => ({ passed }))));
});

describe('a pattern that runs forever', () => {
  beforeEach(useLimits);

  it('fails alone: the other rules and the calls that wait get their verdicts', async () => {
    const before = evaluateAll(subject, [quick, endless, quick]);
    const after = evaluateAll(subject, [quick]);
    expect(await before).toMatchObject([{ passed: true }, tooLong, { passed: true }]);
    expect(await after).toMatchObject([{ passed: true }]);
    expect(await counted('ASSERT', 'timeout')).toBe(1);
    expect(await counted('ASSERT', 'completed')).toBe(3);
  });

  it.each<[what: string, definition: AppliedDefinition]>([
    [
      'an extraction',
      appliedDefinition(
        'OUTPUT_MATCH',
        { type: 'string', extract: { pattern: '(?=a)^(a+)+$' } },
        { expected: 'a' },
      ),
    ],
    ['a JSON Schema', check({ type: 'is-json', value: { pattern: '(?=a)^(a+)+$' } })],
  ])('fails %s too, as the last rule of a call', async (_what, definition) => {
    const text = subjectOf({ output: JSON.stringify(`${'a'.repeat(40)}!`) });
    const raw = definition.type === 'ASSERT' ? text : subject;
    expect(await evaluateAll(raw, [quick, definition])).toMatchObject([{ passed: true }, tooLong]);
    expect(await evaluateAll(subject, [quick])).toMatchObject([{ passed: true }]);
  });
});

it('a pattern that takes the linear engine is judged, however often it would backtrack', async () => {
  const text = subjectOf({ output: `${'a'.repeat(20_000)}!` });
  expect(await evaluateAll(text, [check({ type: 'regex', value: '^(a+)+$' })])).toMatchObject([
    { status: 'COMPLETED', passed: false },
  ]);
});

it('takes so many calls and no more, in all and of one application', async () => {
  const of = (application: number): Promise<Verdict[]>[] =>
    Array.from({ length: 128 }, () => evaluateAll(subject, [quick], application));
  const calls = of(1);
  await expect(evaluateAll(subject, [quick], 1)).rejects.toMatchObject({ code: 'unavailable' });
  calls.push(...of(2));
  await expect(evaluateAll(subject, [quick], 3)).rejects.toMatchObject({ code: 'unavailable' });
  expect((await Promise.all(calls)).flat()).toHaveLength(256);
  expect(await evaluateAll(subject, [quick], 3)).toHaveLength(1);
});

describe('applications that share the threads', () => {
  it('take turns: a neighbour with quick rules ends before the runaway rules of another', async () => {
    await useLimits();
    const ended: string[] = [];
    const begin = (
      name: string,
      definitions: readonly AppliedDefinition[],
      application: number,
    ): Promise<unknown> => evaluateAll(subject, definitions, application).then(() => ended.push(name));
    const runaways = Array.from({ length: 3 }, () => begin('runaway', [endless], 1));
    const neighbours = Array.from({ length: 20 }, () => begin('neighbour', [quick, quick], 2));
    await Promise.all([...runaways, ...neighbours]);
    // The first run of the runaway rule occupies the thread of quick rules, and on a busy machine it may be the first to end.
    const before = ended.slice(0, ended.lastIndexOf('neighbour')).filter((name) => name === 'runaway');
    expect(before.length).toBeLessThanOrEqual(1);
  });

  it('take turns by the time they use, not by the number of their calls', async () => {
    const long = check({ type: 'levenshtein', value: 'b'.repeat(5_000) });
    const text = subjectOf({ output: 'c'.repeat(20_000) });
    const ended: string[] = [];
    const begin = (
      name: string,
      of: Subject,
      definitions: readonly AppliedDefinition[],
      application: number,
    ) => evaluateAll(of, definitions, application).then(() => ended.push(name));
    // What is loaded by a first run is loaded now.
    await Promise.all([evaluateAll(text, [long], 3), evaluateAll(subject, [quick], 3)]);
    const slow = Array.from({ length: 10 }, () => begin('long', text, [long, long, long], 1));
    const short = Array.from({ length: 10 }, () => begin('short', subject, [quick], 2));
    await Promise.all([...slow, ...short]);
    expect(ended.slice(0, 10).filter((name) => name === 'short').length).toBeGreaterThanOrEqual(9);
  });

  it('have the time counted that calls wait for their turn', async () => {
    await evaluateAll(subject, [quick]);
    const text = await metrics.evaluationWaitSeconds.get();
    expect(text.values.find(({ metricName }) => metricName?.endsWith('_count'))?.value).toBe(1);
  });
});

describe('a rule that timed out three times within an hour', () => {
  beforeEach(useLimits);

  const suspended = /^The definition "ASSERT" \(version 1\) is suspended until 2026-03-01T13:00:00.000Z: /;
  const statusOf = async (definition: AppliedDefinition, application = 1): Promise<string> => {
    const [verdict] = await evaluateAll(subject, [definition], application);
    return verdict?.status === 'FAILED' ? verdict.reason : 'judged';
  };

  it('is suspended: it fails at once with the reason, and other rules run', async () => {
    for (const _ of [1, 2, 3]) expect(await statusOf(endless)).toBe(tooLong.reason);
    expect(await evaluateAll(subject, [quick, endless, quick])).toMatchObject([
      { passed: true },
      { status: 'FAILED', reason: expect.stringMatching(suspended) as string },
      { passed: true },
    ]);
    expect(await counted('ASSERT', 'suspended')).toBe(1);
    expect(await metrics.text()).toMatch(/^touchstone_suspended_definitions 1$/m);

    // A new version may run, and so may the same definition of another application.
    const { definitionId } = endless;
    expect(await statusOf(check({ type: 'contains', value: 'a' }, { definitionId, version: 2 }))).toBe(
      'judged',
    );
    expect(await statusOf(check({ type: 'contains', value: 'a' }, { definitionId }), 2)).toBe('judged');

    // After an hour it is retried, also when the wall clock was set back.
    clock -= 86_400_000;
    elapsed += 3_600_000;
    expect(await metrics.text()).toMatch(/^touchstone_suspended_definitions 0$/m);
    expect(await statusOf(endless)).toBe(tooLong.reason);
  });

  it('is suspended for calls that were waiting too', async () => {
    const calls = Array.from({ length: 6 }, () => evaluateAll(subject, [endless]));
    const reasons = (await Promise.all(calls)).map(([verdict]) =>
      verdict?.status === 'FAILED' && suspended.test(verdict.reason) ? 'suspended' : verdict,
    );
    expect(reasons).toEqual([tooLong, tooLong, tooLong, 'suspended', 'suspended', 'suspended']);
  });
});

describe('checks of an example that time out', () => {
  beforeEach(useLimits);
  const DEFINITION = '33333333-3333-4333-8333-333333333333';
  const withChecks = (own: object, checks: AppliedDefinition['checks']): AppliedDefinition =>
    check(own, { definitionId: DEFINITION, checks });
  const HAS_A = { type: 'contains', value: 'a' };
  const reasonOf = async (definition: AppliedDefinition): Promise<string> => {
    const [verdict] = await evaluateAll(subject, [definition]);
    return verdict?.status === 'FAILED' ? verdict.reason : 'judged';
  };

  it('suspend the definition for this example only', async () => {
    const slow = (): AppliedDefinition => withChecks(HAS_A, [HAS_A, ENDLESS]);
    for (const _ of [1, 2, 3]) expect(await reasonOf(slow())).toBe(tooLong.reason);
    expect(await reasonOf(slow())).toMatch(
      /^The definition "ASSERT" \(version 1\) is suspended until 2026-03-01T13:00:00.000Z for this example: /,
    );
    expect(await reasonOf(withChecks(HAS_A, [HAS_A]))).toBe('judged');
    expect(await reasonOf(withChecks(HAS_A, undefined))).toBe('judged');
  });

  it('do not hide that the checks of the definition do', async () => {
    for (const value of ['a', 'b', 'c'])
      expect(await reasonOf(withChecks(ENDLESS, [{ type: 'contains', value }]))).toBe(tooLong.reason);
    expect(await reasonOf(withChecks(ENDLESS, [{ type: 'contains', value: 'd' }]))).toMatch(
      /is suspended until 2026-03-01T13:00:00.000Z: /,
    );
  });
});

it('calls `onBegin` before the first rule runs, and not while the call waits', async () => {
  const order: string[] = [];
  const begin = (name: string): Promise<unknown> =>
    pool
      .evaluateAll({
        application: 1,
        subject,
        definitions: [quick],
        onBegin: async () => {
          order.push(`${name} begins`);
          await Promise.resolve();
        },
      })
      .then(() => order.push(`${name} ended`));
  await Promise.all([begin('first'), begin('second')]);
  expect(order).toEqual(['first begins', 'first ended', 'second begins', 'second ended']);
  const failing = {
    application: 1,
    subject,
    definitions: [quick],
    onBegin: () => Promise.reject(new Error('no')),
  };
  await expect(pool.evaluateAll(failing)).rejects.toThrow('no');
});

it('when closed rejects what waits and what arrives', async () => {
  const calls = [evaluateAll(subject, [endless]), evaluateAll(subject, [quick])];
  const ended = Promise.allSettled(calls);
  await pool.close();
  for (const outcome of await ended)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  await expect(evaluateAll(subject, [quick])).rejects.toMatchObject({ code: 'unavailable' });
  await pool.close();
});
