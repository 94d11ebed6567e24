import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebhookHandler, type WebhookOptions } from '../../../exporters/otel/src/webhook.ts';
import { Deliveries } from '../../../exporters/otel/src/webhook-deliveries.ts';
import { WebhookError } from '../../../exporters/otel/src/webhook-error.ts';
import { toNodeListener } from '../../../exporters/otel/src/webhook-node.ts';
import { readTest, type WebhookTest } from '../../../exporters/otel/src/webhook-payload.ts';
import { listenToDiag } from './support/tracing.ts';
import {
  answerOf,
  type Delivery,
  newDelivery,
  newSecret,
  post,
  serve,
  serviceHeaders,
  type Serving,
  toRequest,
} from './support/webhook.ts';

const SECRET = newSecret();
const running: Serving[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server[Symbol.asyncDispose]();
});

/** An app behind Node's http server. */
async function startApp(
  options: Partial<WebhookOptions> = {},
): Promise<{ url: string; tests: WebhookTest[] }> {
  const tests: WebhookTest[] = [];
  const run = (test: WebhookTest): void => void tests.push(test);
  const server = await serve(toNodeListener(createWebhookHandler({ secret: SECRET, run, ...options })));
  running.push(server);
  return { url: server.url, tests };
}

/** Signed, whatever the body is. */
const signed = (
  body: string | Buffer,
): { method: string; headers: Record<string, string>; body: string } => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...serviceHeaders(SECRET, body) },
  body: body as string,
});

const testId = randomUUID();
const experiment = { experimentId: randomUUID(), experimentVariantId: randomUUID() };

describe('the app gets', () => {
  it('the test, with fields that are not known yet', async () => {
    const { url, tests } = await startApp();
    const known = {
      metadata: { task: 'returns' },
      promptObject: { city: 'Oslo' },
      experiment: { ...experiment, overrides: { answer: { model: 'small', 'top.p': null } }, round: 2 },
    };
    const delivery = newDelivery(SECRET, { ...known, addedLater: [1, { two: 3 }] });
    expect(await post(url, delivery)).toEqual({ status: 200, body: { ok: true } });

    expect(tests).toMatchObject([{ testId: delivery.testId, prompt: 'Where is my parcel?', ...known }]);
    expect(tests[0]?.payload).toEqual(JSON.parse(delivery.body));
    expect(tests[0]?.overridesFor('answer')).toEqual({ model: 'small', 'top.p': null });
    expect(tests[0]?.overridesFor('other step')).toEqual({});
  });

  it('no field that the delivery does not carry', async () => {
    const { url, tests } = await startApp();
    await post(url, newDelivery(SECRET));
    expect(Object.keys(tests[0] ?? {}).sort()).toEqual([
      'context',
      'overridesFor',
      'payload',
      'prompt',
      'signal',
      'testId',
    ]);
    expect(tests[0]?.overridesFor('answer')).toEqual({});
  });

  it('no overrides for a step with a name that objects have themselves', () => {
    fc.assert(
      fc.property(fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'), (name) => {
        const overrides = { answer: { model: 'small' } };
        const body = JSON.stringify({ testId, prompt: '', experiment: { ...experiment, overrides } });
        expect(readTest(Buffer.from(body)).overridesFor(name)).toEqual({});
      }),
    );
  });
});

describe('a signed delivery gets 400 when its body', () => {
  const NO_OBJECT = 'The body is not a JSON object in UTF-8';
  const NO_TEST_ID = 'The body has no testId that is a UUID';
  const NO_PROMPT = 'The body has no prompt that is a string';
  const NO_EXPERIMENT = 'The experiment in the body does not have the documented form';
  const withExperiment = (given: unknown): string =>
    JSON.stringify({ testId, prompt: 'Hi', experiment: given });

  it.each<[string, string | Buffer, string]>([
    ['is empty', '', NO_OBJECT],
    ['is no JSON', '{"prompt":', NO_OBJECT],
    ['is two values', '{}{}', NO_OBJECT],
    ['is an array', '[]', NO_OBJECT],
    ['is null', 'null', NO_OBJECT],
    ['is a text', '"prompt"', NO_OBJECT],
    ['is not in UTF-8', Buffer.from('{"prompt":"caf\xe9"}', 'latin1'), NO_OBJECT],
    ['begins with a byte order mark', '\ufeff{}', NO_OBJECT],
    ['has no testId', '{"prompt":"Hi"}', NO_TEST_ID],
    ['has a testId that is no UUID', '{"testId":"1","prompt":"Hi"}', NO_TEST_ID],
    ['has a testId that is no text', '{"testId":1,"prompt":"Hi"}', NO_TEST_ID],
    ['has no prompt', JSON.stringify({ testId }), NO_PROMPT],
    ['has a prompt that is no text', JSON.stringify({ testId, prompt: {} }), NO_PROMPT],
    ['has an experiment that is no object', withExperiment('B'), NO_EXPERIMENT],
    ['has an experiment without ids', withExperiment({ overrides: {} }), NO_EXPERIMENT],
    ['has overrides that are no map', withExperiment({ ...experiment, overrides: [] }), NO_EXPERIMENT],
    [
      'has overrides of a step that are no map',
      withExperiment({ ...experiment, overrides: { a: 'b' } }),
      NO_EXPERIMENT,
    ],
  ])('%s', async (_, body, message) => {
    const { url, tests } = await startApp();
    expect(await answerOf(fetch(url, signed(body)))).toEqual({ status: 400, body: { message } });
    expect(tests).toEqual([]);
  });

  it('is anything else', () => {
    const parts = fc.record(
      {
        testId: fc.constantFrom(testId, 'x'),
        prompt: fc.anything(),
        experiment: fc.anything(),
        more: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
      parts.map((fields) =>
        Buffer.from(JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value))),
      ),
    );
    fc.assert(
      fc.property(bodies, fc.string(), (body, step) => {
        try {
          const test = readTest(body);
          expect([test.testId, typeof test.prompt, typeof test.overridesFor(step)]).toEqual([
            testId,
            'string',
            'object',
          ]);
        } catch (error) {
          expect(error).toMatchObject({ name: 'WebhookError', status: 400 });
        }
      }),
    );
  });
});

