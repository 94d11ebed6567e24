import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/api/generated/schema.ts';
import { EXPERIMENT_STATUSES } from '../../src/resources/experiments/states.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { experimentCalls } from './experiments-support.ts';

const PATH = '/v0/experiments';
const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

let server: TestServer;
let other: Tenant;
let [taskId, otherTask, stepId, theirTask, theirStep] = ['', '', '', '', ''];
const calls = experimentCalls(() => server);
const { experiment: create, read } = calls;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  [taskId, otherTask, stepId] = [await calls.task(), await calls.task(), await calls.step('answer')];
  [theirTask, theirStep] = [await calls.task({}, other.headers), await calls.step('answer', other.headers)];
});
afterAll(() => server.close());

const put = (id: string, body: object) => server.call('PUT', `${PATH}/${id}`, { body });

/** Takes an experiment to a state that only running could take it to. */
const setStatus = (id: string, status: string): void =>
  besideServer(server.folder, (database) => {
    database.run('UPDATE experiment SET status = ? WHERE id = ?', status, id);
  });

describe('POST /v0/experiments', () => {
  it('fills in defaults', async () => {
    const experiment = await create({ title: ' Größer 🙂 ' });
    expect(experiment).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: experiment.createdAt,
      title: 'Größer 🙂',
      description: '',
      status: 'DRAFT',
      inferenceStepIds: [],
      taskIds: [],
      assignee: null,
    });
    expect(await read(`${PATH}/${experiment.id}`)).toEqual(experiment);
  });

  it('takes all fields, and each id once', async () => {
    const fields = {
      title: 'x',
      description: 'Why',
      assignee: 'ada@example.org',
      inferenceStepIds: [stepId],
    };
    const made = await create({ ...fields, taskIds: [otherTask, taskId.toUpperCase(), otherTask] });
    expect(made).toMatchObject({ ...fields, taskIds: [otherTask, taskId] });
  });

  it.each([
    ['an unknown task', () => ({ taskIds: [taskId, UNKNOWN] }), 'task not found'],
    ["another application's task", () => ({ taskIds: [theirTask] }), 'task not found'],
    ['an unknown step', () => ({ inferenceStepIds: [stepId, UNKNOWN] }), 'inference step not found'],
    ["another application's step", () => ({ inferenceStepIds: [theirStep] }), 'inference step not found'],
  ])('makes nothing of %s', async (_what, fields, message) => {
    const before = (await server.call('GET', PATH)).text;
    const { status, json } = await server.call('POST', PATH, { body: { title: 'x', ...fields() } });
    expect([status, json]).toEqual([404, { message }]);
    expect((await server.call('GET', PATH)).text).toBe(before);
  });

  testHttp(
    () => server,
    [
      {
        name: 'needs a title in letters',
        request: `POST ${PATH}` as const,
        body: { title: ' ' },
        status: 422,
        mustContain: ['"code":"too_small"', '"path":["title"]'],
      },
    ],
  );
});

describe('PUT /v0/experiments/{id}', () => {
  it('changes what is given', async () => {
    const before = await create({ title: 'before', description: 'Why', taskIds: [taskId], assignee: 'ada' });
    const changes = { title: 'after', taskIds: [otherTask], inferenceStepIds: [stepId], assignee: null };
    const { status, json } = await put(before.id, { ...changes, id: UNKNOWN, createdAt: 'never' });
    const { data } = json as { data: Experiment };
    expect([status, data]).toEqual([200, { ...before, ...changes, modifiedAt: data.modifiedAt }]);
    expect(await read(`${PATH}/${before.id}`)).toEqual(data);
    expect((await put(before.id, data)).json).toMatchObject({ data: { ...changes, status: 'DRAFT' } });
  });

  it.each([
    ['an unknown task', () => ({ taskIds: [UNKNOWN] })],
    ["another application's task", () => ({ taskIds: [theirTask] })],
    ['an unknown step', () => ({ inferenceStepIds: [UNKNOWN] })],
    ["another application's step", () => ({ inferenceStepIds: [theirStep] })],
  ])('changes nothing for %s', async (_what, fields) => {
    const before = await create({ taskIds: [taskId] });
    expect((await put(before.id, { title: 'never', ...fields() })).status).toBe(404);
    expect(await read(`${PATH}/${before.id}`)).toEqual(before);
  });

  it('keeps the tasks once the baseline has run', async () => {
    const { id } = await create({ taskIds: [taskId, otherTask] });
    for (const status of EXPERIMENT_STATUSES.filter(
      (name) => !['DRAFT', 'BASELINE_PENDING'].includes(name),
    )) {
      setStatus(id, status);
      const rejected = await put(id, { title: 'never', taskIds: [taskId] });
      expect([rejected.status, rejected.text], status).toEqual([
        409,
        expect.stringContaining('taskIds') as string,
      ]);
      const allowed = await put(id, {
        title: status,
        taskIds: [otherTask, taskId],
        inferenceStepIds: [stepId],
      });
      expect([allowed.status, allowed.text]).toEqual([200, expect.stringContaining(status) as string]);
    }
  });

  it('keeps a step that a variant changes', async () => {
    const [kept, unused] = [await calls.step('kept'), await calls.step('unused')];
    const { id } = await create();
    const baseline = await calls.variant(id, { configPatch: { kept: { k: 1 } } });
    await calls.variant(id, { configPatch: { kept: {} }, parentId: baseline.id });
    const rejected = await put(id, { inferenceStepIds: [unused] });
    expect([rejected.status, rejected.text]).toEqual([409, expect.stringContaining('kept') as string]);
    for (const inferenceStepIds of [[kept, unused], [kept], []])
      expect((await put(id, { inferenceStepIds })).status).toBe(200);
  });

  /** By hand: what it may become, in each state; the state itself may always be named. */
  const BY_HAND: Record<string, string[]> = {
    DRAFT: ['ARCHIVED'],
    BASELINE_PENDING: ['ARCHIVED'],
    BASELINE_RUNNING: [],
    BASELINE_COMPLETED: ['COMPLETED', 'ARCHIVED'],
    BASELINE_FAILED: ['ARCHIVED'],
    VARIANT_RUNNING: [],
    IDLE: ['COMPLETED', 'ARCHIVED'],
    COMPLETED: ['ARCHIVED'],
    ARCHIVED: [],
  };
  it.each(EXPERIMENT_STATUSES)('sets the status by hand in %s', async (from) => {
    const { id } = await create();
    const allowed: string[] = [];
    for (const to of EXPERIMENT_STATUSES) {
      setStatus(id, from);
      const { status } = await put(id, { status: to });
      expect([200, 409]).toContain(status);
      expect((await read<Experiment>(`${PATH}/${id}`)).status).toBe(status === 200 ? to : from);
      if (status === 200 && to !== from) allowed.push(to);
    }
    expect(allowed).toEqual(BY_HAND[from]);
  });

  testHttp(() => server, [{ name: 'needs a body', request: `PUT ${PATH}/${UNKNOWN}`, status: 400 }]);
});

