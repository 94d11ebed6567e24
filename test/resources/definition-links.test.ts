import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey } from '../support/stored-tests.ts';
import { defining, type Headers, UNKNOWN } from './definition-support.ts';

let server: TestServer;
let other: Tenant;
let ours: ReturnType<typeof defining>;
let theirs: ReturnType<typeof defining>;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  ours = defining(server);
  theirs = defining(server, other.headers);
});
afterAll(() => server.close());

const NAMES = { tasks: 'task', topics: 'topic' } as const;
type Kind = keyof typeof NAMES;

/** What is linked to a task or a topic directly: the definition's id and the config. */
async function linksOf(kind: Kind, id: string, headers: Headers = {}): Promise<[string, unknown][]> {
  const { evalDefinitions } =
    kind === 'tasks'
      ? (await server.ok('GET', `/v0/tasks/${id}`, { headers })).task
      : (await server.ok('GET', `/v0/topics/${id}`, { headers })).data;
  return evalDefinitions.map(({ evalDefinition, config }) => [evalDefinition.id, config]);
}

const isLinkedToApplication = async (id: string): Promise<boolean> => {
  const { id: taskId } = await ours.task();
  const { data } = await ours.list(`taskId=${taskId}&limit=100&definitionStatus=ACTIVE,DRAFT`);
  await server.call('DELETE', `/v0/tasks/${taskId}`);
  return data.some((definition) => definition.id === id);
};

const post = (verb: string, body: unknown) => server.call('POST', `/v0/definitions/${verb}`, { body });

describe('linking to tasks and topics', () => {
  it('links each to each, in the order of the call, and answers 204 without a body', async () => {
    const definitions = [
      await ours.definition(),
      await ours.definition({ status: 'DRAFT' }),
      await ours.definition(),
    ];
    const evalIds = definitions.map(({ id }) => id);
    const [tasks, topics] = [
      [await ours.task(), await ours.task()],
      [await ours.topic(), await ours.topic()],
    ];
    const [taskIds, topicIds] = [tasks.map(({ id }) => id), topics.map(({ id }) => id).reverse()];
    const config = { expected: { any: ['JSON', 1, null] } };
    const { status, text } = await post('link', { evalIds, taskIds, topicIds, config });
    expect([status, text]).toEqual([204, '']);
    for (const [kind, ids] of [
      ['tasks', taskIds],
      ['topics', topicIds],
    ] as const)
      for (const id of ids)
        expect(await linksOf(kind, id)).toEqual(evalIds.map((evalId) => [evalId, config]));
    for (const id of evalIds) expect(await ours.get(id)).toMatchObject({ topics: topicIds, version: 1 });
  });

  it.each(['tasks', 'topics'] as const)(
    'changes the config of %s when linked again, and not the order',
    async (kind) => {
      const [{ id: first }, { id: second }] = [await ours.definition(), await ours.definition()];
      const { id } = await ours[NAMES[kind]]();
      const to = { [`${NAMES[kind]}Ids`]: [id] };
      const link = (evalIds: string[], more: object) => ours.link('link', { evalIds, ...to, ...more });
      await link([first], { config: { expected: 'one' } });
      await link([second, first], {});
      expect(await linksOf(kind, id)).toEqual([
        [first, { expected: 'one' }],
        [second, null],
      ]);
      await link([second, first, second], { config: { expected: null } });
      expect(await linksOf(kind, id)).toEqual([
        [first, null],
        [second, null],
      ]);
      await link([first], { config: {} });
      expect(await linksOf(kind, id)).toEqual([
        [first, null],
        [second, null],
      ]);
    },
  );

  it('unlinks what is named, and minds nothing that is not linked', async () => {
    const [{ id: first }, { id: second }] = [await ours.definition(), await ours.definition()];
    const [task, topic] = [await ours.task(), await ours.topic()];
    await ours.link('link', { evalIds: [first, second], taskIds: [task.id], topicIds: [topic.id] });
    for (let i = 0; i < 2; i++) {
      const { status, text } = await post('unlink', { evalIds: [first], taskIds: [task.id] });
      expect([status, text]).toEqual([204, '']);
      expect(await linksOf('tasks', task.id)).toEqual([[second, null]]);
      expect(await linksOf('topics', topic.id)).toEqual([
        [first, null],
        [second, null],
      ]);
    }
    await ours.link('unlink', { evalIds: [first, second], topicIds: [topic.id] });
    expect(await linksOf('topics', topic.id)).toEqual([]);
    expect(await linksOf('tasks', task.id)).toEqual([[second, null]]);
  });
});