describe('a request that is no delivery', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s gets 405', async (method) => {
    const { url, tests } = await startApp();
    const response = await fetch(url, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.text()).toBe(
      method === 'HEAD' ? '' : '{"message":"Only POST is allowed on this path"}',
    );

    const handler = createWebhookHandler({ secret: SECRET, run: () => undefined });
    const direct = await handler(new Request(url, { method }));
    expect([direct.status, direct.headers.get('allow')]).toEqual([405, 'POST']);
    expect(tests).toEqual([]);
  });

  it.each<[string | null, number]>([
    [null, 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/cloudevents+json', 200],
  ])('of the content type %s gets %i', async (type, status) => {
    const { url } = await startApp();
    const { body, headers } = newDelivery(SECRET);
    const { 'content-type': _, ...others } = headers;
    const response = fetch(url, {
      method: 'POST',
      headers: { ...others, ...(type !== null && { 'content-type': type }) },
      // Of bytes, fetch adds no content type by itself.
      body: Buffer.from(body),
    });
    expect((await answerOf(response)).status).toBe(status);
  });

  it.each([
    ['says', (text: string) => text],
    ['does not say', (text: string) => new Blob([text]).stream()],
  ])('that is too large gets 413 when it %s so, and its connection continues', async (_, toBody) => {
    const { url, tests } = await startApp({ maxBodyBytes: 1_000 });
    const send = async ({ body, headers }: Delivery) =>
      answerOf(fetch(url, { method: 'POST', headers, body: toBody(body), duplex: 'half' }));

    for (const length of [2_000, 5_000_000]) {
      expect(await send(newDelivery(SECRET, { filler: 'x'.repeat(length) }))).toEqual({
        status: 413,
        body: { message: 'The body is larger than 1000 bytes' },
      });
    }
    expect(await send(newDelivery(SECRET, { filler: 'x'.repeat(800) }))).toMatchObject({ status: 200 });
    expect(tests).toHaveLength(1);
  });

  it('takes a megabyte by default', async () => {
    const { url } = await startApp();
    const { length } = newDelivery(SECRET, { filler: '' }).body;
    for (const [room, status] of [
      [0, 200],
      [-1, 413],
    ] as const) {
      const filler = 'x'.repeat(1_048_576 - length - room);
      expect(await post(url, newDelivery(SECRET, { filler }))).toMatchObject({ status });
    }
  });
});

describe('when the app throws', () => {
  it.each<[string, () => unknown, string]>([
    [
      'at once',
      () => {
        throw new TypeError('no model');
      },
      'no model',
    ],
    ['later', () => Promise.reject(new Error('no answer')), 'no answer'],
    ['an error without words', () => Promise.reject(new RangeError()), 'RangeError'],
    ['a text', () => Promise.reject('broken'), 'broken'],
    ['nothing', () => Promise.reject(undefined), 'The app failed'],
    ['at length', () => Promise.reject(new Error('y'.repeat(2_000))), 'y'.repeat(500)],
  ])('%s, the response says why, and onError hears of it', async (_, run, message) => {
    const heard: unknown[] = [];
    const { url } = await startApp({ run, onError: (error, test) => heard.push([error, test?.testId]) });
    const delivery = newDelivery(SECRET);
    expect(await post(url, delivery)).toEqual({ status: 500, body: { message } });
    const thrown = await (async () => run())().catch((error: unknown) => error);
    expect(heard).toEqual([[thrown, delivery.testId]]);
  });

  it('says it by diag when there is no onError, or when that throws as well', async () => {
    const said = listenToDiag();
    const run = (): never => {
      throw new Error('no model');
    };
    const [told, untold] = [newDelivery(SECRET), newDelivery(SECRET)];
    await post((await startApp({ run })).url, told);
    await post(
      (await startApp({ run, onError: () => Promise.reject(new Error('worse')) as never })).url,
      untold,
    );
    expect(said.filter((text) => !text.includes('provider') && !text.includes('context'))).toEqual([
      `touchstone: test ${told.testId} failed: no model`,
      'touchstone: onError threw',
    ]);
  });
});

