import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Metadata } from '@grpc/grpc-js';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryInUse, readLedger } from '../support/ledger.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

const TEST_ID = 'service.test.id';
/** Milliseconds of an export, so long that only one that hangs takes them. */
const MAX_EXPORT_MS = 120_000;

interface Sender {
  name: string;
  exporter: (url: string, headers: Record<string, string>) => SpanExporter;
}

const httpSenders: Sender[] = [HttpExporter, ProtoExporter].flatMap((Exporter) =>
  ['none', 'gzip'].map((compression) => ({
    name: `the ${Exporter === HttpExporter ? 'http/json' : 'http/protobuf'} exporter, compression ${compression}`,
    exporter: (url, headers) =>
      new Exporter({
        url: `${url}/v1/traces`,
        headers,
        compression: compression as never,
        timeoutMillis: MAX_EXPORT_MS,
      }),
  })),
);

const grpcSenders: Sender[] = ['none', 'gzip'].map((compression) => ({
  name: `the grpc exporter, compression ${compression}`,
  exporter: (_url, headers) =>
    new GrpcExporter({
      url: `http://127.0.0.1:${server.grpcPort}`,
      metadata: metadataOf(headers),
      compression: compression as never,
      timeoutMillis: MAX_EXPORT_MS,
    }),
}));

const senders = [...httpSenders, ...grpcSenders];

function metadataOf(headers: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: { grpcPort: 0 } });
});
afterAll(() => server.close());

/** A provider whose batches go out only on request: the timer is too slow to matter. */
function providerOf(
  { exporter }: Sender,
  { headers }: Pick<Tenant, 'headers'>,
  resource: Attributes = {},
): { tracer: Tracer; flush: () => Promise<void>; end: () => Promise<void> } {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', ...resource }),
    spanProcessors: [
      new BatchSpanProcessor(exporter(server.url, { ...headers }), {
        scheduledDelayMillis: 60_000,
        exportTimeoutMillis: MAX_EXPORT_MS,
      }),
    ],
  });
  return {
    tracer: provider.getTracer('shop-agent', '1.2.3'),
    flush: () => provider.forceFlush(),
    end: () => provider.shutdown(),
  };
}

const under = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

interface SpanJson {
  id: string;
  parentId?: string;
  name: string;
  testId?: string;
  [field: string]: unknown;
}

async function spansOf(id: string, query = ''): Promise<SpanJson[]> {
  const { status, json, text } = await server.call('GET', `/v0/traces/${id}/spans${query}`);
  expect(status, text).toBe(200);
  return (json as { data: SpanJson[] }).data;
}

async function traceOfTest(testId: string): Promise<{ id: string; otelTraceId: string; spanCount: number }> {
  const { status, json, text } = await server.call('GET', `/v0/traces/by-test/${testId}`);
  expect(status, text).toBe(200);
  return (json as { data: { id: string; otelTraceId: string; spanCount: number } }).data;
}

