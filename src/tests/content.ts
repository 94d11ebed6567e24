import type { Database } from '../storage/database.ts';
import { formatUuid, otelTraceUuid } from '../traces/ids.ts';
import { SpanFlag } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import { contentOfSpan, openTest, type PlacedSpan } from './open-test.ts';

/** The input and output of the app in a test. */
export interface TestContent {
  /** Ids of the traces as the REST API shows them, the earliest first. */
  traceIds: string[];
  input: JsonValue;
  output: JsonValue;
  /** The spans that report them; null when none does, or a native `trace` event does. */
  inputSpanId: string | null;
  outputSpanId: string | null;
}

/** Returns the input and output of a test: the rule for a trace, over those spans of all its traces that belong to the test. */
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
