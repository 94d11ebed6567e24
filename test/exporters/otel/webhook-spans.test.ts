import { context, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TouchstoneSpanProcessor } from '../../../exporters/otel/src/processor.ts';
import { register } from '../../../exporters/otel/src/register.ts';
import type { RegisterOptions, Touchstone } from '../../../exporters/otel/src/registration.ts';
import { createWebhookHandler, type WebhookOptions } from '../../../exporters/otel/src/webhook.ts';
import { toNodeListener } from '../../../exporters/otel/src/webhook-node.ts';
import { startServer } from '../../support/server.ts';
import { type Behaviour, type Receiver, startReceiver } from './support/receiver.ts';
import { CREDENTIALS, listenToDiag, setContextManager } from './support/tracing.ts';
import {
  answerOf,
  newDelivery,
  newSecret,
  newTraceContext,
  post,
  serve,
  toRequest,
} from './support/webhook.ts';

const SECRET = newSecret();
const TEST_ID = 'service.test.id';

let said: string[];
const toDispose: (() => PromiseLike<void>)[] = [];
beforeEach(() => {
  said = listenToDiag();
});
afterEach(async () => {
  for (const dispose of toDispose.splice(0).reverse()) await dispose();
  trace.disable();
  context.disable();
  propagation.disable();
});

