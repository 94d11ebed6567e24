import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateIssueBody, Issue } from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson, type Person } from '../support/people.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey, storeRun, storeTest } from '../support/stored-tests.ts';
import { annotating } from './annotation-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Calls of one application. */
function issuesOf({ headers }: Pick<Tenant, 'headers'>) {
  const create = async (more: Partial<CreateIssueBody> = {}): Promise<Issue> =>
    (await server.ok('POST', '/v0/issues', { body: { source: 'API', title: 'Promises', ...more }, headers }))
      .data;
  const get = async (id: string | number): Promise<Issue> =>
    (await server.ok('GET', `/v0/issues/${id}`, { headers })).data;
  const link = async (id: string | number, ids: readonly string[]) =>
    (await server.ok('POST', `/v0/issues/${id}/links`, { body: { selection: { ids: [...ids] } }, headers }))
      .data;
  const call = (method: string, path: string, body?: object) =>
    server.call(method, `/v0/issues${path.startsWith('?') ? '' : '/'}${path}`, {
      headers,
      ...(body && { body }),
    });
  const events = async (id: string) =>
    (await server.ok('GET', `/v0/issues/${id}/activity?orderDir=asc`, { headers })).data;
  const occurrences = async (id: string) =>
    (await server.ok('GET', `/v0/issues/${id}/occurrences`, { headers })).data;
  return { create, get, link, call, events, occurrences, ...annotating(server, headers) };
}
const newTenant = async () => issuesOf(await server.newTenant());

describe('an issue', () => {
  it('has the defaults of the hosted form, and the next number of its application', async () => {
    const ours = await newTenant();
    const first = await ours.create();
    expect(first).toMatchObject({
      number: 1,
      status: 'OPEN',
      type: 'BUG',
      priority: 'MEDIUM',
      description: '',
      linkCount: 0,
      lastSeenAt: first.createdAt,
      frequency: { kind: 'COUNT', count: 0, rate: null },
      annotationId: null,
    });
    expect(first.daily).toHaveLength(14);
    const second = await ours.create();
    expect((await ours.call('DELETE', second.id)).status).toBe(204);
    expect(await ours.create()).toMatchObject({ number: 3 });
    expect(await (await newTenant()).create()).toMatchObject({ number: 1 });
  });

  it('is found by its number as by its id', async () => {
    const ours = await newTenant();
    const { id, number } = await ours.create();
    expect(await ours.get(number)).toEqual(await ours.get(id));
    expect((await ours.call('PUT', '1', { priority: 'HIGH' })).json).toMatchObject({
      data: { id, priority: 'HIGH' },
    });
    expect((await ours.call('GET', '2')).status).toBe(404);
    expect((await ours.call('GET', 'first')).status).toBe(422);
  });

  it('links the traces that it names', async () => {
    const ours = await newTenant();
    const [one = '', two = ''] = await ours.traces(2);
    const annotation = await ours.annotation({ traceId: two });
    // The name of the field in the hosted form.
    const hosted = { annotationId: annotation.id } as Partial<CreateIssueBody>;
    expect(await ours.create({ source: 'HUMAN_ANNOTATION', traceId: one, ...hosted })).toMatchObject({
      traceId: one,
      humanAnnotationId: annotation.id,
      annotationId: annotation.id,
      linkCount: 2,
      firstSeenAt: '2026-01-31T12:00:00.000Z',
      lastSeenAt: '2026-01-31T12:00:00.000Z',
    });
  });

  it.each([
    ['testId', randomUUID()],
    ['traceId', randomUUID()],
    ['taskId', randomUUID()],
    ['topicId', randomUUID()],
    ['humanAnnotationId', randomUUID()],
    ['evalDefinitionId', randomUUID()],
    ['experimentId', randomUUID()],
    ['parentId', randomUUID()],
  ])('is rejected with an unknown %s', async (field, value) => {
    const body = { source: 'API', title: 'Unknown', [field]: value };
    expect((await server.call('POST', '/v0/issues', { body })).status).toBe(404);
  });

  it('rejects a filter line that cannot be parsed', async () => {
    const body = { source: 'API', title: 'Odd', match: 'colour:red' };
    const { status, json } = await server.call('POST', '/v0/issues', { body });
    expect(status).toBe(422);
    expect(json).toMatchObject({ issues: [{ path: ['match'], start: 0 }] });
  });

  it('has parts, which have none', async () => {
    const ours = await newTenant();
    const whole = await ours.create();
    const part = await ours.create({ parentId: whole.id });
    for (const [id, parentId] of [
      [whole.id, whole.id],
      [whole.id, part.id],
      [(await ours.create()).id, part.id],
    ] as const)
      expect((await ours.call('PUT', id, { parentId })).status).toBe(409);
    await ours.call('DELETE', whole.id);
    expect(await ours.get(part.id)).toMatchObject({ parentId: null });
  });

  it('keeps a history of who changed what', async () => {
    const ours = await newTenant();
    const { id } = await ours.create();
    await ours.call('PUT', id, { title: 'Promises money', priority: 'MEDIUM' });
    await ours.call('PUT', id, { title: 'Promises money' });
    await ours.link(id, await ours.traces(2));
    await ours.call('POST', `${id}/reject`, { reason: 'The policy allows it.' });
    await ours.call('POST', `${id}/reopen`, {});
    expect(await ours.events(id)).toMatchObject([
      { kind: 'CREATED', by: { type: 'key' } },
      { kind: 'UPDATED', fields: ['title'] },
      { kind: 'LINKED', count: 2 },
      { kind: 'REJECTED', reason: 'The policy allows it.' },
      { kind: 'REOPENED', reason: null },
    ]);
  });
});

