import type { Database } from '../storage/sqlite/database.ts';
import { formatUuid, otelTraceUuid } from '../traces/ids.ts';
import { contentOfSpan, openTest, type PlacedSpan } from '../traces/open-test.ts';
import { SpanFlag } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/** What went into the app in a test, and what came out of it. */
export interface TestContent {
  /** As REST shows them, the earliest first. */
  traceIds: string[];
  input: JsonValue;
  output: JsonValue;
  /** Where they are from; null when no span says it, or a native `trace` event does. */
  inputSpanId: string | null;
  outputSpanId: string | null;
}

/** Input and output of a test: the rule for a trace, over those spans of all its traces that belong to the test. */
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

/** A trace event is no span anybody could look up. */
function shownId(found: PlacedSpan | null): string | null {
  return found === null || found.span.flags & SpanFlag.traceEvent ? null : found.span.id;
}
