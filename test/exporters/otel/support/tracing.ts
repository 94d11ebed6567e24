import { context, diag, DiagLogLevel, type Tracer } from '@opentelemetry/api';
import { BasicTracerProvider, type Sampler } from '@opentelemetry/sdk-trace-base';
import type { ProcessorOptions } from '../../../../exporters/otel/src/batching-processor.ts';
import { NODE } from '../../../../exporters/otel/src/node-platform.ts';
import { TouchstoneSpanProcessor } from '../../../../exporters/otel/src/processor.ts';

export const CREDENTIALS = { apiKey: 'sk_key_secret', applicationId: 'b5e8d0a2-53f8-4c0e-9a4b-3f4a4e0e2d11' };

/** Warnings and errors of OpenTelemetry from now on. */
export function listenToDiag(): string[] {
  const said: string[] = [];
  const say = (...parts: unknown[]): void => void said.push(parts.join(' '));
  const logger = { error: say, warn: say, info: say, debug: say, verbose: say };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return said;
}

/** What an app with OpenTelemetry has set. */
export function setContextManager(): void {
  context.setGlobalContextManager(NODE.contextManager());
}

export interface Tracing {
  tracer: Tracer;
  processor: TouchstoneSpanProcessor;
}

/** A provider with one processor, whose batches leave when full or on request. The globals stay as they are. */
export function startTracing(options: ProcessorOptions, sampler?: Sampler): Tracing {
  const processor = new TouchstoneSpanProcessor({ ...CREDENTIALS, delayMillis: 600_000, ...options });
  const provider = new BasicTracerProvider({ spanProcessors: [processor], ...(sampler && { sampler }) });
  return { processor, tracer: provider.getTracer('test') };
}

export function endSpans({ tracer }: Tracing, count: number): void {
  for (let n = 0; n < count; n += 1) tracer.startSpan(`span ${n}`).end();
}
