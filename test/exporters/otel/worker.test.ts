import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp } from './support/built-package.ts';
import { type Behaviour, startReceiver } from './support/receiver.ts';
import { CREDENTIALS } from './support/tracing.ts';
import { newDelivery, newSecret, post } from './support/webhook.ts';
import { startWorker, type Worker } from './support/worker.ts';

/** From this date on, workers have Node's modules, AsyncLocalStorage among them. */
const WITH_STORAGE = '2026-11-01';
const WITHOUT_STORAGE = '2025-01-01';

/** A test has a root and, after a wait, a child. `/nothing` starts one and keeps nothing alive for it. */
const PROGRAM = `
import { context, trace } from '@opentelemetry/api';
import { createWebhookHandler, register, withTest } from 'touchstone-otel';
IMPORTS
let touchstone;
let handler;
const later = () => new Promise((resolve) => setTimeout(resolve, 10));

async function answer(inTest, isExplicit) {
  const tracer = trace.getTracer('worker');
  await later();
  const root = tracer.startSpan('root', { attributes: { 'input.value': 'my key is 1234' } }, isExplicit ? inTest : undefined);
  const inRoot = trace.setSpan(isExplicit ? inTest : context.active(), root);
  await later();
  tracer.startSpan('child', {}, inRoot).end();
  root.end();
  return root.spanContext().traceId;
}

export default {
  async fetch(request, env, ctx) {
    touchstone ??= register({
      serviceName: 'worker', url: env.URL, apiKey: env.KEY, applicationId: env.APPLICATION, timeoutMillis: Number(env.TIMEOUT ?? 60000),
      redact: (text) => text.replace('1234', '****'), OPTIONS
    });
    handler ??= createWebhookHandler({ secret: env.SECRET, touchstone, run: ({ context }) => answer(context, 'EXPLICIT' in env) });
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/stats') return Response.json(touchstone.stats());
    if (pathname === '/webhook') return handler(request, ctx);
    if (pathname === '/flush') {
      await touchstone.flush();
      return new Response();
    }
    if (pathname === '/outside') return new Response(await answer(context.active(), 'EXPLICIT' in env));
    const traceId = await withTest(searchParams.get('test'), (inTest) => answer(inTest, 'EXPLICIT' in env));
    if (pathname === '/wait') ctx.waitUntil(touchstone.flush());
    if (pathname === '/nothing') void touchstone.flush();
    return new Response(traceId);
  },
};
`;

const program = ({ imports = '', options = '' } = {}): string =>
  PROGRAM.replace('IMPORTS', imports).replace('OPTIONS', options);

let app: App;
let server: TestServer;
beforeAll(async () => {
  app = await makeApp('edge');
  server = await startServer();
}, 900_000);
afterAll(async () => {
  app.remove();
  await server.close();
});

const SECRET = newSecret();
const variablesFor = (url: string): Record<string, string> => ({
  URL: url,
  KEY: server.apiKey,
  APPLICATION: server.applicationId,
  SECRET,
});

const read = async (worker: Worker, path: string): Promise<string> => (await fetch(worker.url + path)).text();

const statsOf = async (worker: Worker): Promise<Record<string, number>> =>
  JSON.parse(await read(worker, '/stats')) as Record<string, number>;

const LOST_NONE = { rejected: 0, failed: 0, dropped: 0, filtered: 0, waiting: 0, inFlight: 0 };

async function expectStored(
  worker: Worker,
  tests: readonly { testId: string | undefined; traceId: string }[],
): Promise<void> {
  await expect
    .poll(() => statsOf(worker))
    .toMatchObject({ ended: 2 * tests.length, exported: 2 * tests.length, ...LOST_NONE });
  for (const { testId, traceId } of tests) {
    const { data: spans } = await server.ok('GET', `/v0/traces/${traceId}/spans?limit=1000`);
    expect(spans.map((span) => `${span.name} ${span.testId}`).toSorted()).toEqual([
      `child ${testId}`,
      `root ${testId}`,
    ]);
  }
}

it.each([
  ['passes flush() to waitUntil', '/wait', {}],
  [
    'registers with the waitUntil of the runtime',
    '/',
    { imports: "import { waitUntil } from 'cloudflare:workers';", options: 'waitUntil, delayMillis: 10' },
  ],
])('a worker that %s stores every span, in its own test', async (_how, path, changes) => {
  await using worker = await startWorker(app, program(changes), {
    compatibilityDate: WITH_STORAGE,
    variables: variablesFor(server.url),
  });
  const tests = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const testId = randomUUID();
      return { testId, traceId: await read(worker, `${path}?test=${testId}`) };
    }),
  );
  await expectStored(worker, tests);
  expect(worker.written()).not.toContain('touchstone:');
});

