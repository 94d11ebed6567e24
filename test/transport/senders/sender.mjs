// Sends spans with an exporter of OpenTelemetry for JavaScript, set up by environment variables: node sender.mjs PROTOCOL
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const PACKAGES = {
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
};
const { TRACE_ID: traceId = '', SPANS, PACE_MS, BATCH, CONTENT_BYTES } = process.env;
const { OTLPTraceExporter } = await import(PACKAGES[process.argv[2] ?? '']);
const provider = new BasicTracerProvider({
  spanProcessors: [
    new BatchSpanProcessor(new OTLPTraceExporter(), {
      maxExportBatchSize: Number(BATCH),
      scheduledDelayMillis: 100,
    }),
  ],
});
const tracer = provider.getTracer('shop');
const remote = { traceId, spanId: '00000000000000aa', traceFlags: TraceFlags.SAMPLED, isRemote: true };
const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
const attributes = { 'input.value': 'x'.repeat(Number(CONTENT_BYTES)) };
for (let i = 0; i < Number(SPANS); i++) {
  tracer.startSpan(`span ${i}`, { attributes }, parent).end();
  await sleep(Number(PACE_MS));
}
await provider.shutdown();
