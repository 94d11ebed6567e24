import type { Database } from '../storage/database.ts';
import { contentOfSpan, openTest, type PlacedSpan } from '../tests/open-test.ts';
import { contentOf } from '../traces/content.ts';
import { readDocument } from '../traces/conventions/gen-ai-documents.ts';
import { compose } from '../traces/conventions/sources.ts';
import { durationMs, shownCost } from '../traces/format.ts';
import { findStoredTrace, type StoredTrace } from '../traces/load.ts';
import { OpenTrace } from '../traces/open-trace.ts';
import { NO_SUMS, type SkeletonSpan, SpanFlag, STATUS_ERROR } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import { addSums, countedSums } from '../traces/sums.ts';
import { byStart } from '../traces/tree.ts';
import type { SubjectDocument, Subject, ToolCall } from './subject.ts';
import { BoundedTexts } from './bounded-texts.ts';
import { loadTurns, tracesOfSession } from './load-turns.ts';
import type { Target } from './target.ts';

/** Most spans that are read. */
const MAX_SPANS = 10_000;

/**
 * Loads all data to judge of a test or trace; returns an empty subject when it has no stored span. Turns are loaded only with
 * `hasTurns`: those of a test are the inputs and outputs of its traces, those of a trace these of its session up to that trace.
 */
export function loadSubject(
  database: Database,
  { application, target, hasTurns = false }: { application: number; target: Target; hasTurns?: boolean },
): Subject {
  const opened =
    'testId' in target
      ? openWholeTest(database, application, target.testId)
      : openWholeTrace(database, application, target.traceId);
  const all = opened.spans
    .filter(({ span: { flags } }) => !(flags & (SpanFlag.delivery | SpanFlag.traceEvent)))
    .sort((a, b) => byStart(a.span, b.span));
  const spans = all.slice(0, MAX_SPANS);
  const texts = new BoundedTexts();
  // Texts are read in the order of their importance for judges.
  const output = opened.output && texts.take(contentOfSpan(opened.output, 'output'));
  const input = opened.input && texts.take(contentOfSpan(opened.input, 'input'));
  const toolCalls = toolCallsOf(spans, texts);
  const documents = documentsOf(spans, texts);
  const conversation = hasTurns
    ? loadTurns(database, { traces: opened.turns(), texts })
    : { turns: [], isTruncated: false };
  const sums = { ...NO_SUMS };
  for (const { span } of opened.spans) addSums(sums, countedSums(span));
  const isCostKnown = opened.spans.some(({ span }) => span.flags & SpanFlag.costKnown);
  const { inputTokens, outputTokens, totalTokens } = sums;
  return {
    input,
    output,
    documents,
    turns: conversation.turns,
    toolCalls,
    spans: spans.map(({ span: { name, kind, model, start, end, status } }) => {
      return { name, kind, model, durationMs: durationMs(start, end), isError: status === STATUS_ERROR };
    }),
    latencyMs: latencyOf(all),
    usage: { inputTokens, outputTokens, totalTokens },
    cost: shownCost(sums.cost, isCostKnown),
    isTruncated:
      opened.isTruncated || conversation.isTruncated || all.length > spans.length || texts.isTruncated,
  };
}

interface Opened {
  /** Returns the traces of the test, or of the session of the trace, earliest first. */
  turns: () => readonly StoredTrace[];
  spans: PlacedSpan[];
  input: PlacedSpan | null;
  output: PlacedSpan | null;
  isTruncated: boolean;
}

function openWholeTest(database: Database, application: number, testId: string): Opened {
  const { traces, ...opened } = openTest(database, { application, testId });
  return { ...opened, turns: () => traces };
}

