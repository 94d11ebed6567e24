import type { Database } from '../storage/database.ts';
import { formatUuid, otelTraceUuid } from '../traces/ids.ts';
import { SpanFlag } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import { contentOfSpan, openTest, type PlacedSpan } from './open-test.ts';

/** The input and output of the app in a test. */
export interface TestContent {
  /** Trace ids as the REST API shows them, earliest first. */
  traceIds: string[];
  input: JsonValue;
  output: JsonValue;
  /**
   * Ids of the spans that report the input and output; null when no span does, or when a native `trace` event
   * does.
   */
  inputSpanId: string | null;
  outputSpanId: string | null;
}

/**
 * Returns the input and output of a test. Applies the rule for a trace to the spans of all its traces that
 * belong to the test.
 */
export function testContent(database: Database, test: { application: number; testId: string }): TestContent {
  const { traces, input, output } = openTest(database, test);
  return {
    traceIds: traces.map(({ native, traceId }) => (native ? formatUuid(traceId) : otelTraceUuid(traceId))),
    input: input && contentOfSpan(input, 'input'),
    output: output && contentOfSpan(output, 'output'),
    inputSpanId: shownId(input),
    outputSpanId: shownId(output),
  };
}

/** A trace event cannot be looked up as a span. */
function shownId(found: PlacedSpan | null): string | null {
  return found === null || found.span.flags & SpanFlag.traceEvent ? null : found.span.id;
}
