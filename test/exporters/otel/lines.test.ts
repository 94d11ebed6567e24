import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../../support/child-server.ts';
import { type App, type Line, makeApp } from './support/built-package.ts';
import { findNode20 } from './support/nodes.ts';
import { startReceiver } from './support/receiver.ts';

interface Report {
  isRegistered: boolean;
  reported: { traceId: string; spanId: string; testId: string | null }[];
  stats: Record<string, number>;
  said: string[];
  /** What the flush in strict mode was rejected with. */
  loss?: string | null;
}

const apps = new Map<Line, App>();
const presets = newPresets();
const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-lines-'));
let server: ChildServer;

beforeAll(async () => {
  for (const line of ['line-2', 'line-2-oldest', 'line-3'] as const) apps.set(line, await makeApp(line));
  server = await ChildServer.start({ dataDir, presets });
}, 900_000);

afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true });
  for (const app of apps.values()) app.remove();
});

const BURST = 5_000;
/** Longer than the usual ten seconds, which a busy machine may exceed. */
const EXPORT_MS = 100_000;

async function runApp(
  line: Line,
  node: string,
  file: string,
  mode: string,
  { url = server.url, prints = '' }: { url?: string; prints?: string } = {},
): Promise<Report & { testIds: string[] }> {
  const testIds = Array.from({ length: 8 }, () => randomUUID());
  const { code, stdout, stderr } = await (apps.get(line) as App).run(node, file, {
    MODE: mode,
    BURST: String(BURST),
    TEST_IDS: JSON.stringify(testIds),
    TOUCHSTONE_URL: url,
    TOUCHSTONE_API_KEY: presets.apiKey,
    TOUCHSTONE_APPLICATION_ID: presets.applicationId,
    OTEL_EXPORTER_OTLP_TIMEOUT: String(EXPORT_MS),
  });
  expect(stderr).toBe(prints);
  expect(code).toBe(0);
  return { ...(JSON.parse(stdout) as Report), testIds };
}

interface StoredSpan {
  id: string;
  testId?: string | null;
}

async function storedSpans(traceId: string): Promise<StoredSpan[]> {
  return (await server.ok('GET', `/v0/traces/${traceId}/spans?limit=1000`)).data;
}

const NODES = { 'Node 20': findNode20, "the project's Node": () => process.execPath };

describe.each<[Line, keyof typeof NODES]>([
  ['line-2', 'Node 20'],
  ['line-2', "the project's Node"],
  ['line-2-oldest', 'Node 20'],
  // OpenTelemetry itself requests Node 22.15 there.
  ['line-3', "the project's Node"],
])('an app on OpenTelemetry of %s under %s', (line, node) => {
  describe.each(['main.mjs', 'main.cjs'])('loading the package from %s', (file) => {
    it('loses no span after register(), and every test finds its own', async () => {
      const report = await runApp(line, NODES[node](), file, 'register');

      expect(report.said).toEqual([]);
      expect(report.isRegistered).toBe(true);
      expect(report.loss).toBe(null);
      expect(report.reported).toHaveLength(8 * 3 + BURST);
      expect(report.stats).toMatchObject({
        ended: report.reported.length,
        exported: report.reported.length,
        rejected: 0,
        dropped: 0,
        failed: 0,
        waiting: 0,
        inFlight: 0,
        unsampledTestSpans: 0,
      });
      await expectStored(report);
    });

    it('counts what the server rejects, also in an answer to a batch sent again', async () => {
      await using receiver = await startReceiver((n) =>
        n === 0
          ? { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }
          : { body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"wrong ids"}}' },
      );
      const { stats, said, loss, reported } = await runApp(line, NODES[node](), file, 'register', {
        url: receiver.url,
        prints: [
          'touchstone: 2 spans were lost: the server rejected 2 of 512 (wrong ids). Check these spans.\n',
          // 5 024 spans in batches of 512, the first of which is answered a second time.
          'touchstone: 20 spans were lost since the start of the process.\n',
        ].join(''),
      });

      const answered = receiver.requests.length - 1;
      expect(answered).toBeGreaterThan(1);
      expect(stats).toMatchObject({
        ended: reported.length,
        exported: reported.length - 2 * answered,
        rejected: 2 * answered,
        failed: 0,
      });
      expect(loss).toBe('SpanLossError');
      expect(
        said.filter((text) => /^touchstone: the server rejected 2 of \d+ spans: wrong ids$/.test(text)),
      ).toHaveLength(answered);
    });

    it('registers without a line of code by --import, and sends all spans at the end of the program', async () => {
      const app = apps.get(line) as App;
      const ended = await app.run(NODES[node](), file === 'main.mjs' ? 'auto.mjs' : 'auto.cjs', {
        NODE_OPTIONS: '--import touchstone-otel/auto',
        TOUCHSTONE_URL: server.url,
        TOUCHSTONE_API_KEY: presets.apiKey,
        TOUCHSTONE_APPLICATION_ID: presets.applicationId,
        OTEL_EXPORTER_OTLP_TIMEOUT: String(EXPORT_MS),
      });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const { traceId, ...stats } = JSON.parse(ended.stdout) as { traceId: string };
      expect(stats).toMatchObject({ ended: 2, exported: 2 });
      expect(await storedSpans(traceId)).toHaveLength(2);
    });

    it('records the spans of tests only where the sampler of the app records none', async () => {
      const reason =
        'touchstone: register() changed nothing: a tracer provider is already set: add new ' +
        'TouchstoneSpanProcessor() to its spanProcessors and wrap its sampler with recordTests()';
      const report = await runApp(line, NODES[node](), file, 'own provider', { prints: `${reason}\n` });

      expect(report.isRegistered).toBe(false);
      expect(report.said.filter((said) => said.startsWith('touchstone'))).toEqual([reason]);
      const ofTests = report.reported.filter(({ testId }) => testId !== null);
      expect(report.stats).toMatchObject({ ended: 24, exported: 24, failed: 0, unsampledTestSpans: 0 });
      await expectStored({ ...report, reported: ofTests });
    });
  });
});

/** Every test has exactly the spans that the app ended in it, and all others are there too. */
async function expectStored({ reported, testIds }: Report & { testIds: string[] }): Promise<void> {
  for (const testId of testIds) {
    const { status, json, text } = await server.call('GET', `/v0/traces?testId=${testId}`);
    expect(status, text).toBe(200);
    const own = reported.filter((span) => span.testId === testId);
    const [traceId = ''] = new Set(own.map((span) => span.traceId));
    expect((json as { data: { otelTraceId: string }[] }).data.map((trace) => trace.otelTraceId)).toEqual([
      traceId,
    ]);
    const stored = await storedSpans(traceId);
    expect(stored.map(({ id }) => id).sort()).toEqual(own.map(({ spanId }) => spanId).sort());
    expect(new Set(stored.map((span) => span.testId))).toEqual(new Set([testId]));
  }
  const others = reported.filter(({ testId }) => testId === null);
  for (const { traceId, spanId } of others.filter((_, n) => n % 250 === 0)) {
    expect(await storedSpans(traceId)).toMatchObject([{ id: spanId }]);
  }
}
