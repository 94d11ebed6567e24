import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueItem } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { annotating, CRITIQUE, PAST } from './annotation-support.ts';

let server: TestServer;
let other: Tenant;
let ours: ReturnType<typeof annotating>;
let theirs: ReturnType<typeof annotating>;
let traceId: string;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  ours = annotating(server);
  theirs = annotating(server, other.headers);
  [traceId] = (await ours.traces(1)) as [string];
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATH = '/v0/human-annotations';

const item = async (id: string): Promise<QueueItem> =>
  (await server.ok('GET', `/v0/human-annotation-queue-items/${id}`)).data;

describe('POST /v0/human-annotations', () => {
  it('fills in defaults', async () => {
    const annotation = await ours.annotation({ traceId });
    expect(annotation).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: annotation.createdAt,
      traceId,
      evalDefinitionId: null,
      verdict: true,
      score: null,
      unsure: false,
      critique: null,
      annotatorId: server.apiKey.split('_')[1],
      annotatorName: null,
      source: 'TRACE_PAGE',
      queueItemId: null,
      correctedOutput: null,
      criteria: null,
      partOf: null,
    });
    expect((await server.call('GET', `${PATH}/${annotation.id}`)).json).toEqual({ data: annotation });
  });

  it.each([
    { source: 'TEST_PAGE', annotatorId: 'ada@example.org', verdict: false, critique: CRITIQUE },
    { source: 'REVIEW_QUEUE', critique: 'x', queueItemId: null },
    { verdict: false, critique: 'x'.repeat(20) },
    { verdict: false, critique: 'ä'.repeat(2_048) },
    { correctedOutput: { city: 'Lima' } },
    { correctedOutput: 'Lima' },
  ])('takes %j', async (body) => {
    expect(await ours.annotation({ traceId, ...body })).toMatchObject(body);
  });

  const valid = { traceId: UNKNOWN, verdict: true, source: 'TRACE_PAGE' };
  const rejected: [rule: string, body: object, code: string, field: string][] = [
    ['a critique in letters', { ...valid, critique: ' ' }, 'too_small', 'critique'],
    ['a critique of what fails', { ...valid, verdict: false }, 'too_small', 'critique'],
    [
      'more than a word on what fails',
      { ...valid, verdict: false, critique: 'x'.repeat(19) },
      'too_small',
      'critique',
    ],
    [
      'more than blanks on what fails',
      { ...valid, verdict: false, critique: `x${' '.repeat(30)}` },
      'too_small',
      'critique',
    ],
    ['an annotator in letters', { ...valid, annotatorId: ' ' }, 'too_small', 'annotatorId'],
    ['the queue as source of an item', { ...valid, queueItemId: UNKNOWN }, 'custom', 'queueItemId'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: `POST ${PATH}`,
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );

  it('completes the queue item it names', async () => {
    const waiting = await ours.item({ queueId: (await ours.queue()).id, traceId });
    const annotation = await ours.complete(waiting);
    expect(annotation).toMatchObject({ traceId, queueItemId: waiting.id, source: 'REVIEW_QUEUE' });
    expect(await item(waiting.id)).toEqual({
      ...waiting,
      status: 'COMPLETED',
      reviews: 1,
      completedAt: annotation.modifiedAt,
    });
  });

  it('is rejected, and stored nowhere, for an item that waits for no verdict on this trace', async () => {
    const [elsewhere] = await ours.traces(1);
    const { id: queueId } = await ours.queue();
    const completed = await ours.item({ queueId, traceId });
    await ours.complete(completed);
    const expired = await ours.item({ queueId, traceId, expiresAt: PAST });
    const ofAnother = await ours.item({ queueId, traceId: elsewhere });
    const [theirTrace] = await theirs.traces(1);
    const theirItem = await theirs.item({ queueId: (await theirs.queue()).id, traceId: theirTrace });
    const { pagination } = await ours.list(PATH);
    for (const [queueItemId, status, message] of [
      [completed.id, 409, 'The queue item is already completed'],
      [expired.id, 409, 'The queue item is expired'],
      [ofAnother.id, 409, 'The queue item belongs to another trace'],
      [theirItem.id, 404, 'queue item not found'],
      [UNKNOWN, 404, 'queue item not found'],
    ] as const) {
      const body = { traceId, verdict: true, source: 'REVIEW_QUEUE', queueItemId };
      const reply = await server.call('POST', PATH, { body });
      expect([reply.status, reply.json]).toEqual([status, { message }]);
    }
    expect(await item(ofAnother.id)).toEqual(ofAnother);
    expect((await ours.list(PATH)).pagination).toEqual(pagination);
  });
});

