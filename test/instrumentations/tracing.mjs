import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

/**
 * Sets up OpenTelemetry for the process as its documentation does. Spans go to where OTEL_EXPORTER_OTLP_ENDPOINT says,
 * with the headers of OTEL_EXPORTER_OTLP_HEADERS; `shutdown()` sends the last ones.
 */
export function startTracing(processor = new BatchSpanProcessor(new OTLPTraceExporter())) {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'weather-agent' }),
    spanProcessors: [processor],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return provider;
}