describe('a delivery that arrives again', () => {
  it('does not run again when it succeeded', async () => {
    const { url, tests } = await startApp();
    const delivery = newDelivery(SECRET);
    for (let n = 0; n < 3; n += 1) {
      expect(await post(url, delivery)).toEqual({ status: 200, body: { ok: true } });
    }
    const again = {
      ...delivery,
      headers: { 'content-type': 'application/json', ...serviceHeaders(SECRET, delivery.body) },
    };
    expect(await post(url, again)).toMatchObject({ status: 200 });
    expect(tests).toHaveLength(1);
  });

  it('runs again when it failed', async () => {
    let runs = 0;
    const { url } = await startApp({
      run: () => {
        runs += 1;
        if (runs < 3) throw new Error(`failure ${runs}`);
      },
    });
    const delivery = newDelivery(SECRET);
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await post(url, delivery));
    expect(answers).toEqual([
      { status: 500, body: { message: 'failure 1' } },
      { status: 500, body: { message: 'failure 2' } },
      { status: 200, body: { ok: true } },
      { status: 200, body: { ok: true } },
    ]);
    expect(runs).toBe(3);
  });

  it('while it runs, waits and gets the same response', async () => {
    const { url, tests } = await startApp();
    const delivery = newDelivery(SECRET);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(url, delivery)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tests).toHaveLength(1);
  });

  const never = { signal: new AbortController().signal };

  it('while it runs, shares its failure', async () => {
    const deliveries = new Deliveries();
    let runs = 0;
    const fail = async (): Promise<never> => {
      runs += 1;
      await Promise.resolve();
      throw new WebhookError(500, 'no model');
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => deliveries.once('a', never, fail)));
    expect(outcomes.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
      Array(3).fill('WebhookError: no model'),
    );
    expect(runs).toBe(1);
  });

  it('after ten thousand others, is taken for a new one', async () => {
    const deliveries = new Deliveries();
    const ran: string[] = [];
    const deliver = (id: string): Promise<void> => deliveries.once(id, never, async () => void ran.push(id));
    for (let n = 0; n <= 10_000; n += 1) await deliver(String(n));
    ran.length = 0;
    for (const id of ['1', '10000', '0', '1']) await deliver(id);
    expect(ran).toEqual(['0', '1']);
  });
});

describe('the signal of a test', () => {
  /** An app that runs until its signal aborts. */
  async function startWaitingApp(): Promise<{ url: string; started: Promise<void>; aborted: Promise<void> }> {
    const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { url } = await startApp({
      run: async ({ signal }) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted.resolve();
      },
    });
    return { url, started: started.promise, aborted: aborted.promise };
  }

  it('aborts when the sender hangs up', async () => {
    const { url, started, aborted } = await startWaitingApp();
    const sender = new AbortController();
    const { body, headers } = newDelivery(SECRET);
    const posted = fetch(url, { method: 'POST', body, headers, signal: sender.signal });
    await started;
    sender.abort();
    await expect(posted).rejects.toThrow('aborted');
    await aborted;
  });

  it('aborts when the last one who waits is gone', async () => {
    const deliveries = new Deliveries();
    const senders = [new AbortController(), new AbortController()];
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const outcomes = senders.map((sender) =>
      deliveries.once('a', sender, (given) => {
        signal = given;
        return isOver;
      }),
    );
    await new Promise(setImmediate);
    senders[0]?.abort();
    expect(signal?.aborted).toBe(false);
    senders[1]?.abort();
    expect(signal?.aborted).toBe(true);
    end();
    await Promise.all(outcomes);
  });

  it('has aborted for a request that was cancelled before', async () => {
    let wasAborted: boolean | undefined;
    const handler = createWebhookHandler({
      secret: SECRET,
      run: ({ signal }) => void (wasAborted = signal.aborted),
    });
    const sender = new AbortController();
    const request = toRequest(newDelivery(SECRET), sender.signal);
    const answering = handler(request);
    sender.abort();
    await answering;
    expect(wasAborted).toBe(true);
  });
});
