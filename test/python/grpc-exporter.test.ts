/** OpenTelemetry's gRPC exporter for Python, set up by environment variables alone. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTraceId } from '../e2e/otlp-sender.ts';
import { testPython } from '../support/python.ts';
import { startServer, type TestServer } from '../support/server.ts';

const INSTALL_MS = 900_000;

let server: TestServer;
let python: string;
beforeAll(async () => {
  [server, python] = await Promise.all([startServer({ config: { grpcPort: 0 } }), testPython()]);
}, INSTALL_MS);
afterAll(() => server.close());

const PROGRAM = `
import sys
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

results = []
class Exporter(OTLPSpanExporter):
    def export(self, spans):
        results.append(super().export(spans))
        return results[-1]

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(Exporter()))
parent = NonRecordingSpan(SpanContext(int(sys.argv[1], 16), 1, is_remote=True, trace_flags=TraceFlags(1)))
tracer = provider.get_tracer("shop")
for name in ("first", "second"):
    with tracer.start_as_current_span(name, context=set_span_in_context(parent)) as span:
        span.set_attribute("input.value", "x" * 200_000)
provider.shutdown()
print([result.name for result in results])
`;

async function run(traceId: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(python, ['-c', PROGRAM, traceId], {
    env: {
      PATH: process.env['PATH'],
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.grpcPort}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60',
      ...env,
    },
  });
  return stdout.trim() + stderr;
}

const headers = ({ apiKey, applicationId }: { apiKey: string; applicationId: string }): string =>
  `x-api-key=${apiKey},x-application-id=${applicationId}`;

it.each([
  ['uncompressed', {}],
  ['with gzip', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
])('its spans are stored, %s', async (_how, compression) => {
  const traceId = newTraceId();
  const printed = await run(traceId, {
    OTEL_EXPORTER_OTLP_HEADERS: headers(server),
    ...compression,
  });
  expect(printed).toBe("['SUCCESS', 'SUCCESS']");
  const { data } = await server.ok('GET', `/v0/traces/${traceId}/spans`);
  const names = data.flatMap(({ name }) => (name === undefined ? [] : [name]));
  expect(names.toSorted()).toEqual(['first', 'second']);
});

it('reports the error of a wrong key and does not retry', async () => {
  const printed = await run(newTraceId(), {
    OTEL_EXPORTER_OTLP_HEADERS: headers({ ...server, apiKey: 'sk_wrong' }),
  });
  expect(printed).toContain("['FAILURE', 'FAILURE']");
  expect(printed).toContain('UNAUTHENTICATED');
});