describe('a human annotation', () => {
  const put = (id: string, body: object): ReturnType<TestServer['call']> =>
    server.call('PUT', `${PATH}/${id}`, { body });

  it('changes in what is given, as long as it says enough', async () => {
    const annotation = await ours.annotation({ traceId, critique: 'Fine.' });
    const { id } = annotation;
    const short = await put(id, { verdict: false });
    expect(short.status).toBe(422);
    expect(short.json).toMatchObject({ issues: [{ code: 'too_small', path: ['critique'] }] });
    expect((await put(id, { verdict: false, critique: CRITIQUE })).json).toMatchObject({
      data: { verdict: false, critique: CRITIQUE, traceId, createdAt: annotation.createdAt },
    });
    expect((await put(id, { critique: null })).status).toBe(422);
    expect((await put(id, { verdict: true })).json).toMatchObject({ data: { critique: CRITIQUE } });
    expect((await put(id, { critique: null, source: 'TEST_PAGE' })).json).toMatchObject({
      data: { verdict: true, critique: null, source: 'TRACE_PAGE' },
    });
  });

  it('can be deleted, which reopens its queue item within ten minutes', async () => {
    const waiting = await ours.item({ queueId: (await ours.queue()).id, traceId });
    const { id } = await ours.complete(waiting);
    expect((await server.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await server.call(method, `${PATH}/${id}`)).json).toEqual({
        message: 'human annotation not found',
      });
    expect(await item(waiting.id)).toEqual(waiting);
  });

  it('goes with its trace, and no other does', async () => {
    const [gone, kept] = await ours.traces(2);
    await ours.annotation({ traceId: gone, verdict: false, critique: CRITIQUE });
    const annotation = await ours.annotation({ traceId: kept });
    expect((await server.call('DELETE', `/v0/traces/${gone}`)).status).toBe(204);
    expect((await ours.list(`${PATH}?traceId=${gone},${kept}`)).data).toEqual([annotation]);
  });
});

describe('GET /v0/human-annotations', () => {
  let tenant: ReturnType<typeof annotating>;
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  let times: string[];
  beforeAll(async () => {
    tenant = annotating(server, (await server.newTenant()).headers);
    const [first, second] = (await tenant.traces(2)) as [string, string];
    const queued = await tenant.item({ queueId: (await tenant.queue()).id, traceId: second });
    const all: [name: string, body: object][] = [
      ['pass', { traceId: first, annotatorId: 'ada' }],
      [
        'fail',
        { traceId: first, annotatorId: 'bob', verdict: false, critique: CRITIQUE, source: 'TEST_PAGE' },
      ],
      ['queued', { traceId: second, annotatorId: 'ada', source: 'REVIEW_QUEUE', queueItemId: queued.id }],
    ];
    times = [];
    for (const [name, body] of all) {
      const { id, createdAt } = await tenant.annotation(body);
      names.set(id, name);
      times.push(createdAt);
      // So that the dates differ.
      while (new Date().toISOString() <= createdAt) await new Promise((resolve) => setImmediate(resolve));
    }
    ids.set('FIRST', first).set('SECOND', second).set('ITEM', queued.id);
  });

  const found = async (query: string): Promise<string[]> =>
    (await tenant.list(`${PATH}?${query}`)).data.map(({ id }) => names.get(id) as string);

  it.each([
    ['', ['fail', 'pass', 'queued']],
    ['traceId=FIRST', ['fail', 'pass']],
    ['traceId=FIRST,SECOND&verdict=true', ['pass', 'queued']],
    ['verdict=false', ['fail']],
    ['annotatorId=ada', ['pass', 'queued']],
    ['annotatorId=ada&annotatorId=bob&source=TEST_PAGE', ['fail']],
    ['source=TRACE_PAGE,REVIEW_QUEUE', ['pass', 'queued']],
    ['queueItemId=ITEM', ['queued']],
    [`queueItemId=${UNKNOWN}`, []],
    [`traceId=${UNKNOWN}`, []],
    ['startDate=TIME1', ['fail', 'queued']],
    ['endDate=TIME1', ['fail', 'pass']],
    ['startDate=TIME1&endDate=TIME1', ['fail']],
  ])('filters by %s', async (query, expected) => {
    const filled = query
      .replaceAll(/FIRST|SECOND|ITEM/g, (name) => ids.get(name) as string)
      .replaceAll('TIME1', times[1] as string);
    expect((await found(filled)).toSorted()).toEqual(expected);
  });
});
