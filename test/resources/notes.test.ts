import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../support/people.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { annotating } from './annotation-support.ts';

let server: TestServer;
let ann: Person;
let traceId: string;
beforeAll(async () => {
  server = await sharedServer();
  ann = addPerson(server, server, { role: 'annotator', name: 'Ann' });
  [traceId = ''] = await annotating(server).traces(1);
});
afterAll(() => server.close());

const as = ({ headers }: Person) => ({ 'x-api-key': null, 'x-application-id': null, ...headers });
const write = async (more: object, headers = {}) =>
  (await server.ok('POST', '/v0/notes', { body: { traceId, text: 'Promises too early.', ...more }, headers }))
    .data;

describe('a note', () => {
  it('is on words of the output, unless it names the input', async () => {
    expect(await write({ start: 0, end: 5, quote: 'Hello' }, as(ann))).toMatchObject({
      traceId,
      field: 'OUTPUT',
      start: 0,
      end: 5,
      quote: 'Hello',
      issueId: null,
      createdBy: { type: 'user', id: ann.id, name: 'Ann' },
    });
    expect(await write({ start: 1, end: 3, field: 'INPUT' })).toMatchObject({ field: 'INPUT', quote: null });
    const span = { traceId: randomBytes(16).toString('hex'), spanId: '00f067aa0ba902b7', name: 'chat' };
    const times = { startTimeUnixNano: '1', endTimeUnixNano: '2' };
    const sent = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] };
    expect((await server.call('POST', '/v1/traces', { body: sent })).status).toBe(200);
    const given = { traceId: span.traceId, spanId: span.spanId.toUpperCase() };
    expect(await write(given)).toMatchObject({ field: null, start: null, spanId: span.spanId });
    const body = { traceId, text: 'Nowhere', spanId: span.spanId };
    expect((await server.call('POST', '/v0/notes', { body })).status).toBe(404);
  });

  it.each([
    [{ start: 3 }, ['end']],
    [{ start: 3, end: 3 }, ['end']],
    [{ quote: 'Hello' }, ['start']],
    [{ field: 'INPUT' }, ['start']],
    [{ text: ' ' }, ['text']],
  ])('with %j is rejected', async (more, path) => {
    const body = { traceId, text: 'Odd', ...more };
    const { status, json } = await server.call('POST', '/v0/notes', { body });
    expect(status).toBe(422);
    expect(json).toMatchObject({ issues: [{ path }] });
  });

  it('mentions members only', async () => {
    expect(await write({ mentions: [ann.id] })).toMatchObject({ mentions: [ann.id] });
    const stranger = addPerson(server, await server.newTenant(), { role: 'editor' });
    const body = { traceId, text: 'Look', mentions: [stranger.id] };
    expect((await server.call('POST', '/v0/notes', { body })).status).toBe(404);
  });

  it('is changed and deleted by its creator alone', async () => {
    const { id } = await write({}, as(ann));
    const path = `/v0/notes/${id}` as const;
    const body = { text: 'Another' };
    expect((await server.call('PUT', path, { body })).status).toBe(403);
    expect((await server.call('DELETE', path)).status).toBe(403);
    expect((await server.ok('PUT', path, { body, headers: as(ann) })).data.text).toBe('Another');
    expect((await server.call('DELETE', path, { headers: as(ann) })).status).toBe(204);
    expect((await server.call('GET', path)).status).toBe(404);
  });

  it('is deleted with its trace', async () => {
    const [gone = ''] = await annotating(server).traces(1);
    const { id } = await write({ traceId: gone });
    expect((await server.call('DELETE', `/v0/traces/${gone}`)).status).toBe(204);
    await expect.poll(async () => (await server.call('GET', `/v0/notes/${id}`)).status).toBe(404);
  });
});

it('notes are listed by trace, creator and issue', async () => {
  const tenant = await server.newTenant();
  const { headers } = tenant;
  const [first = '', second = ''] = await annotating(server, headers).traces(2);
  const one = await write({ traceId: first }, headers);
  const two = await write({ traceId: second }, headers);
  const { data: issue } = await server.ok('POST', '/v0/issues', {
    body: { source: 'API', title: 'Early' },
    headers,
  });
  await server.ok('POST', `/v0/issues/${issue.id}/links`, { body: { noteIds: [one.id] }, headers });
  const ids = async (query: string) =>
    (await server.ok('GET', `/v0/notes?${query}`, { headers })).data.map(({ id }) => id);
  expect(await ids(`traceId=${second}`)).toEqual([two.id]);
  expect(await ids('unassigned=true')).toEqual([two.id]);
  expect(await ids('unassigned=false')).toEqual([one.id]);
  expect(await ids(`issueId=${issue.id}`)).toEqual([one.id]);
  expect(await ids('creatorId=nobody')).toEqual([]);
  const traces = async (q: string) =>
    (await server.ok('GET', `/v0/traces?q=${encodeURIComponent(q)}`, { headers })).data.map(({ id }) => id);
  expect((await traces('note:"too early"')).toSorted()).toEqual([first, second].toSorted());
  expect(await traces('has:issue')).toEqual([first]);
  expect(await traces('-has:issue')).toEqual([second]);
});
