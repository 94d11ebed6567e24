import type { TextMapPropagator } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Environment } from './settings.ts';

/** The sampler that OTEL_TRACES_SAMPLER names; without it, everything whose parent is not left out is recorded. */
export function samplerFrom(env: Environment): Sampler {
  const name = env['OTEL_TRACES_SAMPLER']?.trim().toLowerCase() ?? '';
  const root = rootSampler(name.replace(/^parentbased_/, ''), env['OTEL_TRACES_SAMPLER_ARG']);
  return /^(?:always_|traceidratio)/.test(name) ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string, argument: string | undefined): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name !== 'traceidratio') return new AlwaysOnSampler();
  const ratio = Number(argument?.trim() || 1);
  return new TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1);
}

/** Returns the resource that the environment and the caller describe. */
export function resourceOf(serviceName: string | undefined): Resource {
  const fromEnv = detectResources({ detectors: [envDetector] });
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  return defaultResource().merge(fromEnv).merge(resourceFromAttributes(named));
}

/** Trace context and baggage by their W3C headers. */
export const w3cPropagator = (): TextMapPropagator =>
  new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
  });
