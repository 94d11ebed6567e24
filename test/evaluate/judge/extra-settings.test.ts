import { afterEach, expect, it } from 'vitest';
import type { JudgedEvaluator } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import type { JudgeSettings } from '../../../src/evaluate/judge/settings.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { judgeOf, openJudges, waitingEval } from '../../support/judges.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { useStore } from '../../support/storage.ts';

const { database, newTenant } = useStore();
const YES = { rationale: 'polite', verdict: 'yes' };

let model: StandInJudge | null = null;
afterEach(async () => {
  await model?.[Symbol.asyncDispose]();
  model = null;
});

async function judged(more: Partial<JudgeSettings>, behaviour: JudgeBehaviour, type = 'CUSTOM') {
  model = await startStandInJudge(() => behaviour);
  const judges = openJudges(database(), [judgeOf(model.openAi, more)]);
  return judges.evaluate(
    { ...appliedDefinition(type), expected: 'polite' },
    subjectOf(),
    evaluatorOf(type) as JudgedEvaluator,
    waitingEval(newTenant()),
    { signal: new AbortController().signal },
  );
}

it('headers, query and fields of the body are added to each question', async () => {
  const body = { reasoning_effort: 'low', temperature: 0.3, user: { id: 1 } };
  const query = { 'api-version': '2024-10-21' };
  const { verdict, record } = await judged(
    { headers: { 'Api-Key': 'azure-secret-1', 'x-team': 'a b' }, query, body, apiKey: null },
    { say: YES },
  );
  expect(verdict).toMatchObject({ status: 'COMPLETED', passed: true });
  expect(model?.requests).toMatchObject([
    {
      path: '/v1/chat/completions?api-version=2024-10-21',
      headers: { 'api-key': 'azure-secret-1', 'x-team': 'a b', 'content-type': 'application/json' },
      body: { ...body, model: 'judge-1' },
    },
  ]);
  expect(record?.parameters).toMatchObject({ query, body });
  expect(JSON.stringify(record)).not.toContain('azure-secret-1');
});

it('embeddings get the headers and the query, but no fields', async () => {
  const more = { query: { v: '1' }, body: { reasoning_effort: 'low' }, embeddingModel: 'e' };
  const { verdict } = await judged(more, { say: '' }, 'SIMILARITY');
  expect(verdict.status).toBe('COMPLETED');
  expect(model?.requests[0]?.path).toBe('/v1/embeddings?v=1');
  expect(model?.requests[0]?.body).not.toHaveProperty('reasoning_effort');
});

it('a header that the endpoint repeats is masked', async () => {
  const said = JSON.stringify({ error: { message: 'wrong key azure-secret-1' } });
  const { verdict } = await judged({ headers: { 'api-key': 'azure-secret-1' } }, { status: 401, body: said });
  expect(verdict).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('wrong key ***') as string,
  });
});
