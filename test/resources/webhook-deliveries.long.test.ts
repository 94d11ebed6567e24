import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertDelivery } from '../../src/deliver/delivery-store.ts';
import { formatUuid, parseId } from '../../src/traces/ids.ts';
import { besideServer } from '../support/beside-store.ts';
import { answer, type Behaviour, breakOff, hang, startCustomerApp } from '../support/customer-app.ts';
import { startServer } from '../support/server.ts';
import { type Json, useWebhook } from './webhook-support.ts';

const { server, app, make, get, post, deliveries, sampled } = useWebhook();

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const TOKEN = 'Bearer very-secret-credential';
const APPLICATION = '(SELECT application FROM application WHERE id = ?)';

describe('a test of the webhook', () => {
  it('sends a signed sample with its trace context and the configured headers', async () => {
    const { webhookSecret } = await make({ headers: { Authorization: TOKEN } });
    expect((await post('/v0/webhook/test')).json).toEqual({ success: true, statusCode: 200 });

    const { method, path, headers, body } = app().last();
    expect([method, path]).toEqual(['POST', '/webhook']);
    const payload = JSON.parse(body) as { testId: string };
    expect(payload).toEqual({
      prompt: expect.stringContaining('sample') as string,
      testId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      metadata: { sample: true },
    });
    const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${String(headers['x-service-timestamp'])}.${body}`);
    expect(headers).toMatchObject({
      authorization: TOKEN,
      'content-type': 'application/json',
      'x-service-signature': hmac.digest('hex'),
      'webhook-id': payload.testId,
      baggage: `service.test.id=${payload.testId}`,
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string,
    });
  });

  it('stores the span of the delivery before it answers', async () => {
    await make();
    await post('/v0/webhook/test');
    const [, traceId, spanId] = (app().last().headers['traceparent'] as string).split('-');
    const { json } = await server().call('GET', `/v0/traces/${traceId}/spans?include=payload`);
    expect(json).toMatchObject({ data: [{ id: spanId, name: 'POST webhook', status: { code: 'OK' } }] });
  });

  it.each<[what: string, Behaviour, statusCode: number, error: string]>([
    ['201', answer(201), 201, 'exactly 200'],
    ['204', answer(204), 204, 'exactly 200'],
    ['a redirect', answer(302, '', { location: '/elsewhere' }), 302, 'Redirects are not followed'],
    ['401', answer(401), 401, 'verifies the signature'],
    ['500', answer(500), 500, "app's log"],
    ['nothing at all', breakOff, 0, 'check its log'],
    ['nothing in time', hang, 0, 'Within 5000 ms no response arrived'],
  ])('tells that the app answered %s, once', async (_what, behaviour, statusCode, error) => {
    await make({ timeoutMs: behaviour === hang ? 5_000 : 120_000 });
    app().behave(behaviour);
    const before = app().received.length;
    const { status, json } = await post('/v0/webhook/test');
    expect(status).toBe(200);
    expect(json).toEqual({
      success: false,
      statusCode,
      error: expect.stringContaining(error) as string,
    });
    expect(app().received.length - before).toBe(1);
  });

  it('says that no program listens, and tries once', async () => {
    const gone = await startCustomerApp();
    await gone.close();
    await make({ url: gone.url });
    expect((await post('/v0/webhook/test')).json).toMatchObject({ success: false, statusCode: 0 });
    expect(await deliveries('?outcome=not_sent')).toMatchObject([{ url: gone.url, attempt: 1 }]);
  });

  it('needs a webhook that is switched on', async () => {
    expect((await post('/v0/webhook/test')).status).toBe(409);
    await make({ enabled: false });
    expect((await post('/v0/webhook/test')).status).toBe(409);
  });

  it.each(['via', 'forwarded', 'x-forwarded-for', 'x-real-ip'])(
    'calls loopback as before after a request with %s: no request decides that',
    async (header) => {
      await make();
      await fetch(`${server().url}/healthz`, { headers: { [header]: '192.0.2.1' } });
      expect((await post('/v0/webhook/test')).json).toMatchObject({ success: true });
    },
  );

  it.each([{ trustedProxies: ['127.0.0.1'] }, { publicUrl: 'https://touchstone.example.com' }])(
    'does not call loopback with %j, unless it is allowed by name',
    async (config) => {
      const body = { url: app().url };
      const closed = await startServer({ config });
      expect((await closed.call('POST', '/v0/webhook', { body })).status).toBe(422);
      await closed.close();
      const open = await startServer({ config: { ...config, outboundAllow: ['127.0.0.1'] } });
      expect((await open.call('POST', '/v0/webhook', { body })).status).toBe(201);
      await open.close();
    },
  );

  it('is one of four at most that are in progress', async () => {
    await make();
    const waiting: (() => void)[] = [];
    const { promise: allThere, resolve } = Promise.withResolvers<void>();
    app().behave((_request, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 4) resolve();
    });
    const four = Array.from({ length: 4 }, () => post('/v0/webhook/test'));
    await allThere;
    expect((await post('/v0/webhook/test')).status).toBe(429);
    for (const release of waiting) release();
    const answers = await Promise.all(four);
    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ success: true, statusCode: 200 })));
    app().behave(answer(200));
    expect((await post('/v0/webhook/test')).status).toBe(200);
  });

  it('has its id kept for a day after it was sent last', async () => {
    await make();
    const day = 24 * 60 * 60 * 1_000;
    const old = randomUUID();
    const setAge = (testId: string, ms: number): void =>
      void besideServer(server().folder, (database) =>
        database.run(
          `REPLACE INTO sample_test (application, test_id, created_at) VALUES (${APPLICATION}, ?, ?)`,
          server().applicationId,
          parseId(testId),
          Date.now() - ms,
        ),
      );
    const kept = (): string[] =>
      besideServer(server().folder, (database) =>
        database
          .all<{ id: Buffer }>(
            `SELECT test_id AS id FROM sample_test WHERE application = ${APPLICATION}`,
            server().applicationId,
          )
          .map(({ id }) => formatUuid(id)),
      );
    setAge(old, day - 60_000);
    const { id, testId } = await sampled();
    expect(kept()).toEqual(expect.arrayContaining([old, testId]));
    setAge(old, day + 60_000);
    setAge(testId, day + 60_000);
    await post(`/v0/webhook/deliveries/${id}/replay`);
    expect(kept()).toContain(testId);
    expect(kept()).not.toContain(old);
  });
});

describe('a delivery', () => {
  it('shows its request and its response, and never the value of a configured header', async () => {
    await make({ headers: { Authorization: TOKEN } });
    app().behave(answer(418, 'Grüße', { 'x-app': 'teapot' }));
    const { id } = await sampled();
    const { headers, body } = app().last();
    const { testId } = JSON.parse(body) as { testId: string };
    const listed = {
      id,
      orgId: server().orgId,
      applicationId: server().applicationId,
      testId,
      attempt: 1,
      isSample: true,
      replayOf: null,
      url: app().url,
      outcome: 'answered',
      statusCode: 418,
      message: 'The webhook responded with status 418: “Grüße”',
      sentAt: new Date(Number(headers['x-service-timestamp'])).toISOString(),
      finishedAt: expect.stringMatching(/Z$/) as string,
      timings: expect.objectContaining({ totalMs: expect.any(Number) as number }) as Json,
    };
    expect(await deliveries(`?testId=${testId}`)).toEqual([listed]);
    const shown = await get(`/v0/webhook/deliveries/${id}`);
    expect(shown).toMatchObject({
      ...listed,
      request: {
        headers: {
          Authorization: '***',
          'x-service-signature': headers['x-service-signature'],
          traceparent: headers['traceparent'],
        },
        body,
        encoding: 'utf8',
      },
      response: { headers: { 'x-app': 'teapot' }, body: 'Grüße', encoding: 'utf8' },
    });
    expect(JSON.stringify(shown)).not.toContain(TOKEN);
  });

  it.each<[what: string, bytes: Buffer, body: string, encoding: string]>([
    ['bytes that are no text as base64', Buffer.from([0xff, 0x00]), '/wA=', 'base64'],
    ['an empty body as text', Buffer.alloc(0), '', 'utf8'],
    ['a byte order mark as it came', Buffer.from('\ufeffa'), '\ufeffa', 'utf8'],
    [
      'a long text up to the last whole character kept',
      Buffer.from(`a${'é'.repeat(20_000)}`),
      `a${'é'.repeat(8_191)}`,
      'utf8',
    ],
  ])('shows %s', async (_what, bytes, body, encoding) => {
    await make();
    app().behave(answer(200, bytes));
    const { id } = await sampled();
    expect((await get(`/v0/webhook/deliveries/${id}`))['response']).toMatchObject({ body, encoding });
  });

  it('shows no response when there was none', async () => {
    await make();
    app().behave(breakOff);
    const { id } = await sampled();
    expect(await get(`/v0/webhook/deliveries/${id}`)).toMatchObject({
      outcome: 'lost',
      statusCode: null,
      response: null,
    });
  });

  it('is found by test, outcome and kind, in the order that is requested', async () => {
    await make();
    const first = await sampled();
    app().behave(breakOff);
    const second = await sampled();
    const ids = async (query: string): Promise<string[]> =>
      (await deliveries(`?testId=${first.testId},${second.testId}&${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('orderDir=asc')).toEqual([first.id, second.id]);
    expect(await ids('limit=1&skip=1')).toEqual([first.id]);
    expect(await ids('outcome=lost')).toEqual([second.id]);
    expect(await ids('isSample=true')).toHaveLength(2);
    expect(await ids('isSample=false')).toEqual([]);
    expect(await deliveries(`?testId=${UNKNOWN}`)).toEqual([]);
  });

  it.each(['?orderBy=url', '?outcome=x', '?isSample=1', '?testId=x', '?limit=101', '/x'])(
    'is not requested by %s',
    async (rest) => {
      expect((await server().call('GET', `/v0/webhook/deliveries${rest}`)).status).toBe(422);
    },
  );
});

