import { context, trace } from '@opentelemetry/api';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebhookHandler, type WebhookOptions } from '../../../exporters/otel/src/webhook.ts';
import { CREDENTIALS, listenToDiag } from './support/tracing.ts';
import {
  answerOf,
  type Delivery,
  newDelivery,
  newSecret,
  serve,
  serviceHeaders,
  type Serving,
  standardHeaders,
  toRequest,
} from './support/webhook.ts';

const SECRET = newSecret();

interface Question {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

let api: Serving;
let questions: Question[];
/** What the server answers; null answers nothing. */
let answer: { status: number; body: string; location?: string } | null;
let runs: number;

beforeEach(async () => {
  listenToDiag();
  [questions, runs, answer] = [[], 0, { status: 200, body: '{"valid":true}' }];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await request.toArray()).toString();
    questions.push({ path: request.url ?? '', headers: request.headers, text });
    if (!answer) return;
    const { status, body, location } = answer;
    response
      .writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      .end(body);
  };
  api = await serve((request, response) => void reply(request, response));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  trace.disable();
  context.disable();
  await api[Symbol.asyncDispose]();
});

const deliver = async (delivery: Delivery, options: Partial<WebhookOptions> = {}) =>
  answerOf(
    createWebhookHandler({
      validate: 'api',
      url: api.url,
      ...CREDENTIALS,
      run: () => (runs += 1),
      onError: () => undefined,
      ...options,
    })(toRequest(delivery)),
  );

describe("validate: 'api'", () => {
  it('sends the body on as the very text it arrived as, with signature, timestamp and credentials', async () => {
    const at = Date.now();
    const testId = randomUUID();
    const body = `{ "testId":"${testId}","prompt":"caf\\u00e9 \u2603", "n":1.0,"n":2 }\n`;
    const signature = serviceHeaders(SECRET, body, at);
    const headers = { 'content-type': 'application/json', ...signature };
    expect(await deliver({ body, headers })).toEqual({ status: 200, body: { ok: true } });
    expect(runs).toBe(1);
    expect(questions).toMatchObject([
      {
        path: '/v0/validate-webhook',
        headers: {
          'content-type': 'application/json',
          'x-api-key': CREDENTIALS.apiKey,
          'x-application-id': CREDENTIALS.applicationId,
        },
        text: `{"signature":"${signature['x-service-signature']}","timestamp":${at},"body":${body}}`,
      },
    ]);
  });

  it('rejects what the server calls invalid', async () => {
    answer = { status: 200, body: '{"valid":false}' };
    expect(await deliver(newDelivery(SECRET))).toEqual({
      status: 401,
      body: { message: 'The signature does not match the body, or is too old' },
    });
    expect(runs).toBe(0);
  });

  const body = newDelivery(SECRET).body;
  const { 'x-service-signature': signature = '', 'x-service-timestamp': timestamp = '' } = serviceHeaders(
    SECRET,
    body,
  );

  it.each<[string, Record<string, string>, string, number, string]>([
    [
      'no signature',
      { 'x-service-timestamp': timestamp },
      body,
      401,
      'The header x-service-signature is missing',
    ],
    [
      'the standard signature only',
      standardHeaders(SECRET, body),
      body,
      401,
      'The header x-service-signature is missing',
    ],
    [
      'no timestamp',
      { 'x-service-signature': signature },
      body,
      401,
      'The header x-service-timestamp is missing',
    ],
    [
      'a timestamp that is JSON',
      { 'x-service-signature': signature, 'x-service-timestamp': '1,"x":2' },
      body,
      401,
      'The timestamp is too far from the current time',
    ],
    [
      'a body that ends the question',
      serviceHeaders(SECRET, body),
      '{},"body":{}',
      400,
      'The body is not a JSON object in UTF-8',
    ],
    [
      'a body that is no object',
      serviceHeaders(SECRET, body),
      '[]',
      400,
      'The body is not a JSON object in UTF-8',
    ],
  ])('does not ask about a delivery with %s', async (_, headers, text, status, message) => {
    const delivery = { body: text, headers: { 'content-type': 'application/json', ...headers } };
    expect(await deliver(delivery)).toEqual({ status, body: { message } });
    expect([questions, runs]).toEqual([[], 0]);
  });

  it('writes any signature as a JSON string', async () => {
    const delivery = newDelivery(SECRET, {}, { 'x-service-signature': '","timestamp":0,"x":"\\' });
    await deliver(delivery);
    expect(JSON.parse(questions[0]?.text ?? '')).toMatchObject({ signature: '","timestamp":0,"x":"\\' });
  });

  it.each<[string, { status: number; body: string }, string]>([
    ['an error', { status: 500, body: '{"message":"secret"}' }, 'the Touchstone server answered 500'],
    [
      'that the key is wrong',
      { status: 401, body: '{"message":"secret"}' },
      'the Touchstone server answered 401',
    ],
    ['no JSON', { status: 200, body: '{"valid":tr' }, 'the Touchstone server sent an unexpected response'],
    ['nothing', { status: 200, body: '' }, 'the Touchstone server sent an unexpected response'],
    ['null', { status: 200, body: 'null' }, 'the Touchstone server sent an unexpected response'],
    [
      'a text for yes',
      { status: 200, body: '{"valid":"true"}' },
      'the Touchstone server sent an unexpected response',
    ],
    [
      'too much',
      { status: 200, body: `{"valid":true,"x":"${'y'.repeat(100_000)}"}` },
      'the Touchstone server sent an unexpected response',
    ],
  ])('responds with 503 when the server responds with %s', async (_, given, reason) => {
    answer = given;
    const heard: unknown[] = [];
    expect(await deliver(newDelivery(SECRET), { onError: (error) => heard.push(String(error)) })).toEqual({
      status: 503,
      body: { message: `The signature could not be checked: ${reason}` },
    });
    expect(heard).toEqual([`WebhookError: The signature could not be checked: ${reason}`]);
    expect(runs).toBe(0);
  });

  it('responds with 503 when the server is not there', async () => {
    await api[Symbol.asyncDispose]();
    expect(await deliver(newDelivery(SECRET))).toEqual({
      status: 503,
      body: { message: 'The signature could not be checked: the Touchstone server could not be reached' },
    });
  });

  it('gives its key to no other address that the server names', async () => {
    answer = { status: 307, body: '', location: '/elsewhere' };
    expect(await deliver(newDelivery(SECRET))).toMatchObject({ status: 503 });
    expect(questions.map(({ path }) => path)).toEqual(['/v0/validate-webhook']);
  });

  it('responds with 503 when the server takes longer than 5 seconds', async () => {
    answer = null;
    expect(await deliver(newDelivery(SECRET))).toEqual({
      status: 503,
      body: { message: 'The signature could not be checked: the Touchstone server did not answer in time' },
    });
  });
});