describe('links', () => {
  it('are made once, of traces and of notes, and are counted by day', async () => {
    const ours = await newTenant();
    const { id } = await ours.create();
    const traces = await ours.traces(3, { timestamp: new Date().toISOString() });
    expect(await ours.link(id, traces)).toMatchObject({ matched: 3, done: 3 });
    expect(await ours.link(id, [...traces.slice(0, 1), randomUUID()])).toMatchObject({
      done: 0,
      skippedCount: 2,
      skipped: [{ reason: 'ALREADY' }, { reason: 'NOT_FOUND' }],
    });
    const issue = await ours.get(id);
    expect(issue).toMatchObject({ linkCount: 3, frequency: { kind: 'COUNT', count: 3 } });
    expect(issue.daily.at(-1)?.count).toBe(3);
    const all = await ours.occurrences(id);
    expect(all.map(({ traceId }) => traceId).toSorted()).toEqual(traces.toSorted());
    expect(all[0]).toMatchObject({ input: 'Hello', output: 'Hello to you', source: 'SELECTION' });
    expect((await ours.call('DELETE', `${id}/links/${all[0]?.id ?? ''}`)).status).toBe(204);
    const after = await ours.get(id);
    expect(after.linkCount).toBe(2);
    expect(after.daily.at(-1)?.count).toBe(2);
    for (const { id: linkId } of await ours.occurrences(id))
      await ours.call('DELETE', `${id}/links/${linkId}`);
    expect(await ours.get(id)).toMatchObject({
      linkCount: 0,
      firstSeenAt: null,
      lastSeenAt: issue.createdAt,
    });
  });

  it('filter traces, tests and results', async () => {
    const tenant = await server.newTenant();
    const { headers } = tenant;
    const ours = issuesOf(tenant);
    const { id, number } = await ours.create();
    const [shown = '', other = ''] = await ours.traces(2);
    await ours.link(id, [shown]);
    const traces = async (query: string) =>
      (await server.ok('GET', `/v0/traces?${query}`, { headers })).data.map((trace) => trace.id);
    expect(await traces(`issueId=${id}`)).toEqual([shown]);
    expect(await traces(`q=issue:${number}`)).toEqual([shown]);
    expect(await traces(`q=issue:promises`)).toEqual([shown]);
    expect(await traces(`q=-issue:${id}`)).toEqual([other]);
    expect(await traces(`issueId=${randomUUID()}`)).toEqual([]);
    expect((await server.ok('GET', `/v0/tests?issueId=${id}`, { headers })).data).toEqual([]);
  });

  it('are counted after their traces are deleted, and shown no longer', async () => {
    const ours = await newTenant();
    const { id } = await ours.create();
    const [gone = '', kept = ''] = await ours.traces(2);
    await ours.link(id, [gone, kept]);
    expect((await ours.call('DELETE', `../traces/${gone}`)).status).toBe(204);
    await expect.poll(async () => (await ours.get(id)).deletedCount).toBe(1);
    expect(await ours.get(id)).toMatchObject({ linkCount: 2 });
    expect(await ours.occurrences(id)).toHaveLength(1);
  });

  it('are made by annotators, who change nothing else', async () => {
    const tenant = await server.newTenant();
    const ours = issuesOf(tenant);
    const { id } = await ours.create();
    const traces = await ours.traces(1);
    const ann: Person = addPerson(server, tenant, { role: 'annotator' });
    const headers = { 'x-api-key': null, 'x-application-id': null, ...ann.headers };
    const send = async (method: string, path: string, body: object) =>
      (await server.call(method, `/v0/issues${path}`, { headers, body })).status;
    expect(await send('POST', `/${id}/links`, { selection: { ids: traces } })).toBe(200);
    expect(await send('PUT', `/${id}`, { title: 'Mine' })).toBe(403);
    expect(await send('POST', `/${id}/reject`, { reason: 'No' })).toBe(403);
    expect(await send('POST', '', { source: 'API', title: 'New' })).toBe(403);
  });
});

