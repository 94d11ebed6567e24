/** Exporters of OpenTelemetry's SDK against a server without memory: they repeat what it rejects with 503. */
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryInUse, readLedger, readMetric } from '../support/ledger.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { RawConnection, requestBytes } from '../support/sockets.ts';

const MIB = 1024 * 1024;
const SPANS = 4;
/** Too large for the memory that is left. */
const CONTENT = 'x'.repeat(600_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: { maxBodyBytes: MIB, memoryBudgetBytes: 2 * MIB } });
});
afterAll(() => server.close());

/** Occupies most of the memory by the unfinished requests of two applications. */
async function fill(tenants: readonly Pick<Tenant, 'headers'>[]): Promise<() => void> {
  const connections = await Promise.all(tenants.map(() => RawConnection.open(server.url)));
  for (const [i, { headers }] of tenants.entries()) {
    const request = {
      path: '/v1/traces',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: Buffer.alloc(800_000, 0x20),
    };
    connections[i]?.write(requestBytes(request).subarray(0, 790_000));
  }
  await expect.poll(() => memoryInUse(server)).toBeGreaterThan(1_570_000);
  return () => {
    for (const connection of connections) connection.destroy();
  };
}

const rejections = (): Promise<number> =>
  readMetric(server, 'touchstone_rejected_total{reason="unavailable"}');

it.each([
  ['http/json', HttpExporter],
  ['http/protobuf', ProtoExporter],
])('loses and doubles nothing of the %s exporter', async (_name, Exporter) => {
  const [sender, other] = await Promise.all([server.newTenant(), server.newTenant()]);
  const release = await fill([sender, other]);
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new BatchSpanProcessor(
        new Exporter({ url: `${server.url}/v1/traces`, headers: { ...sender.headers } }),
        {
          maxExportBatchSize: 1,
        },
      ),
    ],
  });
  const before = await rejections();
  const tracer = provider.getTracer('shop');
  for (let i = 0; i < SPANS; i++) tracer.startSpan(`span ${i}`, { attributes: { content: CONTENT } }).end();
  const flushed = provider.forceFlush();
  await expect.poll(rejections, { timeout: 5_000 }).toBeGreaterThan(before);
  release();
  await flushed;
  await provider.shutdown();

  const call = (method: string, path: string) => server.call(method, path, { headers: sender.headers });
  expect(await readLedger({ call })).toMatchObject({ stored: SPANS, duplicate: 0, replaced: 0, rejected: 0 });
  const { json } = await call('GET', '/v0/traces?limit=100');
  expect((json as { data: unknown[] }).data).toHaveLength(SPANS);
});