describe('the settings', () => {
  it.each(['', 'v1/traces', 'v0/otel/v1/traces', 'v0/otel/'])(
    'take the address of the server from %s',
    async (path) => {
      await deliver(newDelivery(SECRET), { url: api.url + path });
      expect(questions.map((question) => question.path)).toEqual(['/v0/validate-webhook']);
    },
  );

  it('keep a folder that the server is in', async () => {
    await deliver(newDelivery(SECRET), { url: `${api.url}touchstone` });
    expect(questions.map(({ path }) => path)).toEqual(['/touchstone/v0/validate-webhook']);
  });

  const unset = { url: undefined, apiKey: undefined, applicationId: undefined };

  it.each<[string, (url: string) => Record<string, string>]>([
    [
      'of Touchstone',
      (url) => ({
        TOUCHSTONE_URL: url,
        TOUCHSTONE_API_KEY: CREDENTIALS.apiKey,
        TOUCHSTONE_APPLICATION_ID: CREDENTIALS.applicationId,
      }),
    ],
    [
      'of OpenTelemetry',
      (url) => ({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}v0/otel/traces`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=x,X-Api-Key=${encodeURIComponent(CREDENTIALS.apiKey)}`,
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-application-id = ${CREDENTIALS.applicationId}`,
      }),
    ],
  ])('come from the variables %s', async (_, variables) => {
    for (const [name, value] of Object.entries(variables(api.url))) vi.stubEnv(name, value);
    expect(await deliver(newDelivery(SECRET), unset)).toMatchObject({ status: 200 });
    expect(questions[0]?.headers).toMatchObject({
      'x-api-key': CREDENTIALS.apiKey,
      'x-application-id': CREDENTIALS.applicationId,
    });
    expect(questions[0]?.headers.authorization).toBe(undefined);
  });

  it.each<[string, Partial<WebhookOptions>, string]>([
    ['no key', { ...unset, applicationId: 'a' }, "validate: 'api' needs apiKey or TOUCHSTONE_API_KEY"],
    [
      'no application',
      { ...unset, apiKey: 'k' },
      "validate: 'api' needs applicationId or TOUCHSTONE_APPLICATION_ID",
    ],
    [
      'no address',
      { ...CREDENTIALS, url: 'localhost' },
      "validate: 'api' needs a url that is an http address",
    ],
  ])('are requested at the start when there is %s', (_, options, message) => {
    expect(() => createWebhookHandler({ validate: 'api', run: () => undefined, ...options })).toThrow(
      new TypeError(message),
    );
  });
});