function openWholeTrace(database: Database, application: number, traceId: Uint8Array): Opened {
  const stored = findStoredTrace(database, application, [traceId]);
  if (!stored) return { turns: () => [], spans: [], input: null, output: null, isTruncated: false };
  const trace = new OpenTrace(database, stored);
  const { inputSpan, outputSpan } = trace;
  return {
    turns: () => tracesOfSession(database, stored),
    spans: [...trace.byId.values()].map((span) => ({ trace, span })),
    input: inputSpan && { trace, span: inputSpan },
    output: outputSpan && { trace, span: outputSpan },
    isTruncated: false,
  };
}

/**
 * Returns the calls of tools, in the order of `spans`. A call that client and server of MCP report too, below the span of the
 * tool, is one call; what its own span does not say is taken from theirs.
 */
function toolCallsOf(spans: readonly PlacedSpan[], texts: BoundedTexts): ToolCall[] {
  const calls: ToolCall[] = [];
  const callOf = new Map<SkeletonSpan, ToolCall>();
  for (const placed of spans) {
    if (placed.span.kind !== 'TOOL') continue;
    const { call, isOfMcp } = toolCallOf(placed, texts);
    const around = isOfMcp ? callAround(placed, callOf) : undefined;
    if (around?.name !== call.name) calls.push(call);
    else {
      around.arguments ??= call.arguments;
      around.result ??= call.result;
      around.isError ||= call.isError;
    }
    callOf.set(placed.span, around?.name === call.name ? around : call);
  }
  return calls;
}

/** Returns the call whose span is the nearest one above a span. */
function callAround({ trace, span }: PlacedSpan, callOf: Map<SkeletonSpan, ToolCall>): ToolCall | undefined {
  const passed = new Set([span.id]);
  for (let id = span.parentId; id !== null && !passed.has(id); ) {
    passed.add(id);
    const above = trace.byId.get(id);
    if (above === undefined) return undefined;
    const call = callOf.get(above);
    if (call !== undefined) return call;
    id = above.parentId;
  }
  return undefined;
}

function toolCallOf({ trace, span }: PlacedSpan, texts: BoundedTexts): { call: ToolCall; isOfMcp: boolean } {
  const isError = span.status === STATUS_ERROR;
  if (!texts.canTakeMore())
    return { call: { name: span.name, arguments: null, result: null, isError }, isOfMcp: false };
  const { view, mapping } = trace.open(span);
  return {
    call: {
      name: mapping.text('toolName') ?? span.name.replace(/^tools\/call /, ''),
      arguments: texts.take(contentOf(mapping, view, 'input')?.value ?? null),
      result: texts.take(contentOf(mapping, view, 'output')?.value ?? null),
      isError,
    },
    isOfMcp: view.value('mcp.method.name') !== undefined,
  };
}

function documentsOf(spans: readonly PlacedSpan[], texts: BoundedTexts): SubjectDocument[] {
  const documents = new Map<string, SubjectDocument>();
  for (const { trace, span } of spans) {
    if ((span.kind !== 'RETRIEVER' && span.kind !== 'RERANKER') || !texts.canTakeMore()) continue;
    const { view, mapping } = trace.open(span);
    const given = mapping.has('documents')
      ? (compose(view, 'documents')?.value ?? [])
      : documentsIn(contentOf(mapping, view, 'output')?.value ?? null);
    for (const { id = null, content, score = null } of given) {
      if (content === undefined || documents.has(content) || !texts.canTakeMore()) continue;
      documents.set(content, { id, content: texts.take(content) as string, score });
    }
  }
  return [...documents.values()];
}

/** Returns documents in a retriever's output that no mapping rules describe. */
function documentsIn(output: JsonValue): ReturnType<typeof readDocument>[] {
  if (output === null) return [];
  return (Array.isArray(output) ? output : [output]).map(readDocument);
}

/** Returns the time from the start of the first span to the end of the last. */
function latencyOf(spans: readonly PlacedSpan[]): number | null {
  const [first] = spans;
  if (!first) return null;
  let { end } = first.span;
  for (const { span } of spans) if (span.end > end) end = span.end;
  return durationMs(first.span.start, end);
}