describe('a replay', () => {
  it('sends the same bytes of a sample with a new timestamp and signature, in the same trace', async () => {
    await make();
    app().behave(answer(500));
    const { id, testId } = await sampled();
    const sent = app().last();
    app().behave(answer(200));
    const { status, json } = await post(`/v0/webhook/deliveries/${id}/replay`);
    const again = app().last();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: {
        testId,
        replayOf: id,
        attempt: 2,
        isSample: true,
        statusCode: 200,
        request: { body: sent.body },
      },
    });
    expect(again.body).toBe(sent.body);
    for (const name of ['x-service-signature', 'x-service-timestamp', 'traceparent'])
      expect(again.headers[name]).not.toBe(sent.headers[name]);
    const traceOf = ({ headers }: typeof sent): string => String(headers['traceparent']).slice(0, 35);
    expect(traceOf(again)).toBe(traceOf(sent));
    const spans = await server().call('GET', `/v0/traces/${traceOf(sent).slice(3)}/spans`);
    expect((spans.json as { data: unknown[] }).data).toHaveLength(2);
  });

  /** A delivered test as the store has it; the id of its delivery. */
  function storeTest(status: string, phase: string, failure: Json | null): { id: string; testId: string } {
    const [id, testId] = [randomUUID(), randomUUID()];
    besideServer(server().folder, (database) => {
      const { application } = database.get<{ application: number }>(
        'SELECT application FROM application WHERE id = ?',
        server().applicationId,
      ) as { application: number };
      database.run(
        `INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, failure, prompt, trace_id, created_at,
           modified_at)
         VALUES (:testId, :application, :taskId, :taskId, 'MANUAL', :status, :phase, :failure, 'Hi', :traceId, 0, 0)`,
        {
          testId,
          application,
          taskId: randomUUID(),
          status,
          phase,
          failure: failure && JSON.stringify(failure),
          traceId: Buffer.alloc(16, 5),
        },
      );
      insertDelivery(database, {
        id,
        application,
        testId,
        attempt: 1,
        isSample: false,
        replayOf: null,
        url: app().url,
        sentAt: 1,
        spanId: Buffer.alloc(8, 5),
        requestHeaders: { traceparent: `00-${'05'.repeat(16)}-${'05'.repeat(8)}-01` },
        requestBody: Buffer.from(JSON.stringify({ prompt: 'Hi', testId })),
      });
    });
    return { id, testId };
  }
  const stateOf = (testId: string): Json =>
    besideServer(server().folder, (database) =>
      database.get<Json>(
        `SELECT status, phase, failure, delivered_at AS deliveredAt, unknown_since AS unknownSince FROM test WHERE id = ?`,
        testId,
      ),
    ) as Json;
  const FAILURE = { code: 'webhook_status', message: 'It answered 500.', hint: 'See its log.' };

  it('takes a failed test up again when it is answered 200', async () => {
    await make();
    const { id, testId } = storeTest('FAILED', 'done', FAILURE);
    const { json } = await post(`/v0/webhook/deliveries/${id}/replay`);
    expect(json).toMatchObject({ data: { testId, replayOf: id, isSample: false, statusCode: 200 } });
    expect(app().last().headers['traceparent']).toContain('05'.repeat(16));
    expect(stateOf(testId)).toEqual({
      status: 'IN_PROGRESS',
      phase: 'delivered',
      failure: null,
      deliveredAt: expect.any(Number) as number,
      unknownSince: null,
    });
  });

  it('leaves a failed test as it is when it is answered otherwise', async () => {
    await make();
    app().behave(answer(503));
    const { id, testId } = storeTest('FAILED', 'done', FAILURE);
    const { status, json } = await post(`/v0/webhook/deliveries/${id}/replay`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ data: { statusCode: 503 } });
    expect(stateOf(testId)).toMatchObject({ status: 'FAILED', failure: JSON.stringify(FAILURE) });
  });

  it.each([
    ['IN_PROGRESS', 'delivered'],
    ['COMPLETED', 'done'],
  ])('is not made of a test that is %s', async (status, phase) => {
    await make();
    const { id } = storeTest(status, phase, null);
    const before = app().received.length;
    const reply = await post(`/v0/webhook/deliveries/${id}/replay`);
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining(status)]);
    expect(app().received.length).toBe(before);
  });

  it('needs a webhook', async () => {
    const { id } = storeTest('FAILED', 'done', FAILURE);
    expect((await post(`/v0/webhook/deliveries/${id}/replay`)).status).toBe(409);
  });
});
