import { afterEach, describe, expect, it } from 'vitest';
import type { JudgedEvaluator } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { judgeOf, openJudges, waitingEval } from '../../support/judges.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { useStore } from '../../support/storage.ts';

const { database, newTenant } = useStore();

const YES = '{"rationale":"polite","verdict":"yes"}';
const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };

const standIns: StandInJudge[] = [];
afterEach(async () => {
  for (const started of standIns.splice(0)) await started[Symbol.asyncDispose]();
});

/** Judges by a judge that responds so, and then with yes; returns the eval and the number of requests. */
async function judgedBy(first: JudgeBehaviour) {
  const model = await startStandInJudge((_request, index) =>
    index === 0 ? first : { say: JSON.parse(YES) as object },
  );
  standIns.push(model);
  const judges = openJudges(database(), [judgeOf(model.openAi)]);
  const { verdict, record } = await judges.evaluate(
    appliedDefinition('CUSTOM'),
    subjectOf(),
    evaluatorOf('CUSTOM') as JudgedEvaluator,
    waitingEval(newTenant()),
    { signal: new AbortController().signal },
  );
  return { verdict, record, requests: model.requests.length };
}

const responds = (body: unknown, status = 200, headers: Record<string, string> = {}): JudgeBehaviour => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});

const completion = (message: object, finish = 'stop', more: object = {}): JudgeBehaviour =>
  responds({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'stub-1',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: USAGE,
    ...more,
  });

describe('a response without an answer', () => {
  it.each<[what: string, behaviour: JudgeBehaviour, reason: RegExp]>([
    [
      'was truncated while reasoning',
      completion({ content: '', reasoning_content: 'hmm hmm' }, 'length'),
      /^judge_bad_answer: .* truncated .* still reasoning; raise maxOutputTokens/,
    ],
    [
      'was truncated',
      completion({ content: '{"rationale":"It' }, 'length'),
      /truncated .* raise maxOutputTokens/,
    ],
    [
      'was truncated, as a gateway names it',
      completion({ content: '{"rationale":"It' }, 'MAX_TOKENS'),
      /truncated .* raise maxOutputTokens/,
    ],
    [
      'was truncated at the end of the context',
      completion({ content: '' }, 'model_context_window_exceeded'),
      /truncated at the end of the context .* with a larger one/,
    ],
    ['was filtered by Google', completion({ content: '' }, 'SAFETY'), /the content filter of the endpoint/],
    [
      'was filtered by Azure before it began',
      responds({ error: { code: 'content_filter', message: 'The prompt was filtered.' } }, 400),
      /content filter of the endpoint blocked the request/,
    ],
    [
      'says by a failure that the texts are too long',
      responds({ error: 'Trying to keep the first 5000 tokens when context the overflows.' }, 500),
      /longer than the context of the model/,
    ],
    [
      'declines',
      completion({ content: null, refusal: "I can't help." }),
      /the model declined to answer: I can't help\./,
    ],
    ['was filtered', completion({ content: '' }, 'content_filter'), /the content filter of the endpoint/],
    [
      'is a tool call',
      completion(
        { content: null, tool_calls: [{ id: '1', function: { name: 'search', arguments: '{"q":1}' } }] },
        'tool_calls',
      ),
      /called a tool in place of an answer; set structuredOutput/,
    ],
    [
      'is a tool call that the endpoint does not name',
      completion({
        content: null,
        tool_calls: [{ id: '1', function: { name: 'search', arguments: '{"q":1}' } }],
      }),
      /called a tool in place of an answer; set structuredOutput/,
    ],
    [
      'is only reasoning',
      completion({ content: '', reasoning_content: 'hmm' }),
      /only reasoning and no answer/,
    ],
    [
      'is streamed',
      responds('data: {"choices":[]}\n\ndata: [DONE]\n', 200, { 'content-type': 'text/event-stream' }),
      /^judge_bad_answer: the endpoint streams its response/,
    ],
    [
      'is an error of a wrong key inside a 200',
      responds({ error: { message: 'No auth', code: 401 } }),
      /^judge_refused: the endpoint responded with 401: No auth/,
    ],
    [
      'says that the texts are too long',
      responds({ error: { message: "This model's maximum context length is 8192 tokens" } }, 400),
      /^judge_refused: .* longer than the context of the model/,
    ],
  ])('that %s is named, and not paid for again', async (_what, behaviour, reason) => {
    const { verdict, requests } = await judgedBy(behaviour);
    expect(verdict).toEqual({ status: 'FAILED', reason: expect.stringMatching(reason) as string });
    expect(requests).toBe(1);
  });
});

