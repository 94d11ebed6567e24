import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';
import { type Json, quickstartCalls } from './quickstarts-support.ts';

let server: TestServer;
let quickstartId: string;
let uploadId: string;
/** By title. */
let tasks: Map<string, string>;
beforeAll(async () => {
  server = await sharedServer();
  const { call, make } = quickstartCalls(() => server);
  const made = await make('conversations', [
    'conversation_id,role,content,task',
    'c1,system,Be kind,Greet',
    'c1,user,Hello,Greet',
    'c2,user,Good day,Greet',
    'c1,assistant,Hi!,Greet',
    'c3,user,Bye,Part',
    'c4,assistant,Anybody?,',
  ]);
  quickstartId = made.quickstartId;
  uploadId = made.done.id;
  await make('conversations', ['input', 'Of another quickstart']);
  const drafts = await call<{ id: string; title: string }[]>('GET', '/v0/tasks');
  tasks = new Map(drafts.map(({ id, title }) => [title, id]));
});
afterAll(() => server.close());

interface Conversations {
  data: (Json & { id: string; createdAt: string; externalId: string })[];
  pagination: Json;
}

async function list(query = '', id = quickstartId): Promise<Conversations> {
  return server.ok('GET', `/v0/quickstarts/${id}/conversations${query}`);
}

const namesOf = ({ data }: Conversations): string[] => data.map(({ externalId }) => externalId).toSorted();

describe('GET /v0/quickstarts/{id}/conversations', () => {
  it('tells all that was said, in order, and the task that was made of it', async () => {
    const { data } = await list();
    const whole = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      quickstartId,
      uploadId,
    };
    const turns = (...said: string[]): Json[] =>
      said.map((turn) => ({ role: turn.split(': ')[0], content: turn.split(': ')[1] }));
    const [greet, part] = [tasks.get('Greet'), tasks.get('Part')];
    expect(data.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))).toEqual([
      {
        ...whole,
        externalId: 'c1',
        taskId: greet,
        turns: turns('system: Be kind', 'user: Hello', 'assistant: Hi!'),
      },
      { ...whole, externalId: 'c2', taskId: greet, turns: turns('user: Good day') },
      { ...whole, externalId: 'c3', taskId: part, turns: turns('user: Bye') },
      { ...whole, externalId: 'c4', taskId: null, turns: turns('assistant: Anybody?') },
    ]);
  });

  it.each<[query: () => string, names: string[]]>([
    [() => `?taskId=${tasks.get('Greet')}`, ['c1', 'c2']],
    [() => `?taskId=${tasks.get('Greet')},${tasks.get('Part')}`, ['c1', 'c2', 'c3']],
    [() => `?taskId=${tasks.get('Of another quickstart')}`, []],
    [() => `?taskId=${randomUUID()}`, []],
  ])('%# are those of these tasks', async (query, names) => {
    const found = await list(query());
    expect(namesOf(found)).toEqual(names);
    expect(found.pagination).toEqual({
      skip: 0,
      limit: 25,
      total: names.length,
      totalPages: names.length ? 1 : 0,
    });
  });
});

it('makes the first answer of a conversation what is expected of its example', async () => {
  const { call, make } = quickstartCalls(() => server);
  const expectedBy = async (lines: readonly string[]): Promise<Json> => {
    const { quickstartId: of } = await make('conversations', lines);
    const made = await call<{ id: string }[]>('GET', `/v0/tasks?quickstartId=${of}`);
    const lists = await Promise.all(
      made.map(({ id }) => call<Json[]>('GET', `/v0/tasks/${id}/examples?limit=100`)),
    );
    return Object.fromEntries(lists.flat().map((one) => [String(one['input']), one['expected']]));
  };
  expect(
    await expectedBy([
      'task,input,output',
      'T,Hello,Hi!',
      'T,Bye,',
      'T,Bye,Too late',
      'T,Hello,Not the first',
    ]),
  ).toEqual({ Hello: 'Hi!', Bye: null });
  const messages = [
    'conversation_id,role,content,task',
    'c1,system,Be kind,T',
    'c1,user,Where?,T',
    'c2,user,When?,T',
    'c1,assistant,Here.,T',
    'c1,assistant,Or there.,T',
    'c2,user,Please?,T',
    'c2,assistant,Answers the second question.,T',
  ];
  expect(await expectedBy(messages)).toEqual({ 'Where?': 'Here.', 'When?': null });
  // More rows than one step takes are between the question and its answer.
  const between = Array.from({ length: 60 }, (_, index) => `d${index},user,Number ${index},T`);
  const far = [
    'conversation_id,role,content,task',
    'c1,user,Where?,T',
    ...between,
    'c1,assistant,Far away.,T',
  ];
  expect(await expectedBy(far)).toMatchObject({ 'Where?': 'Far away.', 'Number 3': null });
});

it('counts in each step what people have decided', async () => {
  const { call, make, send, processed } = quickstartCalls(() => server);
  const { quickstartId: id } = await make('conversations', ['task,input', 'A,1', 'B,2', 'C,3']);
  const policy = await send('title,content,criterion\nP,text,Is kind', {
    quickstartId: id,
    materialType: 'policy',
  });
  await processed((policy.json as { data: { id: string } }).data);
  const of = await call<{ id: string; title: string }[]>('GET', `/v0/tasks?quickstartId=${id}&orderBy=title`);
  await call('PUT', `/v0/tasks/${of[0]?.id}`, { isVerified: true });
  await call('PUT', `/v0/tasks/${of[1]?.id}`, { status: 'ARCHIVED' });
  await call('POST', '/v0/style-guides', {
    quickstartId: id,
    content: [
      { heading: 'Tone', content: 'Kind', approved: true },
      { heading: 'Length', content: 'Short' },
    ],
  });
  expect(await call('GET', `/v0/quickstarts/${id}/steps`)).toEqual([
    { step: 'UPLOAD', total: 2, accepted: 2, rejected: 0 },
    { step: 'TASKS_TOPICS', total: 3, accepted: 1, rejected: 1 },
    { step: 'KNOWLEDGE_BASE', total: 0, accepted: 0, rejected: 0 },
    { step: 'POLICIES', total: 2, accepted: 0, rejected: 0 },
    { step: 'STYLE', total: 2, accepted: 1, rejected: 0 },
  ]);
  expect(of).toHaveLength(3);
});
