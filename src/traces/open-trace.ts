import type { Database } from '../storage/database.ts';
import { contentOf, type Side, traceContentOf } from './content.ts';
import { SpanView } from './conventions/span-view.ts';
import { chooseInputOutput } from './input-output.ts';
import { loadSkeleton, PayloadReader, type StoredTrace } from './load.ts';
import type { LogRecordMessage } from './log-record.ts';
import { addLogged } from './logged-span.ts';
import { mapSpan } from './map-span.ts';
import { SpanMapping } from './mapping.ts';
import { ownRulesOf } from './own-rules/open.ts';
import type { OwnMappings } from './own-rules/own-mappings.ts';
import type { PriceList } from './prices/price-list.ts';
import { NO_SUMS, type SkeletonSpan, SpanFlag, type SpanSums } from './span.ts';
import { logsOfTrace } from './span-logs.ts';
import type { JsonValue } from './span-wire.ts';
import { addSums, countedSums, hasSums, markReportedElsewhere } from './sums.ts';
import { buildTree, type TraceTree } from './tree.ts';

const SAYS_OF_TRACE = { input: SpanFlag.hasTraceInput, output: SpanFlag.hasTraceOutput } as const;

/** A stored trace with all its spans and their log records. Payloads are read when they are needed. */
export class OpenTrace {
  readonly tree: TraceTree;
  readonly byId: ReadonlyMap<string, SkeletonSpan>;
  /** Sums over all spans; nested reports of the same use count once. */
  readonly sums: Readonly<SpanSums>;
  /** Span whose input (output) is the trace's. */
  readonly inputSpan: SkeletonSpan | null;
  readonly outputSpan: SkeletonSpan | null;
  /** Spans that have log records. */
  readonly logged: SkeletonSpan[] = [];
  /** Session that the log records name; null when they name none. */
  loggedSession: string | null = null;
  private readonly logs: ReadonlyMap<string, readonly LogRecordMessage[]>;
  private readonly payloads: PayloadReader;
  private readonly mapping = new SpanMapping();
  private readonly own: OwnMappings | null;

  constructor(database: Database, trace: StoredTrace) {
    const { mappings, prices } = ownRulesOf(database, trace.application);
    this.own = mappings;
    this.payloads = new PayloadReader(database, trace);
    this.logs = logsOfTrace(database, trace.application, trace.traceId);
    const spans = loadSkeleton(database, trace);
    this.byId = new Map(spans.map((span) => [span.id, span]));
    this.markLogged(prices);
    this.tree = buildTree(spans);
    this.sums = sumOnce(this.tree);
    const { inputSpanId, outputSpanId } = chooseInputOutput(this.tree, this.tree.traceEvents);
    this.inputSpan = this.byId.get(inputSpanId ?? '') ?? null;
    this.outputSpan = this.byId.get(outputSpanId ?? '') ?? null;
  }

  /** Adds values of log records to their spans. */
  private markLogged(prices: PriceList): void {
    const bytesOf = (span: SkeletonSpan): Buffer => this.payloads.open(span).bytes;
    for (const [id, records] of this.logs) {
      const span = this.byId.get(id);
      if (!span) continue;
      const sessionId = addLogged(span, records, { prices, bytesOf });
      this.logged.push(span);
      this.loggedSession ??= sessionId;
    }
  }

  /** Returns the span's message and its mapping, which is valid until the next span is opened. */
  open(span: SkeletonSpan): { view: SpanView; mapping: SpanMapping } {
    const logs = this.logs.get(span.id) ?? [];
    const { bytes } = this.payloads.open(span);
    return {
      view: new SpanView(bytes, logs, this.own),
      mapping: mapSpan(bytes, this.mapping, logs, this.own),
    };
  }

  /** Returns the input or output of the trace. */
  content(side: Side): JsonValue {
    const span = side === 'input' ? this.inputSpan : this.outputSpan;
    if (!span) return null;
    const { view, mapping } = this.open(span);
    return saysOfTrace(span, side)
      ? traceContentOf(mapping, side)
      : (contentOf(mapping, view, side)?.value ?? null);
  }
}

/** Reports whether a span reports it for its complete trace. */
export function saysOfTrace(span: SkeletonSpan, side: Side): boolean {
  return (span.flags & SAYS_OF_TRACE[side]) !== 0;
}

/** Computes sums over a trace. Nested reports of the same use count once; the spans that do not count are marked. */
export function sumOnce(tree: TraceTree): Readonly<SpanSums> {
  const nodes = tree.order.filter((node) => node.span !== null);
  const spans = nodes.map((node) => node.span as SkeletonSpan);
  if (!spans.some(hasSums)) return NO_SUMS;
  const places = new Map(spans.map(({ id }, index) => [id, index]));
  markReportedElsewhere(
    spans,
    nodes.map(({ parent }) => places.get(parent?.id ?? '') ?? -1),
  );
  const sums = { ...NO_SUMS };
  for (const span of spans) addSums(sums, countedSums(span));
  return sums;
}