const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${'89ab'[Number.parseInt(hex[16] as string, 16) & 3]}${hex.slice(17, 20)}-${hex.slice(20)}`;

describe.each(senders)('$name', (sender) => {
  it('links a trace to the test id on any of its spans, in whatever order they arrive', async () => {
    const { tracer, flush, end } = providerOf(sender, server);
    const own = randomUUID();
    const nearest = randomUUID();
    const root = tracer.startSpan('root', { attributes: { [TEST_ID]: own.toUpperCase() } });
    const child = tracer.startSpan('child', {}, under(root));
    const grandchild = tracer.startSpan('grandchild', {}, under(child));
    const marked = tracer.startSpan('marked', { attributes: { [TEST_ID]: nearest } }, under(child));
    const below = tracer.startSpan('below', {}, under(marked));
    // Innermost first, each in a request of its own, the root last of all.
    for (const span of [grandchild, below, marked, child]) {
      span.end();
      await flush();
    }
    const { traceId } = root.spanContext();
    expect((await traceOfTest(nearest)).otelTraceId).toBe(traceId);
    root.end();
    await end();

    for (const testId of [own, nearest]) {
      expect(await traceOfTest(testId)).toMatchObject({
        id: asUuid(traceId),
        otelTraceId: traceId,
        spanCount: 5,
      });
      const list = await server.ok('GET', `/v0/traces?testId=${testId.toUpperCase()}`);
      expect(list.data.map(({ id }) => id)).toEqual([asUuid(traceId)]);
    }
    const spans = await spansOf(traceId.toUpperCase());
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['root', 'child', 'grandchild', 'marked', 'below']),
    );
    expect(Object.fromEntries(spans.map(({ name, testId }) => [name, testId]))).toEqual({
      root: own,
      child: own,
      grandchild: own,
      marked: nearest,
      below: nearest,
    });
  });

  it('links by the resource when no span carries a test id', async () => {
    const testId = randomUUID();
    const { tracer, end } = providerOf(sender, server, { [TEST_ID]: testId });
    const span = tracer.startSpan('only');
    span.end();
    await end();

    const found = await traceOfTest(testId);
    expect(found.otelTraceId).toBe(span.spanContext().traceId);
    expect((await spansOf(found.id)).map((one) => one.testId)).toEqual([testId]);
  });

  it('gives every span of a trace the only test id in it', async () => {
    const testId = randomUUID();
    const { tracer, flush, end } = providerOf(sender, server);
    const root = tracer.startSpan('root');
    const without = tracer.startSpan('without', {}, under(root));
    without.end();
    root.end();
    await flush();
    const late = tracer.startSpan('late', { attributes: { [TEST_ID]: testId } }, under(root));
    late.end();
    await end();

    const spans = await spansOf((await traceOfTest(testId)).id);
    expect(spans).toHaveLength(3);
    expect(spans.every((span) => span.testId === testId)).toBe(true);
  });

  it('keeps a span exactly as it was made', async () => {
    const { tracer, end } = providerOf(sender, server, {
      'service.version': '1.4.2',
      'host.cpus': 8,
      'process.command_args': ['node', 'app.js'],
    });
    const linked = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: TraceFlags.SAMPLED };
    const attributes: Attributes = {
      text: 'a “quoted” ünïcode 🙂 text\nwith two lines',
      empty: '',
      int: -3,
      zero: 0,
      'big.int': 9_007_199_254_740_991,
      double: 0.1,
      tiny: 5e-324,
      yes: true,
      no: false,
      texts: ['x', 'y'],
      ints: [1, -2, 3],
      doubles: [0.5, -1.25],
      booleans: [true, false],
      none: [],
      __proto__x: 'kept',
      constructor: 'kept',
    };
    const root = tracer.startSpan('root', { startTime: [1_790_000_000, 0] });
    const span = tracer.startSpan(
      'chat m',
      {
        kind: SpanKind.CLIENT,
        attributes,
        links: [{ context: linked, attributes: { why: 'retry', tries: 2 } }],
        startTime: [1_790_000_000, 123_456_789],
      },
      under(root),
    );
    span.addEvent('first token', { latency: 0.25, stop: ['a'] }, [1_790_000_000, 223_456_789]);
    span.addEvent('second', {}, [1_790_000_000, 323_456_000]);
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'boom' });
    span.end([1_790_000_001, 123_456_789]);
    root.end([1_790_000_002, 0]);
    await end();

    const { traceId, spanId } = span.spanContext();
    const [stored] = await spansOf(asUuid(traceId), `?include=payload&spanId=${spanId}`);
    expect(stored).toEqual({
      id: spanId,
      parentId: root.spanContext().spanId,
      name: 'chat m',
      kind: expect.any(String) as string,
      type: expect.any(String) as string,
      startTime: '2026-09-21T14:13:20.123456789Z',
      durationMs: 1_000,
      status: { code: 'ERROR', message: 'boom' },
      depth: 1,
      childCount: 0,
      spanKind: 'CLIENT',
      traceState: '',
      traceFlags: 257,
      attributes,
      droppedAttributesCount: 0,
      events: [
        {
          name: 'first token',
          time: '2026-09-21T14:13:20.223456789Z',
          attributes: { latency: 0.25, stop: ['a'] },
          droppedAttributesCount: 0,
        },
        {
          name: 'second',
          time: '2026-09-21T14:13:20.323456000Z',
          attributes: {},
          droppedAttributesCount: 0,
        },
      ],
      droppedEventsCount: 0,
      links: [
        {
          traceId: linked.traceId,
          spanId: linked.spanId,
          traceState: '',
          attributes: { why: 'retry', tries: 2 },
          droppedAttributesCount: 0,
          flags: expect.any(Number) as number,
        },
      ],
      droppedLinksCount: 0,
      scope: { name: 'shop-agent', version: '1.2.3', attributes: {}, droppedAttributesCount: 0 },
      resource: {
        attributes: {
          'service.name': 'shop',
          'service.version': '1.4.2',
          'host.cpus': 8,
          'process.command_args': ['node', 'app.js'],
        },
        droppedAttributesCount: 0,
      },
      mapped: expect.any(Object) as object,
    });
  });

  it('reports the attributes the SDK dropped and takes numbers JSON has none for', async () => {
    const { tracer, end } = providerOf(sender, server);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));
    const span = tracer.startSpan('odd', { attributes: { nan: Number.NaN, huge: 1e21, ...many } });
    span.end();
    await end();

    const [stored] = await spansOf(span.spanContext().traceId, '?include=payload');
    expect(stored).toMatchObject({ name: 'odd', droppedAttributesCount: 74 });
    expect(stored?.['attributes']).toMatchObject({ huge: 1e21, k0: 0, k125: 125 });
  });

  it('hides the traces of one application from another', async () => {
    const other = await server.newTenant({ orgId: 'org-2' });
    const testId = randomUUID();
    const shared = { traceId: randomUUID().replaceAll('-', ''), spanId: 'ee'.repeat(8), traceFlags: 1 };
    const made = [server, other].map(async (tenant, i) => {
      const { tracer, end } = providerOf(sender, tenant);
      const context = trace.setSpanContext(ROOT_CONTEXT, shared);
      tracer.startSpan(`of ${i}`, { attributes: { [TEST_ID]: testId } }, context).end();
      await end();
    });
    await Promise.all(made);

    for (const [i, { headers }] of [server, other].entries()) {
      for (const path of [`/v0/traces/${shared.traceId}`, `/v0/traces/by-test/${testId}`]) {
        const { json } = await server.call('GET', path, { headers });
        expect(json).toMatchObject({ data: { spanCount: 1, rootName: `of ${i}` } });
      }
      const list = await server.ok('GET', `/v0/traces?testId=${testId}`, { headers });
      expect(list.data).toHaveLength(1);
    }
    const stranger = await server.newTenant({ orgId: 'org-3' });
    const seen = await server.call('GET', `/v0/traces/${shared.traceId}`, { headers: stranger.headers });
    expect(seen.status).toBe(404);
  });
});

it('takes what an exporter sends that is set up by environment variables alone', async () => {
  const testId = randomUUID();
  const script = `
    import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
    import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
    const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
    const span = provider.getTracer('env').startSpan('by environment', { attributes: { '${TEST_ID}': '${testId}' } });
    span.end();
    await provider.shutdown();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: String(MAX_EXPORT_MS),
      OTEL_BSP_EXPORT_TIMEOUT: String(MAX_EXPORT_MS),
      OTEL_EXPORTER_OTLP_HEADERS: Object.entries(server.headers)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join(','),
    },
  });
  expect((await traceOfTest(testId)).spanCount).toBe(1);
});

it('balances its ledger and uses no memory afterwards', async () => {
  const ledger = await readLedger(server);
  expect(ledger.received).toBeGreaterThan(40);
  expect(ledger).toMatchObject({ stored: ledger.received, duplicate: 0, replaced: 0, rejected: 0 });
  await expect.poll(() => memoryInUse(server)).toBe(0);
});