it('that was opened again is found by a filter', async () => {
  const ours = await newTenant();
  const [back] = [await ours.create({ title: 'Back' }), await ours.create({ title: 'Other' })];
  await ours.call('POST', `${back.number}/resolve`, { withoutEvidence: true, reason: 'Gone' });
  await ours.call('POST', `${back.number}/reopen`, {});
  const found = async (isReopened: boolean): Promise<string[]> =>
    ((await ours.call('GET', `?isReopened=${isReopened}`)).json as { data: Issue[] }).data.map(
      ({ title }) => title,
    );
  expect(await found(true)).toEqual(['Back']);
  expect(await found(false)).toEqual(['Other']);
});

describe('the frequency', () => {
  /** Draws traces at random and completes them; links the first `linked` of them. */
  async function sampled(count: number, linked: number) {
    const ours = await newTenant();
    const { id } = await ours.create();
    await ours.traces(count);
    const queue = await ours.queue();
    const items = await ours.draw({ queueId: queue.id, count, selection: 'RANDOM' });
    for (const item of items) await ours.complete(item);
    if (linked > 0)
      await ours.link(
        id,
        items.slice(0, linked).map(({ traceId }) => traceId),
      );
    return { ours, id, queueId: queue.id };
  }

  it('of the issues of the newest random sample, and of none, is compared', async () => {
    const pareto = async ({ tenant }: { tenant: Pick<Tenant, 'headers'> }) =>
      (await server.ok('GET', '/v0/issue-pareto', { headers: tenant.headers })).data;
    const tenant = await server.newTenant();
    const ours = { ...issuesOf(tenant), tenant };
    expect(await pareto(ours)).toBeNull();
    await ours.traces(10);
    const queue = await ours.queue();
    const items = await ours.draw({ queueId: queue.id, count: 10, selection: 'RANDOM' });
    expect(await pareto(ours)).toBeNull();
    for (const item of items) await ours.complete(item);
    const ids = items.map(({ traceId }) => traceId);
    const [few, many, rejected] = [await ours.create(), await ours.create(), await ours.create()];
    await ours.link(few.id, ids.slice(0, 2));
    await ours.link(many.id, ids.slice(1, 5));
    await ours.link(rejected.id, ids.slice(0, 9));
    await ours.call('POST', `${rejected.number}/reject`, { reason: 'It is right' });
    expect(await pareto(ours)).toMatchObject({
      queueId: queue.id,
      of: 10,
      issues: [
        { id: many.id, count: 4, rate: 40 },
        { id: few.id, count: 2, rate: 20 },
      ],
      others: 0,
      none: { count: 5, rate: 50 },
    });
    expect(await pareto({ tenant: await server.newTenant() })).toBeNull();
  });

  it('is a rate with its interval only in a random sample', async () => {
    const { ours, id, queueId } = await sampled(20, 5);
    const [more = ''] = await ours.traces(1);
    await ours.link(id, [more]);
    expect(await ours.get(id)).toMatchObject({
      linkCount: 6,
      frequency: { kind: 'RATE', count: 5, of: 20, rate: 25, low: 11.2, high: 46.9, queueId },
    });
  });

  it('is a count of traces that were chosen by hand', async () => {
    const ours = await newTenant();
    const { id } = await ours.create();
    const queue = await ours.queue();
    const [traceId = ''] = await ours.traces(1);
    await ours.complete(await ours.item({ queueId: queue.id, traceId }));
    await ours.link(id, [traceId]);
    expect(await ours.get(id)).toMatchObject({ frequency: { kind: 'COUNT', count: 1, of: null } });
  });
});