async function receive(behave?: Behaviour): Promise<Receiver> {
  const receiver = await startReceiver(behave);
  toDispose.push(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

/** Sends nothing by itself, so that only a flush does. */
function registerAt(url: string, options: RegisterOptions = {}): Touchstone {
  const touchstone = register({ ...CREDENTIALS, url, delayMillis: 600_000, ...options });
  toDispose.push(() => touchstone.shutdown().catch(() => undefined));
  return touchstone;
}

const endSpan = (name: string): void => trace.getTracer('app').startSpan(name).end();

const newHandler = (options: Partial<WebhookOptions> = {}) =>
  createWebhookHandler({ secret: SECRET, run: () => endSpan('answer'), ...options });

/** A delivery within a trace, and the ids it carries. */
function tracedDelivery() {
  const testId = randomUUID();
  const { traceId, spanId, headers } = newTraceContext(testId);
  return { traceId, spanId, ...newDelivery(SECRET, { testId }, headers), testId };
}

describe('the spans of a run', () => {
  it('are children of their own delivery and belong to its test, with twenty at once', async () => {
    const receiver = await receive();
    registerAt(receiver.url);
    const app = await serve(
      toNodeListener(
        newHandler({
          run: async ({ testId }) => {
            await sleep(Math.random() * 10);
            await trace.getTracer('app').startActiveSpan(`${testId} answer`, async (span) => {
              await sleep(Math.random() * 10);
              endSpan(`${testId} model`);
              span.end();
            });
          },
        }),
      ),
    );
    toDispose.push(() => app[Symbol.asyncDispose]());

    const deliveries = Array.from({ length: 20 }, tracedDelivery);
    const answers = await Promise.all(deliveries.map((delivery) => post(app.url, delivery)));
    expect(answers.map(({ status }) => status)).toEqual(deliveries.map(() => 200));

    const spans = receiver.spans();
    expect(spans).toHaveLength(40);
    for (const { testId, traceId, spanId } of deliveries) {
      const answer = spans.find(({ name }) => name === `${testId} answer`);
      const model = spans.find(({ name }) => name === `${testId} model`);
      expect(answer).toMatchObject({ traceId, parentSpanId: spanId, attributes: { [TEST_ID]: testId } });
      expect(model).toMatchObject({
        traceId,
        parentSpanId: answer?.spanId,
        attributes: { [TEST_ID]: testId },
      });
    }
  });

  const otherPropagator: TextMapPropagator = {
    fields: () => ['x-other-trace'],
    inject: () => undefined,
    extract: (given) => given,
  };

  it.each([
    ['no propagator', undefined],
    ['a propagator that does not know W3C trace context', otherPropagator],
  ])('are children of the delivery in an app with %s', async (_, propagator) => {
    const receiver = await receive();
    registerAt(receiver.url);
    propagation.disable();
    if (propagator) propagation.setGlobalPropagator(propagator);
    const delivery = tracedDelivery();
    let baggage: string | undefined;
    const run = (): void => {
      endSpan('answer');
      baggage = propagation.getBaggage(context.active())?.getEntry(TEST_ID)?.value;
    };
    await newHandler({ run })(toRequest(delivery));
    expect(receiver.spans()).toMatchObject([
      {
        traceId: delivery.traceId,
        parentSpanId: delivery.spanId,
        attributes: { [TEST_ID]: delivery.testId },
      },
    ]);
    expect(baggage).toBe(delivery.testId);
  });

  it("are children of the span of the app's HTTP server, when that continued the delivery", async () => {
    const receiver = await receive();
    registerAt(receiver.url);
    const [continued, another] = [tracedDelivery(), tracedDelivery()];
    for (const delivery of [continued, another]) {
      const incoming = propagation.extract(ROOT_CONTEXT, continued.headers);
      const server = trace.getTracer('http').startSpan('POST', {}, incoming);
      await context.with(trace.setSpan(incoming, server), () => newHandler()(toRequest(delivery)));
      server.end();
      expect(receiver.spans().at(-1)).toMatchObject({
        traceId: delivery.traceId,
        parentSpanId: delivery === continued ? server.spanContext().spanId : delivery.spanId,
      });
    }
  });

  it.each([{}, { traceparent: 'garbage' }, { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }])(
    'belong to the test without a trace context too (%o)',
    async (headers) => {
      const receiver = await receive();
      registerAt(receiver.url);
      const delivery = newDelivery(SECRET, {}, headers);
      await newHandler()(toRequest(delivery));
      const [span] = receiver.spans();
      expect(span?.attributes).toEqual({ [TEST_ID]: delivery.testId });
      expect(span?.parentSpanId).toBe(undefined);
    },
  );

  it('are stored and found by the test when the response arrives', async () => {
    const server = await startServer();
    toDispose.push(() => server.close());
    registerAt(server.url, { apiKey: server.apiKey, applicationId: server.applicationId, strict: true });
    const delivery = tracedDelivery();

    expect(await answerOf(newHandler()(toRequest(delivery)))).toEqual({ status: 200, body: { ok: true } });
    const { json } = await server.call('GET', `/v0/traces?testId=${delivery.testId}`);
    expect(json).toMatchObject({ data: [{ otelTraceId: delivery.traceId, spanCount: 1 }] });
  });
});

describe('the answer', () => {
  it.each<[string, () => unknown, number]>([
    ['succeeded', () => undefined, 200],
    ['failed', () => Promise.reject(new Error('no model')), 500],
  ])('of a run that %s waits until the spans are stored', async (_, end, status) => {
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
    const receiver = await receive((_n, _request, response) => {
      resolve(response);
      return null;
    });
    registerAt(receiver.url);
    const run = (): unknown => {
      endSpan('answer');
      return end();
    };
    const answering = newHandler({ run })(toRequest(newDelivery(SECRET)));
    const storing = await asked;
    const turns = (async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return 'not answered';
    })();
    expect(await Promise.race([answering, turns])).toBe('not answered');
    storing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await answering).status).toBe(status);
  });

  it('does not wait for the spans longer than its limit', async () => {
    const receiver = await receive(() => null);
    registerAt(receiver.url, { timeoutMillis: 500 });
    const answer = await answerOf(newHandler({ flushTimeoutMs: 20 })(toRequest(newDelivery(SECRET))));
    expect(answer.status).toBe(200);
    // A busy machine may have reached the other limit too, and said that the span was lost.
    expect(said.filter((line) => !line.includes('span was lost'))).toEqual([
      'touchstone: spans were not sent within 20 ms; the test is answered before',
    ]);
  });

  const LOST =
    'Spans were lost: 0 dropped, 1 not delivered, 0 rejected, 0 of tests not sampled (since the start)';

  it('is 500 in strict mode when spans were lost, and 200 in the next test that loses none', async () => {
    const receiver = await receive((n) => (n === 0 ? { status: 400 } : {}));
    registerAt(receiver.url, { strict: true });
    const heard: unknown[] = [];
    const handler = newHandler({ onError: (error) => heard.push((error as Error).name) });
    const send = () => answerOf(handler(toRequest(newDelivery(SECRET))));
    expect(await send()).toEqual({ status: 500, body: { message: LOST } });
    expect(await send()).toEqual({ status: 200, body: { ok: true } });
    expect(heard).toEqual(['SpanLossError']);
  });

  it('is 500 in strict mode for every test that ran while spans were lost', async () => {
    const receiver = await receive(() => ({ status: 400 }));
    registerAt(receiver.url, { strict: true });
    const handler = newHandler({ onError: () => undefined });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => answerOf(handler(toRequest(newDelivery(SECRET))))),
    );
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
  });

  it('says what the app threw, when spans were lost too', async () => {
    const receiver = await receive(() => ({ status: 400 }));
    registerAt(receiver.url, { strict: true });
    const run = (): never => {
      endSpan('answer');
      throw new Error('no model');
    };
    expect(await answerOf(newHandler({ run })(toRequest(newDelivery(SECRET))))).toEqual({
      status: 500,
      body: { message: 'no model' },
    });
  });

  it('is 200 without strict mode when spans were lost', async () => {
    const receiver = await receive(() => ({ status: 400 }));
    registerAt(receiver.url);
    expect(await answerOf(newHandler()(toRequest(newDelivery(SECRET))))).toMatchObject({ status: 200 });
    expect(said).toEqual([
      `touchstone: 1 spans were lost: HTTP 400 from ${receiver.url}. Check TOUCHSTONE_URL.`,
    ]);
  });
});

