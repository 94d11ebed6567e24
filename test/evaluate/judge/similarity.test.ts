import { afterEach, expect, it } from 'vitest';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import type { AppliedDefinition, JudgedEvaluator } from '../../../src/evaluate/evaluator.ts';
import type { JudgeSettings } from '../../../src/evaluate/judge/settings.ts';
import { cosine } from '../../../src/evaluate/measures/cosine.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { judgeOf, openJudges, SECRET, waitingEval } from '../../support/judges.ts';
import {
  type JudgeBehaviour,
  STAND_IN_TOKENS,
  type StandInJudge,
  startStandInJudge,
} from '../../support/stand-in-judge.ts';
import { useStore } from '../../support/storage.ts';

const { database, newTenant } = useStore();

let model: StandInJudge | null = null;
afterEach(async () => {
  await model?.[Symbol.asyncDispose]();
  model = null;
});

async function compare(
  definition: Partial<AppliedDefinition>,
  {
    subject = {},
    settings = {},
    behaviour = { say: '' },
  }: { subject?: Partial<Subject>; settings?: Partial<JudgeSettings>; behaviour?: JudgeBehaviour } = {},
) {
  model = await startStandInJudge(() => behaviour);
  const embedding = { embeddingModel: 'embed-1', embeddingPrice: 0.02, ...settings };
  const judges = openJudges(database(), [judgeOf(model.openAi, embedding)]);
  return judges.evaluate(
    appliedDefinition('SIMILARITY', definition),
    subjectOf(subject),
    evaluatorOf('SIMILARITY') as JudgedEvaluator,
    waitingEval(newTenant()),
    { signal: new AbortController().signal },
  );
}

it('the output is compared with what is expected by the embeddings of the judge', async () => {
  const { verdict, record } = await compare({ expected: 'silent' }, { subject: { output: 'listen' } });
  expect(verdict).toMatchObject({ status: 'COMPLETED', score: 1, passed: true });
  expect(record).toMatchObject({
    model: 'embed-1',
    repeats: [
      {
        raw: '{"similarities":[1]}',
        inputTokens: STAND_IN_TOKENS.input,
        cost: (STAND_IN_TOKENS.input * 0.02) / 1e6,
      },
    ],
  });
  const [request] = model?.requests ?? [];
  expect(request?.body).toMatchObject({ model: 'embed-1', input: ['listen', 'silent'] });
  expect(request?.headers.authorization).toContain(SECRET);
});

it.each<
  [
    what: string,
    expected: AppliedDefinition['expected'],
    config: Readonly<Record<string, unknown>>,
    verdict: object,
  ]
>([
  ['the best of several counts', ['zzz', 'listen'], {}, { score: 1, results: { similarities: [0, 1] } }],
  ['another text fails', 'zzz', {}, { score: 0, passed: false }],
  // 2 letters of 6 agree: 2 / √(6 · 2)
  ['the threshold is 0.8', 'li', {}, { score: 0.57735026919, passed: false }],
  ['the threshold can be set', 'li', { passThreshold: 0.57 }, { passed: true }],
])('%s', async (_what, expected, config, verdict) => {
  const judged = await compare({ expected, config }, { subject: { output: 'listen' } });
  expect(judged.verdict).toMatchObject(verdict);
});

it.each<[what: string, settings: Partial<JudgeSettings>, expected: string | undefined, reason: string]>([
  [
    'without an embedding model',
    { embeddingModel: null },
    'x',
    'the judge has no embeddingModel in the settings',
  ],
  [
    'without an expected output',
    {},
    undefined,
    'there is no expected output: neither the example nor the link to the task has one',
  ],
])('%s the eval is skipped', async (_what, settings, expected, reason) => {
  const { verdict } = await compare({ expected }, { settings });
  expect(verdict).toEqual({ status: 'SKIPPED', reason });
  expect(model?.requests).toEqual([]);
});

it('an endpoint that rejects the request fails the eval, and long texts are truncated', async () => {
  const behaviour = { status: 400, body: '{"error":{"message":"too long"}}' };
  const { verdict, record } = await compare(
    { expected: 'x' },
    { behaviour, subject: { output: 'y'.repeat(9_000) } },
  );
  expect(verdict).toMatchObject({
    status: 'FAILED',
    reason: expect.stringMatching(/^judge_refused: /) as string,
  });
  expect(record).toMatchObject({ cut: ['output'] });
});

it.each<[a: number[], b: number[], value: number]>([
  [[1, 0], [0, 1], 0],
  [[1, 2], [2, 4], 1],
  [[1, 0], [-1, 0], -1],
  [[0, 0], [1, 1], 0],
])('the cosine of %j and %j is %d', (a, b, value) => {
  expect(cosine(a, b)).toBeCloseTo(value, 12);
});

it('with exampleRubric, the output is compared with the text of the example for this definition alone', async () => {
  const config = { exampleRubric: 'own', passThreshold: 0.9 };
  const output = 'listen';
  const { verdict } = await compare({ config, expected: 'zzz', rubric: 'silent' }, { subject: { output } });
  expect(verdict).toMatchObject({ status: 'COMPLETED', score: 1, passed: true });
  const other = (await compare({ config, expected: 'silent' }, { subject: { output } })).verdict;
  expect(other).toEqual({
    status: 'SKIPPED',
    reason: 'the example has no rubric under the name of the definition',
  });
});