describe('resolving', () => {
  it('lists the missing evidence, and takes a reason without it', async () => {
    const ours = await newTenant();
    const { id } = await ours.create();
    const { status, json } = await ours.call('POST', `${id}/resolve`, {});
    expect(status).toBe(409);
    expect((json as { message: string }).message).toContain('No evaluator detects the problem.');
    expect((await ours.call('POST', `${id}/resolve`, { withoutEvidence: true })).status).toBe(422);
    const reason = 'The feature is gone.';
    const resolved = await ours.call('POST', `${id}/resolve`, { withoutEvidence: true, reason });
    expect(resolved.json).toMatchObject({
      data: { status: 'RESOLVED', resolution: { reason, withoutEvidence: true, by: { type: 'key' } } },
    });
    expect((await ours.call('POST', `${id}/resolve`, {})).status).toBe(409);
    const reopened = await ours.call('POST', `${id}/reopen`, { reason: 'It is back.' });
    expect(reopened.json).toMatchObject({
      data: { status: 'OPEN', resolution: null, reopenedAt: expect.any(String) as string },
    });
    expect((await ours.call('POST', `${id}/reopen`, {})).status).toBe(409);
  });

  it('needs no reason when all evidence is there', async () => {
    const tenant = await server.newTenant();
    const { headers } = tenant;
    const ours = issuesOf(tenant);
    const { data: definition } = await server.ok('POST', '/v0/definitions', {
      body: { name: 'Asks first', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } } as never,
      headers,
    });
    const { id, number } = await ours.create({ evalDefinitionId: definition.id });
    const [task] = Object.values(
      await server.ok('POST', '/v0/tasks', { body: { title: 'Refunds', description: 'All' }, headers }),
    );
    const taskId = task?.id ?? '';
    const example = await server.call('POST', `/v0/tasks/${taskId}/examples`, {
      body: { input: 'Refund?', split: `issue-${number}` },
      headers,
    });
    const { data: made } = example.json as { data: { id: string } };
    await ours.traces(150);
    const queue = await ours.queue();
    for (const count of [100, 50])
      for (const item of await ours.draw({ queueId: queue.id, count, selection: 'RANDOM' }))
        await ours.complete(item);
    const evidence = async () => {
      const { data } = await server.ok('GET', `/v0/issues/${id}/evidence`, { headers });
      return Object.fromEntries(data.map(({ kind, isMet, have, need }) => [kind, [isMet, have, need]]));
    };
    const expected = {
      EVALUATOR: [true, 1, 1],
      VERIFIED: [true, 1, 1],
      EXAMPLES: [true, 1, 1],
      EXAMPLES_PASS: [false, 0, 1],
      GONE: [true, 150, 150],
    };
    expect(await evidence()).toEqual(expected);
    storeRuns(made.id, taskId, tenant.applicationId, ['PASSED', 'PASSED', 'NOT_RUN', 'FAILED', 'PASSED']);
    expect(await evidence()).toEqual(expected);
    storeRuns(made.id, taskId, tenant.applicationId, ['PASSED']);
    expect(await evidence()).toEqual({ ...expected, EXAMPLES_PASS: [true, 1, 1] });
    const { json } = await ours.call('POST', `${id}/resolve`, {});
    expect(json).toMatchObject({ data: { resolution: { withoutEvidence: false, reason: null } } });
  });

  /** Stores a test of an example in a run of its own for each outcome, the newest first; later calls store newer ones. */
  function storeRuns(
    exampleId: string,
    taskId: string,
    applicationId: string,
    outcomes: readonly string[],
  ): void {
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, applicationId);
      for (const outcome of outcomes.toReversed()) {
        latest += 1_000;
        const run = { id: randomUUID(), taskId, createdAt: latest };
        const test = { id: randomUUID(), run, createdAt: latest, exampleId, status: 'COMPLETED' } as const;
        storeRun(database, application, run);
        storeTest(database, application, test);
        database.run(
          `INSERT INTO test_result (application, run_id, test_id, task_id, example_id, input, outcome)
           VALUES (?, ?, ?, ?, ?, 'x', ?) ON CONFLICT (application, run_id, test_id) DO UPDATE SET outcome = excluded.outcome`,
          application,
          run.id,
          test.id,
          taskId,
          exampleId,
          outcome,
        );
      }
    });
  }
  let latest = 0;
});

