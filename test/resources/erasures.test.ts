import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceBytes } from '../support/spans.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const { send: sendSpan, erase } = erasing(() => server);
/** Sends a trace of one span, which quotes a text that must not remain. */
const send = (trace: number, attributes: Readonly<Record<string, string>>): Promise<string> =>
  sendSpan(trace, { 'input.value': `private ${trace}`, ...attributes });
const total = async (query: string): Promise<number> => {
  return (await server.ok('GET', `/v0/traces?${query}`)).pagination.total;
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
