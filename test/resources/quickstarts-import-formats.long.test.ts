import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { type Json, NOTHING, quickstartCalls } from './quickstarts-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());
const { call, createQuickstart, make, processed, upload } = quickstartCalls(() => server);

interface Stored {
  topics: { id: string; title: string; status: string }[];
  tasks: {
    id: string;
    title: string;
    topic: string | null;
    status: string;
    type: string;
    inputExamples: string[];
  }[];
  conversations: { external_id: string | null; task: string | null; turns: string[] }[];
}

/** What is stored of a quickstart, in the order in which it was made. */
const stored = (quickstartId: string): Stored =>
  besideServer(server.folder, (database) => ({
    topics: database.all(
      'SELECT id, title, status FROM topic WHERE quickstart_id = ? ORDER BY created_at, title',
      quickstartId,
    ),
    tasks: database
      .all<Stored['tasks'][number] & { inputExamples: string }>(
        `SELECT task.id, task.title, topic.title AS topic, task.status, type,
           (SELECT json_group_array(prompt ORDER BY position) FROM example WHERE task_id = task.id) AS inputExamples
         FROM task LEFT JOIN topic ON topic.id = topic_id WHERE task.quickstart_id = ? ORDER BY task.title, topic`,
        quickstartId,
      )
      .map((task) => ({ ...task, inputExamples: JSON.parse(task.inputExamples) as string[] })),
    conversations: database
      .all<Stored['conversations'][number] & { turns: string }>(
        `SELECT external_id, title AS task, (
           SELECT json_group_array(role || ': ' || content ORDER BY id) FROM conversation_turn
           WHERE conversation_id = conversation.id) AS turns
         FROM conversation LEFT JOIN task ON task.id = task_id
         WHERE conversation.quickstart_id = ? ORDER BY turns`,
        quickstartId,
      )
      .map(({ turns, ...row }) => ({ ...row, turns: JSON.parse(turns) as string[] })),
  }));

/** In the order of their contents. */
async function documents(quickstartId: string): Promise<Json[]> {
  const listed = await call<{ id: string }[]>('GET', `/v0/documents?quickstartId=${quickstartId}`);
  const found = await Promise.all(listed.map(({ id }) => call<Json>('GET', `/v0/documents/${id}`)));
  return found.toSorted((a, b) => String(a['content']).localeCompare(String(b['content'])));
}