describe('a merge', () => {
  it('moves links and notes, and rejects the issue with a pointer', async () => {
    const tenant = await server.newTenant();
    const { headers } = tenant;
    const ours = issuesOf(tenant);
    const from = await ours.create({ title: 'Promises money' });
    const into = await ours.create();
    const part = await ours.create({ parentId: from.id });
    const traces = await ours.traces(3);
    await ours.link(from.id, traces.slice(0, 2));
    await ours.link(into.id, traces.slice(1));
    const { data: note } = await server.ok('POST', '/v0/notes', {
      body: { traceId: traces[0] ?? '', text: 'Early' },
      headers,
    });
    await server.ok('POST', `/v0/issues/${from.id}/links`, { body: { noteIds: [note.id] }, headers });
    const { json } = await ours.call('POST', `${from.number}/merge`, { into: String(into.number) });
    expect(json).toMatchObject({
      data: { status: 'REJECTED', linkCount: 0, mergedInto: { id: into.id, number: into.number } },
    });
    expect(await ours.get(into.id)).toMatchObject({ linkCount: 3, status: 'OPEN' });
    expect(await ours.occurrences(into.id)).toHaveLength(3);
    expect((await server.ok('GET', `/v0/notes/${note.id}`, { headers })).data.issueId).toBe(into.id);
    expect(await ours.get(part.id)).toMatchObject({ parentId: into.id });
    expect((await ours.events(into.id)).at(-1)).toMatchObject({
      kind: 'MERGED',
      issue: { id: from.id, isTarget: false },
    });
    const again = await ours.call('POST', `${from.id}/merge`, { into: into.id });
    expect(again.status).toBe(200);
    expect((await ours.call('POST', `${into.id}/merge`, { into: from.id })).status).toBe(409);
    expect((await ours.call('POST', `${into.id}/merge`, { into: into.id })).status).toBe(409);
    expect((await ours.call('POST', `${from.id}/reopen`, {})).status).toBe(409);
    const rejected = await ours.call('POST', `${from.id}/links`, { selection: { ids: traces } });
    expect(rejected.json).toEqual({
      message: `The issue was merged into issue ${into.number}; link the traces to that one`,
    });
  });
});

describe('the list', () => {
  it('filters and orders, and counts each status', async () => {
    const tenant = await server.newTenant();
    const { headers } = tenant;
    const ours = issuesOf(tenant);
    const low = await ours.create({ title: 'Low', priority: 'LOW', source: 'TEST' });
    const high = await ours.create({ title: 'High', priority: 'HIGH', ownerId: 'ada' });
    const other = await ours.create({
      title: 'Middle',
      description: 'About high things',
      type: 'USER_SIGNAL',
    });
    await ours.call('POST', `${other.id}/reject`, { reason: 'No' });
    await ours.link(low.id, await ours.traces(2));
    const list = (query: string) => server.ok('GET', `/v0/issues?${query}`, { headers });
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await ids('orderBy=priority')).toEqual([high.id, other.id, low.id]);
    expect(await ids('orderBy=frequency&limit=1')).toEqual([low.id]);
    expect(await ids('status=OPEN&orderBy=createdAt&orderDir=asc')).toEqual([low.id, high.id]);
    expect(await ids('search=HIGH&orderBy=number')).toEqual([other.id, high.id]);
    expect(await ids('source=TEST')).toEqual([low.id]);
    expect(await ids('type=USER_SIGNAL')).toEqual([other.id]);
    expect(await ids('ownerId=ada')).toEqual([high.id]);
    const { counts } = await list('status=RESOLVED');
    expect(counts).toEqual({ open: 2, resolved: 0, rejected: 1, openHigh: 1 });
  });
});