it.each([
  ['GET', undefined],
  ['PUT', { title: 'theirs' }],
])("another application's experiment is not there for %s", async (method, body) => {
  const ours = await create({ title: 'ours' });
  const call = { headers: other.headers, ...(body ? { body } : {}) };
  const [reply, unknown] = [
    await server.call(method, `${PATH}/${ours.id}`, call),
    await server.call(method, `${PATH}/${UNKNOWN}`, call),
  ];
  expect([reply.status, reply.json]).toEqual([404, { message: 'experiment not found' }]);
  expect([unknown.status, unknown.text]).toEqual([reply.status, reply.text]);
  expect(await read(`${PATH}/${ours.id}`)).toEqual(ours);
  expect((await server.call('GET', PATH, { headers: other.headers })).text).not.toContain('ours');
});

describe('GET /v0/experiments', () => {
  let tenant: Tenant;
  const list = async (query: string): Promise<{ data: Experiment[]; pagination: unknown }> => {
    return server.ok('GET', `${PATH}?${query}`, { headers: tenant.headers });
  };
  const titles = async (query: string): Promise<string> =>
    (await list(query)).data.map(({ title }) => title).join('');
  beforeAll(async () => {
    tenant = await server.newTenant();
    const rows: [title: string, status: string, assignee: string | null][] = [
      ['c', 'DRAFT', null],
      ['a', 'IDLE', 'bob'],
      ['e', 'ARCHIVED', 'ada'],
      ['b', 'COMPLETED', null],
      ['d', 'IDLE', 'eve'],
    ];
    for (const [title, status, assignee] of rows)
      setStatus((await create({ title, assignee }, tenant.headers)).id, status);
  });

  it.each([
    ['', 'dbeac'],
    ['orderBy=title&orderDir=asc', 'abcde'],
    ['orderBy=title&orderDir=asc&skip=1&limit=2', 'bc'],
    ['orderBy=status&orderDir=asc&limit=3', 'ebc'],
    ['orderBy=assignee&orderDir=asc&limit=3', 'ead'],
    ['orderBy=assignee&limit=3', 'dae'],
    ['orderBy=title&status=IDLE', 'da'],
    ['orderBy=title&status=IDLE,DRAFT', 'dca'],
    ['orderBy=title&status[]=IDLE&status[]=ARCHIVED', 'eda'],
    ['orderBy=title&excludeStatus=ARCHIVED', 'dcba'],
    ['orderBy=title&excludeStatus=ARCHIVED&excludeStatus=IDLE', 'cb'],
    ['orderBy=title&status=IDLE,COMPLETED&excludeStatus=IDLE', 'b'],
    ['status=BASELINE_FAILED', ''],
    ['skip=5', ''],
  ])('takes ?%s', async (query, expected) => {
    expect(await titles(query)).toBe(expected);
  });

  it.each(['asc', 'desc'])('has those of no one last, %s', async (orderDir) => {
    const page = await titles(`orderBy=assignee&orderDir=${orderDir}&skip=3`);
    expect(['bc', 'cb']).toContain(page);
  });
});

describe('a task that an experiment needs', () => {
  it('is not deleted until the experiment is concluded, archived or without it', async () => {
    const needed = await calls.task();
    const experiment = await create({ title: 'Needs it', taskIds: [needed] });
    const remove = () => server.call('DELETE', `/v0/tasks/${needed}`);
    expect(await remove()).toMatchObject({ status: 409 });
    expect((await remove()).text).toContain(experiment.id);
    expect((await server.call('GET', `/v0/tasks/${needed}`)).status).toBe(200);
    expect((await put(experiment.id, { status: 'ARCHIVED' })).status).toBe(200);
    expect((await remove()).status).toBe(204);
  });
});