describe('conversations', () => {
  it('become topics, tasks with examples and conversations', async () => {
    const { quickstartId, done } = await make('conversations', [
      'Topic,Title,Question,Expected Output,Conversation ID,mood',
      'Orders,Track,Where is my order?,On its way,c1,calm',
      'Orders,Track,"When, then?",Tomorrow,c1,calm',
      'Orders,Track,Is it late?,,c2,angry',
      'Orders,Track,Where is my order?,,,calm',
      'Refunds,Track,Where is my money?,,,calm',
      ',,"How  do\nI pay?",By card,,calm',
    ]);
    expect(done.report).toEqual({
      rows: 6,
      created: { ...NOTHING, topics: 2, tasks: 3, inputExamples: 4, conversations: 5 },
      rejected: [],
      rejectedCount: 0,
      unusedColumns: ['mood'],
      startedAt: expect.stringMatching(/Z$/) as string,
      reused: [],
      notCarried: { knownPrompts: 1, promptsBeyondLimit: 0 },
    });
    const { topics, tasks, conversations } = stored(quickstartId);
    expect(topics).toMatchObject([
      { title: 'Orders', status: 'DRAFT' },
      { title: 'Refunds', status: 'DRAFT' },
    ]);
    const draft = { status: 'DRAFT', type: 'STATIC' };
    expect(tasks).toMatchObject([
      { title: 'How do I pay?', topic: null, inputExamples: ['How  do\nI pay?'], ...draft },
      { title: 'Track', topic: 'Orders', inputExamples: ['Where is my order?', 'Is it late?'], ...draft },
      { title: 'Track', topic: 'Refunds', inputExamples: ['Where is my money?'], ...draft },
    ]);
    expect(conversations).toEqual([
      { external_id: null, task: 'How do I pay?', turns: ['user: How  do\nI pay?', 'assistant: By card'] },
      { external_id: 'c2', task: 'Track', turns: ['user: Is it late?'] },
      { external_id: null, task: 'Track', turns: ['user: Where is my money?'] },
      {
        external_id: 'c1',
        task: 'Track',
        turns: [
          'user: Where is my order?',
          'assistant: On its way',
          'user: When, then?',
          'assistant: Tomorrow',
        ],
      },
      { external_id: null, task: 'Track', turns: ['user: Where is my order?'] },
    ]);
    expect(await call('GET', `/v0/tasks/${tasks[0]?.id}`)).toMatchObject({ quickstartId, metadata: {} });
  });

  it('may have one message a row, those of several conversations mixed', async () => {
    const { quickstartId, done } = await make('conversations', [
      'conversation_id;role;content;task',
      'a;system;Be kind;ignored',
      'a;User;Hello;Greet',
      'b;human;Bye;Part',
      'a;assistant;Hi!;Greet',
      'b;ai;See you;Part',
      'b;narrator;They part;Part',
      'b;user;;Part',
      ';user;Lost;Part',
    ]);
    expect(done.report).toEqual({
      rows: 8,
      created: { ...NOTHING, tasks: 2, inputExamples: 2, conversations: 2 },
      rejected: [
        { line: 7, error: 'has an unknown role; it must be one of user, human, assistant, ai, bot, system' },
        { line: 8, error: 'has no content' },
        { line: 9, error: 'has no conversation' },
      ],
      rejectedCount: 3,
      unusedColumns: [],
      startedAt: expect.stringMatching(/Z$/) as string,
      reused: [],
      notCarried: { knownPrompts: 0, promptsBeyondLimit: 0 },
    });
    expect(stored(quickstartId)).toMatchObject({
      tasks: [
        { title: 'Greet', inputExamples: ['Hello'] },
        { title: 'Part', inputExamples: ['Bye'] },
      ],
      conversations: [
        { external_id: 'a', task: 'Greet', turns: ['system: Be kind', 'user: Hello', 'assistant: Hi!'] },
        { external_id: 'b', task: 'Part', turns: ['user: Bye', 'assistant: See you'] },
      ],
    });
  });

  it('continue over batches, and give a task no more examples than it can have', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => [
      `t,prompt ${index},a`,
      `t,more ${index},b`,
    ]).flat();
    const { quickstartId, done } = await make('conversations', ['task,input,conversation', ...rows]);
    expect(done.report.created).toEqual({ ...NOTHING, tasks: 1, inputExamples: 2, conversations: 2 });
    expect(stored(quickstartId).conversations.map(({ turns }) => turns.length)).toEqual([250, 250]);

    const many = await make('conversations', ['task,input', ...rows.map((row) => row.slice(0, -2))]);
    expect(many.done.report.created).toEqual({
      ...NOTHING,
      tasks: 1,
      inputExamples: 100,
      conversations: 500,
    });
    expect(many.done.report).toMatchObject({
      reused: [],
      notCarried: { knownPrompts: 0, promptsBeyondLimit: 400 },
    });
    expect(stored(many.quickstartId).tasks[0]?.inputExamples).toHaveLength(100);
  });

  it('leave a task whose prompts are objects as it is', async () => {
    const quickstartId = await createQuickstart();
    const simulatedPromptSchema = { type: 'object' };
    const made = { title: 'Track', type: 'STATIC', quickstartId, simulatedPromptSchema };
    const { id } = await call<{ id: string }>('POST', '/v0/tasks', made);
    const file = 'task,input\nTrack,{"n": 1e999}\nTrack,Where is it?';
    const done = await processed(await upload(file, { quickstartId }));
    expect(done).toMatchObject({ status: 'COMPLETED', report: { rejectedCount: 0 } });
    expect(stored(quickstartId).tasks.map((task) => [task.id === id, task.inputExamples])).toEqual(
      expect.arrayContaining([
        [true, []],
        [false, ['{"n": 1e999}', 'Where is it?']],
      ]),
    );
  });

  it('leave out rows that make no sense, each by itself, and tell the first hundred', async () => {
    const long = 'x'.repeat(257);
    const bad = Array.from({ length: 150 }, () => 't,');
    const { quickstartId, done } = await make('conversations', [
      'task,input,topic',
      `${long},Hi,Fresh`,
      `ok,Hi,${long}`,
      'ok,Hi,',
      'ok,Hi',
      `ok,${'x'.repeat(200_001)},`,
      ...bad.map((row) => `${row},`),
    ]);
    expect(done.status).toBe('COMPLETED');
    expect(done.report).toMatchObject({ rows: 155, rejectedCount: 154 });
    expect(done.report.created).toEqual({ ...NOTHING, tasks: 1, inputExamples: 1, conversations: 1 });
    expect(done.report.rejected).toHaveLength(100);
    expect(done.report.rejected.slice(0, 5)).toEqual([
      { line: 2, error: expect.stringMatching(/^title: .*256/) as string },
      { line: 3, error: expect.stringMatching(/^title: .*256/) as string },
      { line: 5, error: expect.stringContaining('2 cells') as string },
      { line: 6, error: 'belongs to a conversation of more than 200000 characters' },
      { line: 7, error: 'has no input' },
    ]);
    expect(stored(quickstartId).topics).toEqual([]);
  });
});

