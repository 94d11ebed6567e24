import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

/** A pattern that takes the square of the length of a text of this letter only. */
const SLOW = { name: 'slow', pattern: '(?:x.*){3}y|x' };
const LETTERS = 'x'.repeat(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function send(text: string): Promise<{ status: number; traceId: string }> {
  const traceId = randomBytes(16).toString('hex');
  const span = {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    name: 'chat',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [{ key: 'note', value: { stringValue: text } }],
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  const { status } = await server.call('POST', '/v1/traces', { body });
  return { status, traceId };
}

it('a slow pattern is suspended with a reason, masks long texts completely, and is no longer suspended once saved', async () => {
  const { call } = server;
  await call('PUT', '/v0/masking', { body: { patterns: [SLOW] } });
  expect((await send(LETTERS)).status).toBe(200);
  const { json, text: rules } = await call('GET', '/v0/masking');
  expect(rules).toMatch(
    /"suspended":\[\{"name":"slow","until":"[^"]+","reason":"It took \d+ ms for each million/,
  );
  const { text: metrics } = await call('GET', '/metrics');
  expect(metrics).toMatch(/touchstone_suspended_masking_patterns 1\b/);

  const { traceId } = await send(`a private text ${'-'.repeat(300)}`);
  const { text: trace } = await call('GET', `/v0/traces/${traceId}/spans?include=payload`);
  expect(trace).toMatch(/<slow:[\da-f]{12}>/);
  expect(trace).not.toContain('a private text');

  const masked = (body: object) => call('POST', '/v0/masking/preview', { body });
  const long = `a private note ${'-'.repeat(300)}`;
  // The preview shows what is stored now; once rules are saved, nothing is suspended.
  expect((await masked({ text: long })).text).not.toContain('a private note');
  expect((await masked({ text: long, rules: { detectors: [] } })).text).toContain('a private note');

  const { data } = json as { data: object };
  expect(
    await call('PUT', '/v0/masking', { body: { ...data, patterns: [{ ...SLOW, pattern: 'xyz' }] } }),
  ).toMatchObject({
    json: { data: { suspended: [] } },
  });
  const { traceId: later } = await send(`a public text ${'-'.repeat(300)}`);
  const { text: kept } = await call('GET', `/v0/traces/${later}/spans?include=payload`);
  expect(kept).toContain('a public text');
});
