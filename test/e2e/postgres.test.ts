import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

const SETTINGS = {
  TOUCHSTONE_QUIET_MS: '200',
  TOUCHSTONE_ORPHAN_QUIET_MS: '400',
  TOUCHSTONE_TRACE_DEADLINE_MS: '10000',
  TOUCHSTONE_SECRET_KEY: 'a text that both engines share',
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const AT_NS = 1_790_000_000_000_000_000n;
/** Texts on which engines differ easily. */
const ODD = 'Grüße\u0000 İI 😀 50%_ \\ "quoted"';

let postgres: PostgresServer;
let app: CustomerApp;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  app = await startCustomerApp();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'));
});
afterAll(async () => {
  await app.close();
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const presets = newPresets();
const url = (): string => postgres.url.replace('touchstone@', 'touchstone:hunter2@');
const onPostgres = (): Promise<ChildServer> =>
  ChildServer.start({
    dataDir: join(folder, 'unused'),
    presets,
    env: { ...SETTINGS, TOUCHSTONE_DATABASE_URL: url() },
  });
const onSqlite = (): Promise<ChildServer> =>
  ChildServer.start({ dataDir: join(folder, 'sqlite'), presets, env: SETTINGS });

const sendSpan = (server: ChildServer, traceId: string, over: object = {}) =>
  server.call('POST', '/v1/traces', jsonRequest(jsonSpan(traceId, 'step', over as never)));

/** Sends a span by the exporter of OpenTelemetry. */
async function exportSpan(server: ChildServer): Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${server.url}/v1/traces`, headers: server.headers });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const parent = { traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags: TraceFlags.SAMPLED };
  const span = provider
    .getTracer('test')
    .startSpan('exported', { startTime: [1_790_000_000, 0] }, trace.setSpanContext(ROOT_CONTEXT, parent));
  span.end([1_790_000_001, 0]);
  await provider.forceFlush();
  await provider.shutdown();
}

/** Makes the app answer a test with a span below the delivery. */
function answerTests(server: () => ChildServer): void {
  app.behave((request, response) => {
    const [, traceId = '', parentSpanId = ''] = String(request.headers['traceparent']).split('-');
    const attributes = Object.entries({
      'openinference.span.kind': 'AGENT',
      'input.value': 'Capital?',
      'output.value': 'Paris',
    }).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const over = { spanId: newSpanId(), parentSpanId, attributes };
    void sendSpan(server(), traceId, over).then(() => response.writeHead(200).end());
  });
}

/** Stores the same traces, tasks and tests, and returns what the API answers about them. */
async function scenario(server: ChildServer): Promise<Record<string, unknown>> {
  answerTests(() => server);
  const attributes = [
    { key: 'input.value', value: { stringValue: ODD } },
    { key: 'session.id', value: { stringValue: 'session 1' } },
    { key: 'user.id', value: { stringValue: 'user 1' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '9007199254740991' } },
    { key: 'zero', value: { doubleValue: -0 } },
  ];
  const times = { startTimeUnixNano: String(AT_NS), endTimeUnixNano: String(AT_NS + 5n) };
  const root = { spanId: '00f067aa0ba902b7', attributes, ...times };
  expect(await sendSpan(server, TRACE, root)).toMatchObject({ status: 200 });
  expect(await sendSpan(server, TRACE, root)).toMatchObject({ status: 200 });
  await exportSpan(server);
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
  const { data: definition } = await server.ok('POST', '/v0/definitions', {
    body: {
      name: 'Contains Paris',
      type: 'ASSERT',
      globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] },
    } as never,
  });
  const { task } = await server.ok('POST', '/v0/tasks', {
    body: { title: ODD.replace('\u0000', ''), type: 'STATIC', inputExamples: ['Capital?'] } as never,
  });
  await server.ok('POST', '/v0/definitions/link', {
    body: { evalIds: [definition.id], taskIds: [task.id] },
  });
  expect(await server.call('POST', '/v0/tasks/trigger', { taskIds: [task.id] })).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300) as number,
  });
  const tests = async () => (await server.ok('GET', '/v0/tests')).data;
  await until(
    async () =>
      (await tests()).every(({ status }) => /COMPLETED|FAILED/.test(status)) && (await tests()).length > 0,
  );
  const [test] = await tests();
  const paths = [
    '/v0/traces',
    `/v0/traces?filter=${encodeURIComponent('text:grüsse')}`,
    '/v0/traces?orderBy=duration&orderDir=asc',
    '/v0/sessions',
    '/v0/tests',
    `/v0/tests/${test?.id}`,
    `/v0/evals?testId=${test?.id}`,
    '/v0/definitions',
    '/v0/tasks',
    '/v0/webhook',
    '/v0/ingest/ledger',
  ];
  const read = async (): Promise<Record<string, unknown>> => {
    const answers: Record<string, unknown> = {};
    for (const path of paths) {
      const { status, json } = await server.call('GET', path);
      answers[path.replaceAll(String(test?.id), 'TEST')] = { status, json };
    }
    return answers;
  };
  // Metrics of the definition and of the task are computed a moment later.
  return until(read, (answers) =>
    ['"testsPassed":1', '"score":100'].every((part) => JSON.stringify(answers).includes(part)),
  );
}

/** Replaces what differs from run to run: ids by the order in which they appear, times and durations. */
function comparable(answers: Record<string, unknown>): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(answers)
    // A text of PostgreSQL cannot contain U+0000.
    .replaceAll('\\u0000', '\u{FFFD}')
    // Hashes of inputs that contain ids and times.
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'hash')
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b/g,
      (id) => {
        const known = ids.get(id) ?? `id ${ids.size}`;
        ids.set(id, known);
        return known;
      },
    )
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/("\w*(?:Ms|Seconds|duration|latency|size|Bytes)"):[\d.]+/gi, '$1:0');
  return JSON.parse(text);
}

it('stores, tests and judges on PostgreSQL, and answers as on SQLite', async () => {
  const file = await onSqlite();
  const expected = await scenario(file);
  await file.stop('SIGTERM');
  const server = await onPostgres();
  try {
    expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain('hunter2');
    const answers = await scenario(server);
    expect(comparable(answers)).toEqual(comparable(expected));
    expect(answers['/v0/tests']).toMatchObject({ json: { data: [{ status: 'COMPLETED' }] } });
    const metrics = await fetch(`${server.url}/metrics`);
    expect(await metrics.text()).not.toContain('hunter2');
  } finally {
    await server.stop('SIGTERM');
  }
  expect(server.said.join('\n')).not.toContain('hunter2');
  expect(existsSync(join(folder, 'unused'))).toBe(false);
});

it('loses nothing that it acknowledged when it is killed, nor when PostgreSQL is', async () => {
  let server = await onPostgres();
  const acknowledged = new Set<string>();
  let sent = 0;
  const end = new AbortController();
  const sender = async (): Promise<void> => {
    while (!end.signal.aborted) {
      sent += 1;
      const traceId = sent.toString(16).padStart(32, 'f');
      // As an exporter does: again until it is acknowledged.
      while (!end.signal.aborted) {
        const status = await sendSpan(server, traceId, { spanId: sent.toString(16).padStart(16, '1') })
          .then((reply) => reply.status)
          .catch(() => 0);
        expect([0, 200, 503]).toContain(status);
        if (status === 200) acknowledged.add(traceId);
        if (status === 200) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const senders = [sender(), sender(), sender()];
  const grows = async (count: number): Promise<void> => {
    const from = acknowledged.size;
    await until(() => acknowledged.size >= from + count);
  };
  await grows(20);
  await server.stop('SIGKILL');
  server = await onPostgres();
  await grows(20);
  await postgres.stop('SIGQUIT');
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 503);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await postgres.start();
  await grows(20);
  await postgres.restart('SIGINT');
  await grows(20);
  end.abort();
  await Promise.all(senders);
  const stored = new Set<string>();
  for (let skip = 0; ; skip += 100) {
    const { json } = await server.call('GET', `/v0/traces?skip=${skip}&limit=100`);
    const { data } = json as { data: { otelTraceId: string }[] };
    for (const { otelTraceId } of data) stored.add(otelTraceId);
    if (data.length < 100) break;
  }
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  await server.stop('SIGTERM');
});