describe('linking to the application', () => {
  it('makes a definition apply to all tasks until it is unlinked', async () => {
    const { id } = await ours.definition();
    const seen = [await isLinkedToApplication(id)];
    for (const verb of ['link-application', 'link-application', 'unlink-application', 'unlink-application']) {
      const { status, text } = await post(verb, { evalIds: [id] });
      expect([status, text]).toEqual([204, '']);
      seen.push(await isLinkedToApplication(id));
    }
    expect(seen).toEqual([false, true, true, false, false]);
  });

  it('shows in no task', async () => {
    const [{ id }, task] = [await ours.definition(), await ours.task()];
    await ours.link('link-application', { evalIds: [id] });
    expect(await linksOf('tasks', task.id)).toEqual([]);
    await ours.link('unlink-application', { evalIds: [id] });
  });
});

describe('what is rejected', () => {
  const VERBS = ['link', 'unlink', 'link-application', 'unlink-application'];

  it.each(VERBS)('nothing is done by %s when one id is not there', async (verb) => {
    const foreign = {
      definition: (await theirs.definition()).id,
      task: (await theirs.task()).id,
      topic: (await theirs.topic()).id,
    };
    const [linked, free] = [await ours.definition(), await ours.definition()];
    const [task, topic] = [await ours.task(), await ours.topic()];
    await ours.link('link', { evalIds: [linked.id], taskIds: [task.id], topicIds: [topic.id] });
    await ours.link('link-application', { evalIds: [linked.id] });

    const both = [linked.id, free.id];
    const isOfApplication = verb.endsWith('application');
    const targets = isOfApplication ? {} : { taskIds: [task.id], topicIds: [topic.id] };
    const cases: [object, string][] = [UNKNOWN, foreign.definition].map((id) => [
      { evalIds: [...both, id], ...targets },
      'evaluation definition not found',
    ]);
    if (!isOfApplication)
      for (const [taskId, topicId] of [
        [UNKNOWN, UNKNOWN],
        [foreign.task, foreign.topic],
      ] as const)
        cases.push(
          [{ ...targets, evalIds: both, taskIds: [task.id, taskId] }, 'task not found'],
          [{ ...targets, evalIds: both, topicIds: [topic.id, topicId] }, 'topic not found'],
        );
    for (const [body, message] of cases) {
      const { status, json } = await post(verb, body);
      expect([status, json]).toEqual([404, { message }]);
    }
    expect(await linksOf('tasks', task.id)).toEqual([[linked.id, null]]);
    expect(await linksOf('topics', topic.id)).toEqual([[linked.id, null]]);
    expect([await isLinkedToApplication(linked.id), await isLinkedToApplication(free.id)]).toEqual([
      true,
      false,
    ]);
    await ours.link('unlink-application', { evalIds: [linked.id] });
  });

  it('an archived definition cannot be linked, and none with it', async () => {
    const [free, archived, task] = [await ours.definition(), await ours.definition(), await ours.task()];
    await ours.put(archived.id, { status: 'ARCHIVED' });
    const evalIds = [free.id, archived.id];
    const links = evalIds.map((evalDefinitionId) => ({ evalDefinitionId }));
    for (const [method, path, body] of [
      ['POST', '/v0/definitions/link', { evalIds, taskIds: [task.id] }],
      ['POST', '/v0/definitions/link-application', { evalIds }],
      ['PUT', `/v0/tasks/${task.id}`, { title: 'never', evalDefinitions: links }],
      ['POST', '/v0/topics', { title: 'never', evalDefinitions: links }],
    ] as const) {
      const { status, json } = await server.call(method, path, { body });
      expect([status, json]).toEqual([
        409,
        { message: 'An archived evaluation definition cannot be linked' },
      ]);
    }
    expect(await linksOf('tasks', task.id)).toEqual([]);
    expect((await server.call('GET', `/v0/tasks/${task.id}`)).text).not.toContain('never');
    expect(await isLinkedToApplication(free.id)).toBe(false);
    expect((await post('unlink', { evalIds, taskIds: [task.id] })).status).toBe(204);
  });

  it('one task takes a hundred definitions, one definition a thousand topics', async () => {
    const tenant = await server.newTenant();
    const calls = defining(server, tenant.headers);
    const evalIds = Array.from({ length: 101 }, () => randomUUID());
    const topicIds = Array.from({ length: 1_001 }, () => randomUUID());
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      database.transaction(() => {
        for (const id of evalIds)
          database.run(
            `INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at)
             VALUES (?, ?, 'x', 'RECALL', 'ACTIVE', '{}', 1, 1, 0, 0)`,
            id,
            application,
          );
        for (const id of topicIds)
          database.run(
            `INSERT INTO topic (id, application, title, status, is_tasks_verified, is_documents_verified,
               is_knowledge_base_verified, is_policies_verified, created_at, modified_at)
             VALUES (?, ?, 'x', 'ACTIVE', 0, 0, 0, 0, 0, 0)`,
            id,
            application,
          );
      });
    });
    const [evalId = '', ...others] = evalIds;
    const reject = async (body: object): Promise<string> => {
      const reply = await server.call('POST', '/v0/definitions/link', { headers: tenant.headers, body });
      expect(reply.status).toBe(409);
      return (reply.json as { message: string }).message;
    };
    const { id: taskId } = await calls.task();
    await calls.link('link', { evalIds: others, taskIds: [taskId] });
    expect(await reject({ evalIds: [evalId], taskIds: [taskId] })).toBe(
      'At most 100 evaluation definitions can be linked to each task',
    );
    expect(await linksOf('tasks', taskId, tenant.headers)).toHaveLength(100);
    for (let i = 0; i < 10; i++)
      await calls.link('link', { evalIds: [evalId], topicIds: topicIds.slice(100 * i, 100 * i + 100) });
    expect(await reject({ evalIds: [evalId], topicIds: topicIds.slice(-1) })).toBe(
      'An evaluation definition can be linked to at most 1000 topics',
    );
    expect((await calls.get(evalId)).topics).toEqual(topicIds.slice(0, -1));
  });

  const id = UNKNOWN;
  const ids = (length: number): string[] => Array.from({ length }, () => id);
  testHttp(
    () => server,
    VERBS.flatMap((verb) => {
      const isOfApplication = verb.endsWith('application');
      const cases: [what: string, body: unknown, status: number, text: string][] = [
        [
          'needs evalIds',
          { taskIds: [id] },
          422,
          '"code":"invalid_type","message":"Required","path":["evalIds"]',
        ],
        ['needs one of them', { evalIds: [], taskIds: [id] }, 422, '"path":["evalIds"]'],
        ['takes 100 of them at most', { evalIds: ids(101), taskIds: [id] }, 422, '"code":"too_big"'],
        ['needs uuids', { evalIds: [id, 'x'], taskIds: [id] }, 422, '"path":["evalIds","1"]'],
        ['needs a body', undefined, 400, 'JSON body'],
      ];
      if (!isOfApplication)
        cases.push(
          [
            'needs a task or a topic',
            { evalIds: [id] },
            400,
            'taskIds or topicIds must contain a task or a topic',
          ],
          ['needs one in the arrays', { evalIds: [id], taskIds: [], topicIds: [] }, 400, 'must contain'],
          ['takes 100 tasks at most', { evalIds: [id], taskIds: ids(101) }, 422, '"path":["taskIds"]'],
          ['takes 100 topics at most', { evalIds: [id], topicIds: ids(101) }, 422, '"path":["topicIds"]'],
        );
      if (verb === 'link')
        cases.push(
          [
            'needs a config in an object',
            { evalIds: [id], taskIds: [id], config: 'x' },
            422,
            '"path":["config"]',
          ],
          [
            'needs a short config',
            { evalIds: [id], taskIds: [id], config: { expected: 'x'.repeat(20_000) } },
            422,
            '"code":"too_big"',
          ],
          [
            'needs exact numbers',
            `{"evalIds":["${id}"],"taskIds":["${id}"],"config":{"expected":{"a":9007199254740993}}}`,
            422,
            '"path":["config","expected","a"]',
          ],
        );
      return cases.map(([what, body, status, text]) => ({
        name: `${verb} ${what}`,
        request: `POST /v0/definitions/${verb}` as const,
        ...(body === undefined ? {} : { body }),
        status,
        mustContain: [text],
      }));
    }),
  );
});
