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
