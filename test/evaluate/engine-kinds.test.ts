import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { evaluateKinds } from '../../src/evaluate/engine/engine.ts';
import type { EndedEval } from '../../src/evaluate/engine/finish.ts';
import type { EvaluatePool } from '../../src/evaluate/evaluate-pool.ts';
import type { AppliedDefinition, Verdict } from '../../src/evaluate/evaluator.ts';
import { openJudges, judgeOf } from '../support/judges.ts';
import { useStore } from '../support/storage.ts';

const { database } = useStore();
const unused = (): Promise<never> => Promise.reject(new Error('it is not asked for'));

it('there is a queue for each judge, one for what none judges, one for scorers, and no application takes all of any', () => {
  const judges = openJudges(database(), [
    judgeOf('http://127.0.0.1:1', { concurrency: 1 }),
    judgeOf('http://127.0.0.1:1', { name: 'second', concurrency: 5 }),
  ]);
  const { metrics } = judges;
  const evaluatePool = { evaluateAll: unused };
  const options = { read: unused, write: unused, score: unused, evaluatePool, judges, metrics };
  const kinds = evaluateKinds({ ...options, now: Date.now });
  expect(Object.keys(kinds)).toEqual(['evaluate', 'judge', 'score', 'judge:first', 'judge:second']);
  // Fewer would leave a judge idle when one application alone has evals.
  for (const [name, concurrency] of [
    ['judge:first', 1],
    ['judge:second', 5],
  ] as const)
    expect(kinds[name]?.perApplication).toBeGreaterThan(concurrency);
  for (const { total, perApplication } of Object.values(kinds)) expect(perApplication).toBeLessThan(total);
});

it('the latency of rules begins with their turn, and the wall clock has no part in it', async () => {
  const judges = openJudges(database(), []);
  const { metrics } = judges;
  let elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  const evaluatePool: Pick<EvaluatePool, 'evaluateAll'> = {
    evaluateAll: async ({ onBegin }) => {
      elapsed += 5_000;
      await onBegin?.();
      elapsed += 12.4;
      return [{ status: 'SKIPPED', reason: 'a test' }];
    },
  };
  const definition = { type: 'ASSERT' };
  const work = {
    subject: {},
    changed: [],
    deterministic: [{ id: 'eval', definition, inputHash: '' }],
    notApplicable: [],
    withoutEvidence: [],
    judged: [],
  };
  const ended: unknown[] = [];
  let clock = 1_800_000_000_000;
  const kinds = evaluateKinds({
    read: (async () => [work]) as never,
    write: (async (_name: string, args: { ended: unknown[] }) => void ended.push(...args.ended)) as never,
    evaluatePool,
    judges,
    score: unused,
    metrics,
    now: () => (clock -= 3_600_000),
  });
  const job = { id: 1, application: 1, kind: 'evaluate', key: randomUUID(), attempt: 1, cuts: 0 };
  const progress = { waits: async () => undefined, begins: async () => undefined, ends: () => undefined };
  await kinds['evaluate']?.run(job, new AbortController().signal, progress);
  vi.restoreAllMocks();
  expect(ended).toMatchObject([{ id: 'eval', by: { latencyMs: 12 } }]);
});

it.each([
  ['many evals', 1_200, 10, [200, 200, 200, 200, 200, 200]],
  ['evals by long definitions', 25, 200_000, [11, 11, 3]],
  ['no eval', 0, 10, [0]],
])(
  '%s that have ended are stored by commands of bounded work, and the job is done by the last one',
  async (...[, count, size, sizes]) => {
    const definition = { type: 'ASSERT', config: { text: 'x'.repeat(size) } } as unknown as AppliedDefinition;
    const deterministic = Array.from({ length: count }, (_, id) => ({
      id: `${id}`,
      definition,
      inputHash: '',
    }));
    const verdict: Verdict = { status: 'SKIPPED', reason: 'It is a test.' };
    const calls: [name: string, ids: string[]][] = [];
    const judges = openJudges(database(), [judgeOf('http://127.0.0.1:1')]);
    const kinds = evaluateKinds({
      read: (async () => [
        { subject: {}, deterministic, judged: [], notApplicable: [], withoutEvidence: [], changed: [] },
      ]) as never,
      write: (async (name: string, { ended }: { ended: EndedEval[] }) =>
        calls.push([name, ended.map(({ id }) => id)])) as never,
      evaluatePool: { evaluateAll: async () => deterministic.map(() => verdict) },
      judges,
      score: unused,
      metrics: judges.metrics,
      now: () => 1,
    });
    const job = { id: 1, application: 1, kind: 'evaluate', key: randomUUID(), attempt: 1, cuts: 0 };
    const progress = { waits: async () => undefined, begins: async () => undefined, ends: () => undefined };
    await kinds['evaluate']?.run(job, new AbortController().signal, progress);
    expect(calls.map(([, ids]) => ids.length)).toEqual(sizes);
    expect(calls.flatMap(([, ids]) => ids)).toEqual(deterministic.map(({ id }) => id));
    expect(calls.map(([name]) => name)).toEqual([...sizes.slice(1).map(() => 'endEvals'), 'finishEvalWork']);
  },
);
