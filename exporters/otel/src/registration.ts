import { context, createContextKey, diag, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { Stats } from './loss.ts';
import { BatchingSpanProcessor, type ProcessorOptions } from './batching-processor.ts';
import type { Platform } from './platform.ts';
import { Reporter } from './reporter.ts';
import { recordTests, type Sampler } from './sampler.ts';
import { environment } from './runtime.ts';
import { resourceOf, samplerFrom, w3cPropagator } from './sdk.ts';

export interface RegisterOptions extends ProcessorOptions {
  /** `service.name` of the resource. Default: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
  serviceName?: string | undefined;
  /** Sampler of spans outside of tests; tests are always recorded. Default: `OTEL_TRACES_SAMPLER`, then all spans. */
  sampler?: Sampler<{ decision: number }> | undefined;
}

export interface Touchstone {
  /** False when the app has a tracer provider of its own, or OpenTelemetry is turned off: then nothing was changed. */
  readonly isRegistered: boolean;
  /**
   * Resolves when every ended span is stored or lost. Rejects in strict mode only: with a `SpanLossError` when spans
   * were lost, with an `Error` when nothing was registered.
   */
  flush(): Promise<void>;
  /** Flushes, then releases the tracer provider. */
  shutdown(): Promise<void>;
  stats(): Stats;
}

/** Key of a provider under which all copies of this package in the process find what `register()` returned. */
const REGISTRATION = Symbol.for('touchstone-otel registration');

/**
 * Sets up OpenTelemetry with the means of a platform. What is set already stays as it is: after a first call, returns what that one
 * returned. Never throws.
 */
export function registerOn(platform: Platform, options: RegisterOptions): Touchstone {
  const before = registrationBefore();
  if (before) {
    reportUnused(options);
    return before;
  }
  const processor = new BatchingSpanProcessor(options, platform);
  if (environment()['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') {
    return inactive(processor, { ...options, reportLoss: false }, 'OTEL_SDK_DISABLED is set');
  }
  try {
    const provider = makeProvider(processor, options);
    if (!trace.setGlobalTracerProvider(provider)) {
      return inactive(
        processor,
        options,
        'a tracer provider is already set: add new TouchstoneSpanProcessor() to its spanProcessors and wrap its ' +
          'sampler with recordTests()',
      );
    }
    if (!hasContextManager()) context.setGlobalContextManager(platform.contextManager());
    if (propagation.fields().length === 0) propagation.setGlobalPropagator(w3cPropagator());
    const registration = active(processor, provider);
    Object.defineProperty(provider, REGISTRATION, { value: registration });
    return registration;
  } catch (error) {
    return inactive(processor, options, error instanceof Error ? error.message : String(error));
  }
}

function makeProvider(
  processor: BatchingSpanProcessor,
  { serviceName, sampler }: RegisterOptions,
): BasicTracerProvider {
  return new BasicTracerProvider({
    resource: resourceOf(serviceName ?? environment()['OTEL_SERVICE_NAME']),
    sampler: recordTests(sampler ?? samplerFrom(environment())),
    spanProcessors: [processor],
    // Instrumentations of language models write a message into several attributes; the usual 128 are soon used up.
    spanLimits: { attributeCountLimit: Number(environment()['OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT']) || 1_024 },
  });
}

function active(processor: BatchingSpanProcessor, provider: BasicTracerProvider): Touchstone {
  return {
    isRegistered: true,
    flush: () => processor.forceFlush(),
    shutdown: async () => {
      try {
        await provider.shutdown();
      } finally {
        if (globalProvider() === provider) trace.disable();
      }
    },
    stats: () => processor.stats(),
  };
}

function inactive(processor: BatchingSpanProcessor, options: RegisterOptions, reason: string): Touchstone {
  const { strict = false } = options;
  new Reporter(options, environment()).notice(`register() changed nothing: ${reason}`);
  diag.warn(`touchstone: register() changed nothing: ${reason}`);
  return {
    isRegistered: false,
    flush: async () => {
      if (strict) throw new Error(`register() changed nothing: ${reason}`);
    },
    shutdown: () => processor.shutdown(),
    stats: () => processor.stats(),
  };
}

/** Returns what an earlier call returned, such as that of `touchstone-otel/auto` or of a copy in another module format. */
function registrationBefore(): Touchstone | undefined {
  return (globalProvider() as { [REGISTRATION]?: Touchstone } | undefined)?.[REGISTRATION];
}

function reportUnused(options: RegisterOptions): void {
  const names = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) return;
  const text = `register() was called before, so these options are not used: ${names.join(', ')}`;
  new Reporter(options, environment()).notice(text);
  diag.warn(`touchstone: ${text}`);
}

/** Returns the provider to which that of the API, through which everything goes, hands it on. */
const globalProvider = (): unknown =>
  (trace.getTracerProvider() as { getDelegate?: () => unknown }).getDelegate?.();

function hasContextManager(): boolean {
  const probe = createContextKey('touchstone probe');
  return context.with(ROOT_CONTEXT.setValue(probe, true), () => context.active().getValue(probe) === true);
}
