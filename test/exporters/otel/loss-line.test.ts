import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { PACKAGE } from './support/built-package.ts';
import { SourceApp } from './support/source-app.ts';

const TEST_ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
/** An app that has set no logger, and sends three spans, one after the other. */
const APP = `
const touchstone = register(JSON.parse(process.env.OPTIONS));
for (let n = 0; n < 3; n += 1) {
  withTest(process.env.TEST_ID, () => trace.getTracer('app').startSpan('answer').end());
  await touchstone.flush();
}
await touchstone.shutdown();
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Env = Readonly<Record<string, string>>;

async function run(change: Env, options: object = {}): Promise<{ code: number | null; stderr: string }> {
  const app = new SourceApp(APP, {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
    // A busy server may need longer than the default of 5 s.
    OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
    TEST_ID,
    OPTIONS: JSON.stringify(options),
    ...change,
  });
  const { code, stderr } = await app.ended;
  return { code, stderr: stderr.replaceAll(server.url, 'URL') };
}

const WRONG_KEY = { TOUCHSTONE_API_KEY: 'sk_abcdefghijkl_wrong' };

const TOTAL = 'touchstone: 3 spans were lost since the start of the process.\n';

describe('the first loss is one line with its reason and what to do, the last one the total', () => {
  it.concurrent.each<[string, Env, string]>([
    [
      'a wrong key',
      WRONG_KEY,
      '1 span was lost: HTTP 401 from URL (The API key is not valid). Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: ' +
        'the key must be valid for the application.',
    ],
    [
      'no key',
      { TOUCHSTONE_API_KEY: '' },
      '1 span was lost: HTTP 401, TOUCHSTONE_API_KEY not set. Set TOUCHSTONE_API_KEY.',
    ],
    [
      'no server',
      { TOUCHSTONE_URL: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '300' },
      '1 span was lost: no response from http://127.0.0.1:1 (…). Start the server, or set TOUCHSTONE_URL.',
    ],
    [
      'no address',
      { TOUCHSTONE_URL: '127.0.0.1:4318' },
      '1 span was lost: the exporter has no valid url. Set TOUCHSTONE_URL to the address of the server.',
    ],
    [
      'a test id that is no UUID',
      { TEST_ID: 'test-1' },
      'the test id "test-1" is no UUID, so its spans belong to no test. Pass the testId of the webhook to withTest().',
    ],
  ])('%s', async (_name, change, line) => {
    const { code, stderr } = await run(change);
    const total = line.includes('lost') ? TOTAL : '';
    expect(stderr.replace(/\(.*?\)\. Start/, '(…). Start')).toBe(`touchstone: ${line}\n${total}`);
    expect(code).toBe(0);
  });
});

it.concurrent('is silent on success, and about losses on request', async () => {
  expect(await run({})).toEqual({ code: 0, stderr: '' });
  expect(await run(WRONG_KEY, { reportLoss: false })).toEqual({ code: 0, stderr: '' });
});

it.concurrent.each<[Env, object]>([
  [{}, { debug: true }],
  [{ TOUCHSTONE_DEBUG: '1' }, {}],
])('reports each step on request, without the key', async (env, options) => {
  const { stderr } = await run(env, options);
  const sent = 'touchstone: sent a batch: 1 stored, 0 rejected';
  expect(stderr.trimEnd().split('\n')).toEqual([
    'touchstone: sends spans to URL/v1/traces',
    sent,
    sent,
    sent,
  ]);
});

it.concurrent('ends an app in strict mode with a code other than 0', async () => {
  const { code, stderr } = await run(WRONG_KEY, { strict: true });
  expect(code).toBe(1);
  expect(stderr).toContain('SpanLossError: Spans were lost: 0 dropped, 1 not delivered');
});

describe('a sampler of the app that leaves out tests', () => {
  const SAMPLED = `
import { context } from '@opentelemetry/api';
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { NODE } from '${PACKAGE}/src/node-platform.ts';
import { TouchstoneSpanProcessor } from '${PACKAGE}/src/processor.ts';
import { recordTests } from '${PACKAGE}/src/sampler.ts';
context.setGlobalContextManager(NODE.contextManager());
const processor = new TouchstoneSpanProcessor();
const off = new AlwaysOffSampler();
const sampler = process.env.WRAPPED ? recordTests(off) : off;
trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors: [processor] }));
for (let n = 0; n < 3; n += 1)
  withTest(process.env.TEST_ID, () => trace.getTracer('app').startActiveSpan('answer', (span) => span.end()));
await processor.shutdown();
`;

  it.each([
    [
      'is reported in one line',
      {},
      'touchstone: the sampler of the app left out spans of a test. Wrap it: recordTests(sampler).\n',
    ],
    ['is not where it is wrapped', { WRAPPED: '1' }, ''],
  ])('%s', async (_what, change, line) => {
    const { ended } = new SourceApp(SAMPLED, {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
      TEST_ID,
      ...change,
    });
    expect(await ended).toMatchObject({ code: 0, stderr: line });
  });
});
