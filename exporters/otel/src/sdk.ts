import { createRequire } from 'node:module';
import type { Attributes, TextMapPropagator, TracerProvider } from '@opentelemetry/api';
import type { Sampler } from './sampler.ts';
import type { Environment } from './settings.ts';

type AnySampler = Sampler<{ decision: number }>;
type New<T, Args extends unknown[]> = new (...args: Args) => T;

/** A tracer provider of the SDK. */
export interface SdkProvider extends TracerProvider {
  shutdown(): Promise<void>;
}

interface ProviderConfig {
  resource: object;
  sampler: AnySampler;
  spanProcessors: readonly object[];
  spanLimits: { attributeCountLimit: number };
}

/** Members used of `@opentelemetry/sdk-trace` (`TracerProvider`) or `@opentelemetry/sdk-trace-base`. */
interface TracePackage {
  TracerProvider?: New<SdkProvider, [ProviderConfig]>;
  BasicTracerProvider?: New<SdkProvider, [ProviderConfig]>;
  AlwaysOnSampler: New<AnySampler, []>;
  AlwaysOffSampler: New<AnySampler, []>;
  TraceIdRatioBasedSampler: New<AnySampler, [ratio: number]>;
  ParentBasedSampler: New<AnySampler, [config: { root: AnySampler }]>;
}

interface Resource {
  merge(other: Resource): Resource;
}

interface ResourcesPackage {
  defaultResource(): Resource;
  detectResources(config: { detectors: readonly unknown[] }): Resource;
  envDetector: unknown;
  resourceFromAttributes(attributes: Attributes): Resource;
}

interface CorePackage {
  CompositePropagator: New<TextMapPropagator, [config: { propagators: TextMapPropagator[] }]>;
  W3CTraceContextPropagator: New<TextMapPropagator, []>;
  W3CBaggagePropagator: New<TextMapPropagator, []>;
}

export interface Sdk {
  trace: TracePackage;
  resources: ResourcesPackage;
  core: CorePackage;
}

/**
 * The SDK that the installed exporter itself depends on: it is always there, and always of the exporter's line.
 * Throws when it is not, as in a bundle that left it out.
 */
export function loadSdk(): Sdk {
  const fromHere = createRequire(import.meta.url);
  const fromExporter = createRequire(fromHere.resolve('@opentelemetry/exporter-trace-otlp-http'));
  const path = firstOf(fromExporter, ['@opentelemetry/sdk-trace', '@opentelemetry/sdk-trace-base']);
  const fromSdk = createRequire(path);
  return {
    trace: fromExporter(path) as TracePackage,
    resources: fromSdk('@opentelemetry/resources') as ResourcesPackage,
    core: fromSdk('@opentelemetry/core') as CorePackage,
  };
}

function firstOf(require: NodeJS.Require, names: readonly string[]): string {
  for (const name of names) {
    try {
      return require.resolve(name);
    } catch {
      // Each line has another one of them.
    }
  }
  throw new Error(`none of ${names.join(' and ')} is installed`);
}

/** The sampler that OTEL_TRACES_SAMPLER names; without it, everything whose parent is not left out is recorded. */
export function samplerFrom(env: Environment, { trace }: Sdk): AnySampler {
  const name = env['OTEL_TRACES_SAMPLER']?.trim().toLowerCase() ?? '';
  const root = rootSampler(name.replace(/^parentbased_/, ''), env['OTEL_TRACES_SAMPLER_ARG'], trace);
  return /^(?:always_|traceidratio)/.test(name) ? root : new trace.ParentBasedSampler({ root });
}

function rootSampler(name: string, argument: string | undefined, trace: TracePackage): AnySampler {
  if (name === 'always_off') return new trace.AlwaysOffSampler();
  if (name !== 'traceidratio') return new trace.AlwaysOnSampler();
  const ratio = Number(argument?.trim() || 1);
  return new trace.TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1);
}

/** Returns the resource that the environment and the caller describe. */
export function resourceOf(serviceName: string | undefined, { resources }: Sdk): Resource {
  const fromEnv = resources.detectResources({ detectors: [resources.envDetector] });
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  return resources.defaultResource().merge(fromEnv).merge(resources.resourceFromAttributes(named));
}

/** Trace context and baggage by their W3C headers. */
export function w3cPropagator({ core }: Sdk): TextMapPropagator {
  return new core.CompositePropagator({
    propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
  });
}