describe('what is flushed', () => {
  /** An app with a provider of its own. */
  function setProvider(url: string, strict = false): TouchstoneSpanProcessor {
    const failing = {
      onStart: () => undefined,
      onEnd: () => undefined,
      forceFlush: () => Promise.reject(new Error('another backend is down')),
      shutdown: async () => undefined,
    };
    const processor = new TouchstoneSpanProcessor({ ...CREDENTIALS, url, strict, delayMillis: 600_000 });
    const provider = new BasicTracerProvider({ spanProcessors: [failing, processor] });
    setContextManager();
    trace.setGlobalTracerProvider(provider);
    toDispose.push(() => provider.shutdown().catch(() => undefined));
    return processor;
  }

  it("is the app's own provider, of which another processor may fail", async () => {
    const receiver = await receive();
    setProvider(receiver.url);
    expect(await answerOf(newHandler()(toRequest(newDelivery(SECRET))))).toMatchObject({ status: 200 });
    expect(receiver.spans()).toHaveLength(1);
    expect(said).toEqual(['touchstone: a span processor failed to flush']);
  });

  it('distinguishes a loss in strict mode from the failure of another processor', async () => {
    const receiver = await receive(() => ({ status: 400 }));
    setProvider(receiver.url, true);
    const answer = await answerOf(newHandler()(toRequest(newDelivery(SECRET))));
    expect(answer).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/^Spans were lost: /) as string },
    });
  });

  it.each(['processor', 'what register() returned'])('is the handle that was given: %s', async (kind) => {
    const receiver = await receive();
    let flushes = 0;
    const flush = async (): Promise<void> => void (flushes += 1);
    const touchstone = kind === 'processor' ? { forceFlush: flush } : { flush };
    setProvider(receiver.url);
    await newHandler({ touchstone })(toRequest(newDelivery(SECRET)));
    expect([flushes, receiver.requests.length]).toEqual([1, 0]);
  });

  it('is nothing in an app without OpenTelemetry, which diag says', async () => {
    expect(await answerOf(newHandler()(toRequest(newDelivery(SECRET))))).toMatchObject({ status: 200 });
    expect(said).toEqual([
      'touchstone: no context manager is set, so spans cannot be linked to tests; call register()',
      'touchstone: no tracer provider is set, so there are no spans of the test; call register()',
    ]);
  });

  it('fails in strict mode when register() changed nothing', async () => {
    const receiver = await receive();
    setProvider(receiver.url);
    const touchstone = registerAt(receiver.url, { strict: true });
    const answer = await answerOf(newHandler({ touchstone })(toRequest(newDelivery(SECRET))));
    expect(answer).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/^register\(\) changed nothing/) as string },
    });
  });
});
