import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CreateTaskBody } from '../../src/api/generated/schema.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  type JudgeBehaviour,
  type JudgeRequest,
  type StandInJudge,
  startStandInJudge,
} from '../support/stand-in-judge.ts';

let model: StandInJudge;
let behave: (request: JudgeRequest, index: number) => JudgeBehaviour;
let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  model = await startStandInJudge((request, index) => behave(request, index));
  server = await startServer({
    config: { quietMs: 50, orphanQuietMs: 100, promptModel: 'writer', promptBaseUrl: model.openAi },
  });
  app = await startCustomerApp();
  app.behave((_request, response) => response.writeHead(200).end());
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  model.requests.length = 0;
});

interface Listed {
  id: string;
  prompt: string;
  status: string;
  phase: string;
  exampleId: string | null;
  failure: { code: string; message: string } | null;
}

async function newTask(fields: Partial<CreateTaskBody> = {}): Promise<string> {
  const body: CreateTaskBody = {
    title: 'Returns',
    description: 'Questions about returning goods.',
    type: 'NORMAL',
    ...fields,
  };
  return (await server.ok('POST', '/v0/tasks', { body })).task.id;
}

async function trigger(body: object): Promise<string> {
  const { status, text, headers } = await server.call('POST', '/v0/tasks/trigger', { body });
  expect(status, text).toBe(204);
  return headers.get('x-run-ids') ?? '';
}

const testsOf = async (runId: string): Promise<Listed[]> => {
  return (await server.ok('GET', `/v0/tests?runId=${runId}&limit=100`)).data;
};

/** Waits until all tests of a run have a prompt or have ended, and returns the prompts in the order of the alphabet. */
async function promptsOf(runId: string): Promise<string[]> {
  const waiting = async (): Promise<number> =>
    (await testsOf(runId)).filter(({ prompt, status }) => prompt === '' && status !== 'FAILED').length;
  await expect.poll(waiting).toBe(0);
  return (await testsOf(runId)).map(({ prompt }) => prompt).toSorted();
}

const examplesOf = async (taskId: string, status: string): Promise<Record<string, unknown>[]> => {
  return (await server.ok('GET', `/v0/tasks/${taskId}/examples?status=${status}`)).data;
};

/** A model that writes "word 1", "word 2" and so on, as many as each request names. */
const counting = (word: string): typeof behave => {
  let next = 1;
  return ({ messages }) => {
    const [, count] = /number of new prompts\n(\d+)/.exec(messages[0] ?? '') ?? [];
    return { say: { prompts: Array.from({ length: Number(count) }, () => `${word} ${next++}?`) } };
  };
};