it.each([
  ['a code', { code: 429, message: 'rate limit' }],
  ['the type of vLLM', { object: 'error', message: 'rate limit', type: 'RateLimit', code: 429 }],
])('a 200 that is itself an error, with %s, is retried', async (_what, body) => {
  const { verdict, requests } = await judgedBy(responds(body));
  expect(verdict).toMatchObject({ status: 'COMPLETED', passed: true });
  expect(requests).toBe(2);
});

it('a request that exceeds the quota of a minute by itself is not repeated', async () => {
  const message =
    'Request too large for gpt-4o on tokens per min (TPM): Limit 3000, Requested 3400. The input or output tokens must be reduced in order to run successfully.';
  const { verdict, requests } = await judgedBy(responds({ error: { message } }, 429));
  expect(verdict).toMatchObject({
    status: 'FAILED',
    reason: expect.stringMatching(/exceed the quota of a minute/) as string,
  });
  expect(requests).toBe(1);
});

it('an error inside a 200 that passes is retried', async () => {
  const error = { message: 'Provider returned error', code: 429, metadata: { raw: 'Too Many Requests' } };
  const { verdict, requests } = await judgedBy(responds({ id: null, choices: null, usage: null, error }));
  expect(verdict).toMatchObject({ status: 'COMPLETED', passed: true });
  expect(requests).toBe(2);
});

describe('a response in another form', () => {
  it.each<[what: string, behaviour: JudgeBehaviour]>([
    ['whose content is an object', completion({ content: JSON.parse(YES) as object })],
    ['whose content has parts', completion({ content: [{ type: 'text', text: YES }] })],
    [
      'whose answer is in a tool call',
      completion(
        { content: null, tool_calls: [{ id: '1', function: { name: 'json', arguments: YES } }] },
        'tool_calls',
      ),
    ],
    [
      'with a line break in a text',
      completion({ content: '{"rationale":"It is\npolite.","verdict":"yes"}' }),
    ],
    ['that is JSON in a JSON text', completion({ content: JSON.stringify(YES) })],
    ['that is truncated after the answer', completion({ content: YES }, 'length')],
  ])('%s is an answer', async (_what, behaviour) => {
    const { verdict, requests } = await judgedBy(behaviour);
    expect(verdict).toMatchObject({ status: 'COMPLETED', passed: true });
    expect(requests).toBe(1);
  });

  it.each<[what: string, usage: unknown]>([
    ['null', null],
    ['partly null', { prompt_tokens: 100, completion_tokens: null }],
    ['partly missing', { total_tokens: 150 }],
  ])('whose usage is %s has an unknown cost', async (_what, usage) => {
    const { record } = await judgedBy(completion({ content: YES }, 'stop', { usage }));
    expect(record?.repeats).toMatchObject([{ inputTokens: null, outputTokens: null, cost: null }]);
  });
});

describe('a parameter that an error names', () => {
  const rejectedBy = async (message: string, isRejectedAgain: boolean): Promise<readonly string[]> => {
    const rejection = responds({ error: { message } }, 400);
    const model = await startStandInJudge((_request, index) =>
      index === 0 || isRejectedAgain ? rejection : { say: JSON.parse(YES) as object },
    );
    standIns.push(model);
    const judges = openJudges(database(), [judgeOf(model.openAi)]);
    const { record } = await judges.evaluate(
      appliedDefinition('CUSTOM'),
      subjectOf(),
      evaluatorOf('CUSTOM') as JudgedEvaluator,
      waitingEval(newTenant()),
      { signal: new AbortController().signal },
    );
    return record?.parameters.rejected ?? [];
  };

  it('is left out from then on', async () => {
    expect(await rejectedBy("Unsupported value: 'temperature' does not support 0", false)).toEqual([
      'temperature',
    ]);
  });

  it.each<[what: string, message: string, isRejectedAgain: boolean]>([
    ['because it repeats the request', 'Bad request: {"model":"m","temperature":0,"messages":[]}', false],
    ['and the request without it is rejected too', 'temperature, seed or anything', true],
  ])('%s is sent again', async (_what, message, isRejectedAgain) => {
    expect(await rejectedBy(message, isRejectedAgain)).toEqual([]);
  });
});
