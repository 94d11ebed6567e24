import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

/**
 * An ended span, as the OpenTelemetry SDK hands it on. The type is taken from the exporter, because the package that
 * declares it is another one in each line of OpenTelemetry.
 */
export type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number];

/** Result of an export. `code` 0 is success, 1 failure. */
export interface ExportResult {
  code: number;
  error?: Error;
}

/** The attribute that links a span to the test it belongs to. */
export const TEST_ID_ATTRIBUTE = 'service.test.id';