it.each([WITH_STORAGE, WITHOUT_STORAGE])(
  'a worker of %s stores what is outside of tests too, and links it to none, whatever runs beside it',
  async (compatibilityDate) => {
    const isExplicit = compatibilityDate === WITHOUT_STORAGE;
    await using worker = await startWorker(
      app,
      program({
        imports: "import { waitUntil } from 'cloudflare:workers';",
        options: 'waitUntil, delayMillis: 10',
      }),
      {
        compatibilityDate,
        variables: { ...variablesFor(server.url), ...(isExplicit && { EXPLICIT: '1' }) },
      },
    );
    const traces = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const testId = n % 2 === 0 ? randomUUID() : undefined;
        return { testId, traceId: await read(worker, testId ? `/?test=${testId}` : '/outside') };
      }),
    );
    await expectStored(worker, traces);
    expect(worker.written()).not.toContain('test id');
  },
);

it('a worker without AsyncLocalStorage links the spans that get the context of their test', async () => {
  await using worker = await startWorker(app, program(), {
    compatibilityDate: WITHOUT_STORAGE,
    variables: { ...variablesFor(server.url), EXPLICIT: '1' },
  });
  const tests = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const testId = randomUUID();
      return { testId, traceId: await read(worker, `/wait?test=${testId}`) };
    }),
  );
  await expectStored(worker, tests);
  expect(worker.written()).toContain('this runtime loses the active context at `await`');
});

it.each([WITH_STORAGE, WITHOUT_STORAGE])(
  'a webhook of %s runs the test and stores its spans',
  async (date) => {
    await using worker = await startWorker(app, program(), {
      compatibilityDate: date,
      variables: { ...variablesFor(server.url), ...(date === WITHOUT_STORAGE && { EXPLICIT: '1' }) },
    });
    const deliveries = Array.from({ length: 10 }, () => newDelivery(SECRET));
    const answers = await Promise.all(deliveries.map((delivery) => post(`${worker.url}/webhook`, delivery)));
    expect(answers).toEqual(deliveries.map(() => ({ status: 200, body: { ok: true } })));
    expect(await statsOf(worker)).toMatchObject({ ended: 20, exported: 20, ...LOST_NONE });
    for (const { testId } of deliveries) {
      const { data } = await server.ok('GET', `/v0/traces/by-test/${testId}`);
      expect(data.testId).toBe(testId);
    }

    const forged = newDelivery(newSecret());
    expect(await post(`${worker.url}/webhook`, forged)).toMatchObject({ status: 401 });
  },
);

it.each<[what: string, behave: Behaviour, expected: Record<string, number>]>([
  [
    'again after 503',
    (n) => (n === 0 ? { status: 503, headers: { 'retry-after': '0' } } : {}),
    { exported: 2 },
  ],
  ['in halves after 413', (_n, { spans }) => (spans.length > 1 ? { status: 413 } : {}), { exported: 2 }],
  ['in vain to a server that rejects them', () => ({ status: 401 }), { exported: 0, failed: 2 }],
  [
    'to a server that rejects some',
    () => ({ body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"wrong ids"}}' }),
    { exported: 1, rejected: 1 },
  ],
])('a worker sends spans %s, with redacted texts', async (_what, behave, expected) => {
  await using receiver = await startReceiver(behave);
  await using worker = await startWorker(app, program(), {
    compatibilityDate: WITH_STORAGE,
    variables: { ...variablesFor(receiver.url), KEY: CREDENTIALS.apiKey },
  });
  await read(worker, `/wait?test=${randomUUID()}`);
  await expect.poll(() => statsOf(worker)).toMatchObject({ ended: 2, ...LOST_NONE, ...expected });
  expect(receiver.requests.map(({ text }) => text).join('')).not.toContain('1234');
  expect(receiver.requests[0]?.headers).toMatchObject({
    'x-api-key': CREDENTIALS.apiKey,
    'content-encoding': 'gzip',
  });
});

it('spans of a request that ended before they were sent are counted, and hold nothing up', async () => {
  await using receiver = await startReceiver();
  await using worker = await startWorker(app, program(), {
    compatibilityDate: WITH_STORAGE,
    variables: { ...variablesFor(receiver.url), TIMEOUT: '500' },
  });
  await read(worker, `/nothing?test=${randomUUID()}`);
  expect(await statsOf(worker)).toMatchObject({ ended: 2, inFlight: 2 });
  await read(worker, '/flush');
  await read(worker, `/wait?test=${randomUUID()}`);
  await expect.poll(() => statsOf(worker)).toMatchObject({ ended: 4, ...LOST_NONE, exported: 2, failed: 2 });
  expect(worker.written()).toContain('Pass flush() to waitUntil.');
});
