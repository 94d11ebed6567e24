import type { Attributes, Context, Link, SpanKind } from '@opentelemetry/api';
import { testIdOf } from './test-context.ts';

const RECORD_AND_SAMPLED = 2;

/** A sampler of either line of OpenTelemetry. */
export interface Sampler<Result extends { decision: number }> {
  shouldSample(
    inContext: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): Result;
  toString(): string;
}

/** A sampler that always records spans of tests and leaves all others to `sampler`. */
export function recordTests<Result extends { decision: number }>(sampler: Sampler<Result>): Sampler<Result> {
  return {
    shouldSample: (inContext, ...rest) =>
      testIdOf(inContext) === undefined
        ? sampler.shouldSample(inContext, ...rest)
        : ({ decision: RECORD_AND_SAMPLED } as Result),
    toString: () => `RecordTests{${sampler.toString()}}`,
  };
}