describe('knowledge and policies', () => {
  it.each(['knowledge_base', 'policy'])('of %s become draft documents', async (materialType) => {
    const { quickstartId, done } = await make(materialType, [
      'Title,Text,Topic,criterion',
      'Opening hours,"From 9\nto 5",Shop,',
      'Opening hours,Never on Sunday,,',
      'No text,,Fresh,',
      `${'x'.repeat(513)},Too long a title,,`,
    ]);
    expect(done.report).toMatchObject({
      rows: 4,
      created: { ...NOTHING, topics: 1, documents: 2 },
      rejected: [
        { line: 5, error: expect.stringMatching(/^content: /) as string },
        { line: 6, error: expect.stringMatching(/^title: .*512/) as string },
      ],
    });
    const { topics } = stored(quickstartId);
    expect(topics).toMatchObject([{ title: 'Shop', status: 'DRAFT' }]);
    const [first, second] = await documents(quickstartId);
    const draft = {
      type: materialType === 'policy' ? 'POLICY' : 'KNOWLEDGE',
      status: 'DRAFT',
      title: 'Opening hours',
      fileProcessingId: done.id,
      quickstartId,
      versions: [{ versionNumber: 1, status: 'DRAFT' }],
    };
    expect(first).toMatchObject({ ...draft, content: 'From 9\nto 5', topicId: topics[0]?.id });
    expect(second).toMatchObject({ ...draft, content: 'Never on Sunday', topicId: null });
  });

  it('make a definition of each policy with a criterion, linked to its topic', async () => {
    const lines = [
      'title,content,topic,criterion',
      'Be kind,Always be kind,,The answer is kind',
      'Be quick,Answer at once,Speed,The answer is short',
      'Be sane,As you like,Speed,',
      `Be exact,As you like,Fresh,${'x'.repeat(60_000)}`,
    ];
    const { quickstartId, done } = await make('policy', lines);
    expect(done.report).toMatchObject({
      created: { ...NOTHING, topics: 1, documents: 3, definitions: 2 },
      rejected: [{ line: 5, error: expect.stringMatching(/^globalConfig: /) as string }],
    });
    const { topics } = stored(quickstartId);
    const query = `quickstartId=${quickstartId}&definitionStatus=DRAFT&orderBy=name&orderDir=asc`;
    expect(await call('GET', `/v0/definitions?${query}`)).toMatchObject([
      { name: 'Be kind', type: 'CUSTOM', globalConfig: { criterion: 'The answer is kind' }, topics: [] },
      { name: 'Be quick', topics: [topics[0]?.id] },
    ]);
    expect(await call('GET', `/v0/quickstarts/${quickstartId}/policy-counts`)).toEqual({
      topicsCount: 1,
      applicationEvalCount: 1,
      topicEvalCounts: [{ topicId: topics[0]?.id, evalCount: 1 }],
    });
    const knowledge = await make('knowledge_base', lines);
    expect(knowledge.done.report.created).toEqual({ ...NOTHING, topics: 2, documents: 4 });
  });

  it('keep to 1000 topics', async () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => `t,x,topic ${index}`);
    const { done } = await make('knowledge_base', ['title,content,topic', ...rows, 't,x,topic 0']);
    expect(done.report).toMatchObject({
      rows: 1_002,
      created: { ...NOTHING, topics: 1_000, documents: 1_001 },
      rejected: [{ line: 1_002, error: 'would create more than the 1000 topics that a quickstart can have' }],
    });
  });
});