describe('tests of a NORMAL task', () => {
  it('send prompts that a model wrote, each its own; a run with the same seed sends the same', async () => {
    behave = counting('Return');
    const taskId = await newTask({ inputExamples: ['May I return a chair?'] });
    const first = await promptsOf(await trigger({ taskIds: [taskId], repeat: 12 }));
    expect(new Set(first).size).toBe(12);
    expect(model.requests.map(({ body }) => body['seed'])).toEqual([0, 0]);
    expect(model.requests[0]?.messages[0]).toContain('Questions about returning goods.');
    expect(model.requests[0]?.messages[0]).toContain('May I return a chair?');
    expect(model.requests[1]?.messages[0]).toContain('Return 3?');

    const again = await trigger({ taskIds: [taskId], repeat: 12 });
    expect(await promptsOf(again)).toEqual(first);
    expect(model.requests).toHaveLength(2);
    const more = await promptsOf(await trigger({ taskIds: [taskId], repeat: 13 }));
    expect(more.filter((prompt) => !first.includes(prompt))).toHaveLength(1);
    expect(await promptsOf(await trigger({ taskIds: [taskId], repeat: 2, promptSeed: 7 }))).not.toContain(
      first[0],
    );
    expect(model.requests.at(-1)?.body['seed']).toBe(7);
  });

  it('are delivered, and know their example and the calls that wrote it', async () => {
    behave = counting('Ticket');
    const taskId = await newTask();
    const runId = await trigger({ taskIds: [taskId], repeat: 2, promptSeed: 3 });
    const prompts = await promptsOf(runId);
    const sent = (): string[] =>
      app.received
        .map(({ body }) => (JSON.parse(body) as { prompt: string }).prompt)
        .filter((one) => one.startsWith('Ticket'));
    await expect.poll(() => sent().toSorted()).toEqual(prompts);
    const tests = await testsOf(runId);
    const written = await examplesOf(taskId, 'WRITTEN');
    expect(new Set(tests.map(({ exampleId }) => exampleId))).toEqual(new Set(written.map(({ id }) => id)));
    expect(await examplesOf(taskId, 'ACTIVE')).toEqual([]);
    const { json } = await server.call('GET', `/v0/runs/${runId}`);
    expect((json as { run: unknown }).run).toMatchObject({ promptSeed: 3 });
    const calls = await server.call('GET', `/v0/runs/${runId}/prompt-calls`);
    expect((calls.json as { data: unknown }).data).toMatchObject([
      { judge: 'promptModel', inputTokens: 1000, request: { system: model.requests[0]?.system }, repeat: 3 },
    ]);
  });

  it('never send a prompt twice, one of an example, or one that does not match the schema', async () => {
    const answers = [
      [{ q: 'a' }, { q: 'A' }, { question: 'b' }, { q: 'known' }],
      [{ q: 'a' }, { q: 'c' }],
    ];
    behave = (_request, index) => ({ say: { prompts: answers[Math.min(index, 1)] ?? [] } });
    const schema = { type: 'object', required: ['q'], properties: { q: { type: 'string' } } };
    const taskId = await newTask({ simulatedPromptSchema: schema, inputExamples: ['{"q":"known"}'] });
    expect(await promptsOf(await trigger({ taskIds: [taskId], repeat: 2 }))).toEqual([
      '{"q":"a"}',
      '{"q":"c"}',
    ]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]?.messages[0]).toContain('"required"');
    expect(model.requests[1]?.messages[0]).toContain("must have required property 'q'");
    const hasObject = ({ body }: { body: string }): boolean =>
      Object.hasOwn(JSON.parse(body) as object, 'promptObject');
    await expect.poll(() => app.received.some(hasObject)).toBe(true);
  });

  it.each<[string, JudgeBehaviour, string]>([
    ['the model repeats itself', { say: { prompts: ['the same'] } }, 'wrote no new prompt'],
    ['the model rejects the request', { status: 401, body: '{"error":{"message":"no"}}' }, 'judge_refused'],
    ['the model writes something else', { say: 'Hello' }, 'judge_bad_answer'],
  ])('fail without counting against the app when %s', async (_what, behaviour, reason) => {
    behave = () => behaviour;
    const runId = await trigger({ taskIds: [await newTask()], repeat: 2 });
    await promptsOf(runId);
    const failed = (await testsOf(runId)).filter(({ status }) => status === 'FAILED');
    expect(failed[0]?.failure).toMatchObject({ code: 'prompt_not_written' });
    expect(failed[0]?.failure?.message).toContain(reason);
    const { json } = await server.call('GET', `/v0/runs/${runId}`);
    expect((json as { run: { result: unknown } }).run.result).toMatchObject({ total: 0, passRate: null });
  });

  it('take no chosen examples', async () => {
    const body = { taskIds: [await newTask({ inputExamples: ['a'] })], examples: {} };
    const { status, text } = await server.call('POST', '/v0/tasks/trigger', { body });
    expect([status, text]).toEqual([409, expect.stringContaining('without `examples`')]);
  });
});

it('a written prompt becomes an example when a person makes it active', async () => {
  behave = counting('Parcel');
  const taskId = await newTask();
  await promptsOf(await trigger({ taskIds: [taskId] }));
  const [written] = await examplesOf(taskId, 'WRITTEN');
  const path = `/v0/tasks/${taskId}/examples/${String(written?.['id'])}`;
  expect((await server.call('PUT', path, { body: { status: 'WRITTEN' } })).status).toBe(422);
  expect((await server.call('PUT', path, { body: { status: 'ACTIVE', expected: 'Yes' } })).status).toBe(200);
  expect(await examplesOf(taskId, 'ACTIVE')).toMatchObject([{ input: 'Parcel 1?', expected: 'Yes' }]);
});
