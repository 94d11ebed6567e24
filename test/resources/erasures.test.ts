import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/process.ts';
import { spanHex, traceBytes } from '../support/spans.ts';
import { requestOf } from '../support/otlp-json.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

interface Receipt {
  id: string;
  status: string;
  subjectHash: string;
  counts: Record<string, number>;
}

/** Sends a trace of one span, which quotes a text that must not remain. */
async function send(trace: number, attributes: Readonly<Record<string, string>>): Promise<void> {
  const body = requestOf({
    traceId: traceBytes(trace).toString('hex'),
    spanId: spanHex(1),
    name: 'call',
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000000500000000',
    attributes: Object.entries({ 'input.value': `private ${trace}`, ...attributes }).map(([key, text]) => ({
      key,
      value: { stringValue: text },
    })),
  });
  const headers = { 'content-type': 'application/json' };
  expect(await server.call('POST', '/v1/traces', { headers, body })).toMatchObject({ status: 200 });
}

/** Returns the receipt of an erasure when it is complete. */
const erase = async (body: object): Promise<Receipt> => {
  const { status, json } = await server.call('POST', '/v0/erasures', { body });
  expect(status).toBe(201);
  const { id } = (json as { data: Receipt }).data;
  const read = async (): Promise<Receipt> =>
    ((await server.call('GET', `/v0/erasures/${id}`)).json as { data: Receipt }).data;
  return until(read, ({ status: reached }) => reached === 'COMPLETED');
};
const total = async (query: string): Promise<number> => {
  const { json } = await server.call('GET', `/v0/traces?${query}`);
  return (json as { pagination: { total: number } }).pagination.total;
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('an erasure', () => {
  it('of a user deletes all of their traces and nothing of others, with a receipt that does not name them', async () => {
    for (let trace = 1; trace <= 120; trace++)
      await send(trace, { 'user.id': trace <= 110 ? 'ada@example.com' : 'bob', 'session.id': `s${trace}` });
    const annotation = { traceId: traceBytes(1).toString('hex'), verdict: true, source: 'TRACE_PAGE' };
    expect((await server.call('POST', '/v0/human-annotations', { body: annotation })).text).toContain(
      'verdict',
    );

    const receipt = await erase({ userId: 'ada@example.com' });
    expect(receipt).toMatchObject({
      status: 'COMPLETED',
      subjectHash: sha256('ada@example.com'),
      counts: { traces: 110, spans: 110, annotations: 1 },
    });
    expect(await total('userId=ada@example.com')).toBe(0);
    expect(await total('userId=bob')).toBe(10);

    const { text } = await server.call('GET', `/v0/erasures?subjectHash=${sha256('ada@example.com')}`);
    expect(text).toContain(receipt.id);
    expect(text).not.toContain('ada@example.com');
    const audit = await server.call('GET', '/v0/audit?action=createErasure');
    expect(audit.text).toContain(receipt.id);
    expect(audit.text).not.toContain('ada@example.com');
  });

  it('of a session deletes that session, and its later spans are rejected', async () => {
    await send(201, { 'session.id': 'one' });
    await send(202, { 'session.id': 'two' });
    expect(await erase({ sessionId: 'one' })).toMatchObject({ counts: { traces: 1 } });
    expect(await total('sessionId=one')).toBe(0);
    expect(await total('sessionId=two')).toBe(1);
    await send(201, { 'session.id': 'one' });
    expect(await total('sessionId=one')).toBe(0);
  });

  it('concerns the application of the caller alone', async () => {
    await send(301, { 'user.id': 'eve' });
    const { headers } = await server.newTenant();
    const { json } = await server.call('POST', '/v0/erasures', { headers, body: { userId: 'eve' } });
    expect(JSON.stringify(json)).toContain('"traces":0');
    expect(await total('userId=eve')).toBe(1);
  });

  it.each([
    ['neither id', {}],
    ['both ids', { userId: 'a', sessionId: 'b' }],
    ['an empty id', { userId: '' }],
  ])('is rejected with %s', async (_name, body) => {
    expect((await server.call('POST', '/v0/erasures', { body })).status).toBe(422);
  });

  it('needs the scope admin', async () => {
    const headers = await server.newKey(['read', 'write']);
    expect((await server.call('POST', '/v0/erasures', { headers, body: { userId: 'a' } })).status).toBe(403);
  });
});

describe('touchstone erase', () => {
  it('does the same beside a running server, and is audited', async () => {
    const user = randomUUID();
    await send(401, { 'user.id': user });
    const ended = await run([
      'erase',
      '--user',
      user,
      '--application-id',
      server.applicationId,
      '--data-dir',
      server.folder,
      '--json',
    ]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const receipt = JSON.parse(ended.stdout) as Receipt;
    expect(receipt).toMatchObject({ status: 'COMPLETED', counts: { traces: 1 } });
    expect(await total(`userId=${user}`)).toBe(0);
    const audit = await server.call('GET', '/v0/audit?action=createErasure&actorId=command-line');
    expect(audit.text).toContain(receipt.id);
  });

  it('needs one id', async () => {
    expect(await run(['erase', '--data-dir', server.folder])).toMatchObject({
      code: 1,
      stderr: 'erase needs either --user or --session: an id of 1 to 1000 characters.\n',
    });
  });
});
