/**
 * Shows a test by webhook from its trigger to its trace: a server over a folder of its own, a sample app, and what
 * goes between them.
 *
 *   npm run demo
 *
 * With `--keep`, it starts a server that stays, and fills its application with examples of everything.
 *
 *   npm run demo -- --keep
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bold } from '../src/cli/terminal-text.ts';
import { drawTrace, type DrawnSpan, type TraceOfTree } from '../src/cli/trace-tree.ts';
import { readConfig } from '../src/config.ts';
import { generateKey } from '../src/resources/api-keys/key-text.ts';
import { type Api, call } from './demo/api.ts';
import { startApp } from './demo/app.ts';
import { keepDemo } from './demo/keep.ts';
import { DemoLog } from './demo/log.ts';
import { startDemoServer } from './demo/server.ts';
import { watchSpans, watchTest } from './demo/watch.ts';

const PROMPT = 'Where is my parcel 4711?';
/** The demo has one app on the same machine: what is late there never comes. */
const SETTINGS = { quietMs: 400, orphanQuietMs: 2_000, traceDeadlineMs: 10_000 };

async function startServer(undo: AsyncDisposableStack): Promise<Api> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-demo-'));
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const [apiKey, applicationId] = [generateKey().text, randomUUID()];
  const config = {
    ...readConfig(new Map(), {}).config,
    ...SETTINGS,
    dataDir,
    port: 0,
    bootstrapApiKey: apiKey,
    bootstrapApplicationId: applicationId,
  };
  const server = await startDemoServer(config);
  undo.defer(() => server.close());
  return { url: server.url, apiKey, applicationId };
}

async function runTest(undo: AsyncDisposableStack): Promise<void> {
  const api = await startServer(undo);
  const log = undo.adopt(new DemoLog(), (reported) => reported.end());
  log.print('server', `listens on ${api.url}, over an empty folder`);
  const app = await startApp(api, log);
  undo.defer(() => app.close());
  log.print('app', `an agent that knows about parcels; its webhook is ${app.url}`);

  const webhook = await call<{ data: { webhookSecret: string } }>(api, 'POST', '/v0/webhook', {
    url: app.url,
  });
  app.useSecret(webhook.data.webhookSecret);
  log.print('server', 'POST /v0/webhook: knows the app, and gave it the secret that signs its tests');
  const { task } = await call<{ task: { id: string; title: string } }>(api, 'POST', '/v0/tasks', {
    title: 'Where is my parcel?',
    type: 'STATIC',
    inputExamples: [PROMPT],
  });
  log.print('server', `POST /v0/tasks: has a task, “${task.title}”, with one input example`);
  const started = await call<{ data: { testIds: string[] }[] }>(api, 'POST', '/v0/tasks/trigger', {
    taskIds: [task.id],
  });
  const testId = String(started.data[0]?.testIds[0]);
  log.print('server', `POST /v0/tasks/trigger: started the test ${testId}`);

  const isOver = new AbortController();
  const [test] = await Promise.all([
    watchTest(api, testId, log).finally(() => isOver.abort()),
    watchSpans(api, testId, { log, signal: isOver.signal }),
  ]);
  log.end();
  if (test.failure) throw new Error(`the test failed. ${test.failure.message} ${test.failure.hint}`);

  const { data: trace } = await call<{ data: TraceOfTree }>(api, 'GET', `/v0/traces/by-test/${testId}`);
  const { data: spans } = await call<{ data: DrawnSpan[] }>(api, 'GET', `/v0/traces/${trace.id}/spans`);
  console.log(`\n${drawTrace(trace, spans)}`);
}

function sayWhereNext(): void {
  console.log(`
${bold('Where to look next')}

  npm start                            a server that stays
  examples/webhook-…                   apps to copy from: Express, Fastify, OpenTelemetry, Python
  docs/guide.md, “Tests by webhook”    every step of this by curl, and what helps when a test fails

With a test of yours, and the variables of examples/README.md:

  api() { curl -sN "$TOUCHSTONE_URL$1" \\
    -H "x-api-key: $TOUCHSTONE_API_KEY" -H "x-application-id: $TOUCHSTONE_APPLICATION_ID"; }
  api "/v0/tests/$TEST_ID"                       # its state, its timeline, why it failed
  api "/v0/tests/$TEST_ID/stream"                # the same as it happens
  api "/v0/webhook/deliveries?testId=$TEST_ID"   # what was sent, and how it was answered
  api "/v0/traces?testId=$TEST_ID"               # what the app did
`);
}

async function main(isKept: boolean): Promise<void> {
  await using undo = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      void undo.disposeAsync().finally(() => process.exit());
    });
  }
  if (isKept) {
    await keepDemo(undo);
    // A signal ends the process.
    await new Promise(() => undefined);
  }
  await runTest(undo);
  sayWhereNext();
}

// What the reader has set for apps of their own is not meant for this one.
for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
try {
  await main(process.argv.includes('--keep'));
} catch (error) {
  // Whoever stops it knows why.
  if (process.exitCode === undefined)
    console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode ??= 1;
}
