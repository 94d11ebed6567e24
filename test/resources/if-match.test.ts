import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuid } from '../support/spans.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const TRACE = uuid(1);
beforeAll(async () => {
  server = await sharedServer();
  const event = { type: 'trace', traceId: TRACE, timestamp: Date.now(), input: '2+2?', output: '4' };
  await server.call('POST', '/v0/ingest', { body: { events: [event] } });
});
afterAll(() => server.close());

interface Stored {
  id: string;
  modifiedAt: string;
}
/** Returns the record of a response, whatever property contains it. */
const recordOf = (json: unknown): Stored => Object.values(json as Record<string, Stored>)[0] as Stored;

async function create(path: string, body: object): Promise<Stored> {
  const { status, text, json } = await server.call('POST', path, { body });
  expect(status, text).toBe(201);
  return recordOf(json);
}

const DEFINITION = {
  name: 'Short',
  type: 'ASSERT',
  globalConfig: { assertions: [{ type: 'icontains', value: 'a' }] },
};
/** A kind of record: its path, a body that creates one, and a change. */
const KINDS: [path: string, body: object, change: object][] = [
  ['/v0/tags', { name: 'Billing' }, { description: 'New' }],
  ['/v0/topics', { title: 'Returns' }, { description: 'New' }],
  ['/v0/tasks', { title: 'Refund', type: 'STATIC' }, { description: 'New' }],
  ['/v0/definitions', DEFINITION, { name: 'Shorter' }],
  ['/v0/documents', { title: 'Rules', type: 'POLICY', content: 'Be kind.' }, { title: 'New' }],
  ['/v0/experiments', { title: 'Shorter prompts' }, { description: 'New' }],
  ['/v0/human-annotation-queues', { title: 'Monday' }, { title: 'New' }],
  ['/v0/quickstarts', { name: 'Shop' }, { name: 'New' }],
  [
    '/v0/style-guides',
    { content: [{ heading: 'Tone', content: 'Kind.' }] },
    { heading: 'Tone', content: 'Short.' },
  ],
  [
    '/v0/human-annotations',
    { traceId: TRACE, verdict: true, source: 'TRACE_PAGE' },
    { critique: 'The price is wrong.' },
  ],
  ['/v0/views', { name: 'Failed', screen: 'traces', filter: {} }, { name: 'New' }],
];

it.each(KINDS)(
  'a change of %s is made to the version that its sender has seen, or not at all',
  async (path, body, change) => {
    const { id, modifiedAt } = await create(path, body);
    const put = (version: string | null) =>
      server.call('PUT', `${path}/${id}`, {
        body: change,
        headers: version === null ? {} : { 'if-match': version },
      });
    const read = async (): Promise<Stored> => recordOf((await server.call('GET', `${path}/${id}`)).json);
    const before = await read();

    for (const other of ['"2020-01-01T00:00:00.000Z"', '"something"', 'x', ',']) {
      const { status, text } = await put(other);
      expect([status, text], other).toEqual([412, expect.stringContaining(modifiedAt)]);
      expect(await read()).toEqual(before);
    }
    for (const accepted of [null, '*', ' "2020-01-01T00:00:00.000Z", W/"LATEST"', '"LATEST"']) {
      const { modifiedAt: latest } = await read();
      const { status, text } = await put(accepted?.replace('LATEST', latest) ?? null);
      expect(status, text).toBe(200);
    }
  },
);

it('two changes at once, made from the same version, are one change and one conflict', async () => {
  const { id } = await create('/v0/tags', { name: 'Shipping' });
  for (let times = 0; times < 20; times += 1) {
    const { modifiedAt } = recordOf((await server.call('GET', `/v0/tags/${id}`)).json);
    const put = (description: string) =>
      server.call('PUT', `/v0/tags/${id}`, {
        body: { description },
        headers: { 'if-match': `"${modifiedAt}"` },
      });
    const statuses = (await Promise.all(['One', 'Two'].map(put))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412]);
  }
});

it('a change of an application is made to the version that its sender has seen, or not at all', async () => {
  const path = `/v0/applications/${server.applicationId}`;
  const { modifiedAt } = recordOf((await server.call('GET', path)).json);
  const put = (version: string) =>
    server.call('PUT', path, { body: { description: 'New' }, headers: { 'if-match': version } });
  expect((await put('"2020-01-01T00:00:00.000Z"')).status).toBe(412);
  expect((await put(`"${modifiedAt}"`)).status).toBe(200);
});
