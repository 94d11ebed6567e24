import { contentOf, type Side, traceContentOf } from './content.ts';
import { jsonText } from './conventions/json.ts';
import { isEventScope } from './event-scope.ts';
import { KINDS_OF_PARTS } from './input-output.ts';
import { SpanView } from './conventions/span-view.ts';
import { truncate } from './truncate.ts';
import { mapSpan } from './map-span.ts';
import { SpanMapping } from './mapping.ts';
import { type IncomingSpan, NO_SUMS, SpanFlag, STATUS_ERROR, type SpanSums } from './span.ts';
import { SPAN_KINDS } from './span-kinds.ts';
import type { JsonValue } from './span-wire.ts';
import { addSums, countedSums, hasSums } from './sums.ts';

/**
 * Contribution of a set of spans to its trace: sums, bounds and sets that merge in any order, and candidates of which
 * the best is kept. Plain data, which can be sent to the writer's thread.
 */
export interface Rollup extends SpanSums {
  start: bigint;
  end: bigint;
  spanCount: number;
  errorCount: number;
  /** One bit for each index of SPAN_KINDS. */
  kinds: number;
  flags: number;
  models: string[];
  providers: string[];
  environments: string[];
  services: string[];
  sessionId: string | null;
  userId: string | null;
  tests: TestLink[];
  /** True if all spans are the service's own. */
  isOwn: boolean;
  /** True if all spans were made from native events, also if they arrive as OTLP: from an export. */
  isOfEvents: boolean;
  /** True if spans of other batches may change which span has the input and output of the trace. */
  isChoiceOpen: boolean;
  tags: string[];
  metadata: (readonly [key: string, value: string])[];
  rootName: Candidate;
  input: Candidate | null;
  output: Candidate | null;
  /** Metadata of the trace as JSON text. */
  metadataText: Candidate | null;
}

/**
 * A candidate for a text of the trace. A lower rank is nearer to the root; `at` breaks ties, earliest first (for
 * outputs: latest).
 */
export interface Candidate {
  rank: number;
  at: bigint;
  text: string;
}

/** A test id that the trace carries. via: 0 = a span, 1 = a resource, 2 = the delivery of the test. */
export interface TestLink {
  testId: string;
  first: bigint;
  via: number;
}

const VIA_SPAN = 0;
const VIA_RESOURCE = 1;
export const VIA_DELIVERY = 2;
/** The delivery of a test in a deleted trace that had no span of the app. */
export const VIA_LONE_DELIVERY = 3;

/** Flags of a trace row. They are stored, so the meaning of a bit must never change. */
export const TraceFlag = {
  replaced: 1,
  unpaired: 2,
  skew: 4,
  overlap: 8,
  redacted: 16,
  dropped: 32,
  costEstimated: 64,
  oddTokens: 128,
  /** Set if the trace belongs to a sample test of the webhook. */
  sample: 256,
  /** Set if a span carries a test id, so that `trace_test` has rows. */
  hasTests: 512,
  /** Set if the cost of a span is known, so that a total of 0 is not unknown. */
  costKnown: 1024,
} as const;

/** Flags of a span and the flags of its trace that they set. */
const FLAGS_OF_TRACE = [
  [SpanFlag.unpaired, TraceFlag.unpaired],
  [SpanFlag.timeAdjusted, TraceFlag.skew],
  [SpanFlag.redacted, TraceFlag.redacted],
  [SpanFlag.dropped, TraceFlag.dropped],
  [SpanFlag.costEstimated, TraceFlag.costEstimated],
  [SpanFlag.costKnown, TraceFlag.costKnown],
  [SpanFlag.oddTokens, TraceFlag.oddTokens],
] as const;

/** Returns the flags of a trace that one of its spans sets. */
function traceFlags(spanFlags: number): number {
  let flags = 0;
  for (const [ofSpan, ofTrace] of FLAGS_OF_TRACE) if (spanFlags & ofSpan) flags |= ofTrace;
  return flags;
}

/** Rank of a value reported for the complete trace. */
export const EXPLICIT = -1;
const ROOT = 0;
/** Rank of a span whose parent has not arrived, and may never. */
const PARENT_NOT_HERE = 1;
const NO_CANDIDATE = 1 << 20;
const MAX_DEPTH = 64;
const MAX_PREVIEW = 300;
const MAX_METADATA_TEXT = 8 * 1024;
const MAX_SET = 64;
const CONVERSATIONAL = new Set(['AGENT', 'CHAIN', 'LLM'].map((kind) => SPAN_KINDS.indexOf(kind as 'LLM')));

const PARTS = new Set([...KINDS_OF_PARTS].map((kind) => SPAN_KINDS.indexOf(kind)));

/** The span that was opened last: input, output and metadata of a trace are mostly on the same one. */
const opened = {
  bytes: null as Buffer | null,
  mapping: new SpanMapping(),
  view: null as SpanView | null,
};

function mappingOf({ bytes, own }: IncomingSpan): SpanMapping {
  if (opened.bytes !== bytes) {
    mapSpan(bytes, opened.mapping, [], own);
    opened.bytes = bytes;
    opened.view = null;
  }
  return opened.mapping;
}

function viewOf(span: IncomingSpan): SpanView {
  mappingOf(span);
  return (opened.view ??= new SpanView(span.bytes, [], span.own));
}

const emptyRollup = ({ start, end }: IncomingSpan): Rollup => ({
  start,
  end,
  spanCount: 0,
  errorCount: 0,
  ...NO_SUMS,
  kinds: 0,
  flags: 0,
  models: [],
  providers: [],
  environments: [],
  services: [],
  sessionId: null,
  userId: null,
  tests: [],
  isOwn: true,
  isOfEvents: true,
  isChoiceOpen: false,
  tags: [],
  metadata: [],
  rootName: { rank: NO_CANDIDATE, at: 0n, text: '' },
  input: null,
  output: null,
  metadataText: null,
});

/** Rolls up spans of one trace. `spans` contains each span once; `byId` finds them by `spanId`. */
export function rollUp(spans: readonly IncomingSpan[], byId: ReadonlyMap<string, IncomingSpan>): Rollup {
  const hasTraceEvent = spans.some(({ flags }) => (flags & SpanFlag.traceEvent) !== 0);
  const rollup = { ...emptyRollup(spans[0] as IncomingSpan), isChoiceOpen: hasTraceEvent };
  const best = new BestSpans(hasTraceEvent);
  const tests = new Map<string, TestLink>();
  for (const span of spans) {
    rollup.isOwn &&= isOwnSpan(span);
    rollup.isOfEvents &&= isEventScope(span.scope);
    const isTraceEvent = (span.flags & SpanFlag.traceEvent) !== 0;
    if (span.start < rollup.start) rollup.start = span.start;
    if (span.end > rollup.end) rollup.end = span.end;
    if (!isTraceEvent) {
      rollup.spanCount += 1;
      if (span.status === STATUS_ERROR) rollup.errorCount += 1;
      rollup.kinds |= 1 << span.kind;
    }
    if (hasSums(span)) addSums(rollup, countedSums(span));
    if (span.flags !== 0) rollup.flags |= traceFlags(span.flags);
    if (span.model !== null) addTo(rollup.models, span.model);
    if (span.provider !== null) addTo(rollup.providers, span.provider);
    const environment = span.environment ?? span.resource.environment;
    if (environment !== null) addTo(rollup.environments, environment);
    if (span.resource.service !== '' && !isOwnSpan(span)) addTo(rollup.services, span.resource.service);
    rollup.sessionId ??= span.sessionId;
    rollup.userId ??= span.userId;
    for (const tag of span.tags) addTo(rollup.tags, tag);
    for (const pair of span.metadata) if (rollup.metadata.length < MAX_SET) rollup.metadata.push(pair);
    const via = isOwnSpan(span) ? VIA_DELIVERY : VIA_SPAN;
    if (span.testId !== null) addTest(tests, span.testId, span.start, via);
    if (span.resource.testId !== null) addTest(tests, span.resource.testId, span.start, VIA_RESOURCE);
    const rank = isTraceEvent ? EXPLICIT : rankOf(span, byId);
    rollup.isChoiceOpen ||= rank === ROOT && PARTS.has(span.kind);
    best.offer(span, rank, byId.get(span.parentId));
  }
  rollup.tests = [...tests.values()];
  rollup.rootName = best.rootName() ?? rollup.rootName;
  rollup.input = best.preview('input');
  rollup.output = best.preview('output');
  rollup.metadataText = best.metadataText();
  // The bytes of a request must not outlive it.
  opened.bytes = null;
  opened.view = null;
  return rollup;
}

/** Reports whether `candidate` precedes `other`; for outputs the later one does. */
export function isBetter(candidate: Candidate, other: Candidate | null, latest = false): boolean {
  if (other === null || candidate.rank !== other.rank) return other === null || candidate.rank < other.rank;
  return latest ? candidate.at > other.at : candidate.at < other.at;
}

interface Ranked {
  span: IncomingSpan;
  rank: number;
}

/** Tracks the best span for each text, so that only those are opened. */
class BestSpans {
  private readonly hasTraceEvent: boolean;
  private root: Ranked | null = null;
  private name: Ranked | null = null;
  private input: Ranked | null = null;
  private output: Ranked | null = null;
  private metadata: Ranked | null = null;

  constructor(hasTraceEvent: boolean) {
    this.hasTraceEvent = hasTraceEvent;
  }

  offer(span: IncomingSpan, rank: number, parent: IncomingSpan | undefined): void {
    const { flags } = span;
    // A trace is named after a trace event or the service's delivery only if it has no other span.
    const isOurs = isOwnSpan(span);
    const isEntry =
      (rank === PARENT_NOT_HERE && (flags & SpanFlag.remoteParent) !== 0) ||
      (parent !== undefined && isOwnSpan(parent));
    const rootRank = rank === EXPLICIT || isOurs ? NO_CANDIDATE : isEntry ? ROOT : rank;
    if (rootRank <= PARENT_NOT_HERE || rootRank === NO_CANDIDATE)
      this.root = earlier(this.root, { span, rank: rootRank });
    if (span.traceName !== null) this.name = earlier(this.name, { span, rank });
    if (flags & SpanFlag.hasTraceInput) this.input = earlier(this.input, { span, rank: EXPLICIT });
    if (flags & SpanFlag.hasTraceOutput) this.output = later(this.output, { span, rank: EXPLICIT });
    if (rank >= 2 && !CONVERSATIONAL.has(span.kind)) return;
    if (this.hasTraceEvent && PARTS.has(span.kind)) return;
    if (flags & SpanFlag.hasInput) this.input = earlier(this.input, { span, rank });
    if (flags & SpanFlag.hasOutput) this.output = later(this.output, { span, rank });
    if (flags & SpanFlag.hasMetadata) this.metadata = earlier(this.metadata, { span, rank });
  }

  rootName(): Candidate | null {
    const { root, name } = this;
    if (name)
      return { rank: EXPLICIT, at: name.span.start, text: truncate(name.span.traceName ?? '', MAX_PREVIEW) };
    return root && { rank: root.rank, at: root.span.start, text: truncate(root.span.name, MAX_PREVIEW) };
  }

  preview(side: Side): Candidate | null {
    const ranked = this[side];
    if (ranked === null) return null;
    const { span, rank } = ranked;
    const text = contentPreview(span, side, rank === EXPLICIT && (span.flags & EXPLICIT_FLAG[side]) !== 0);
    return { rank, at: side === 'output' ? span.end : span.start, text };
  }

  /** JSON cannot be truncated; the trace itself shows metadata that is too long for a list. */
  metadataText(): Candidate | null {
    const { metadata: ranked } = this;
    if (ranked === null) return null;
    const text = jsonText(mappingOf(ranked.span).metadata());
    return text.length > MAX_METADATA_TEXT ? null : { rank: ranked.rank, at: ranked.span.start, text };
  }
}

/** Reports whether the service made a span, for the delivery of a test. */
const isOwnSpan = ({ flags }: IncomingSpan): boolean => (flags & SpanFlag.delivery) !== 0;

const EXPLICIT_FLAG = { input: SpanFlag.hasTraceInput, output: SpanFlag.hasTraceOutput } as const;

/** Returns the beginning of a span's input or output: that of its complete trace, or its own. */
function contentPreview(span: IncomingSpan, side: Side, ofTrace: boolean): string {
  const mapping = mappingOf(span);
  const value = ofTrace
    ? traceContentOf(mapping, side)
    : (contentOf(mapping, viewOf(span), side)?.value ?? null);
  return previewText(value);
}

/** Returns the beginning of a value for lists. */
export function previewText(value: JsonValue): string {
  return value === null ? '' : truncate(jsonText(value), MAX_PREVIEW);
}

function earlier(current: Ranked | null, next: Ranked): Ranked {
  if (current === null || next.rank !== current.rank)
    return current === null || next.rank < current.rank ? next : current;
  return next.span.start < current.span.start ? next : current;
}

function later(current: Ranked | null, next: Ranked): Ranked {
  if (current === null || next.rank !== current.rank)
    return current === null || next.rank < current.rank ? next : current;
  return next.span.end > current.span.end ? next : current;
}

/** Returns the distance of a span from the root, as far as the available spans show it. */
function rankOf(span: IncomingSpan, byId: ReadonlyMap<string, IncomingSpan>): number {
  if (span.parentId === '') return ROOT;
  let rank = PARENT_NOT_HERE;
  for (let parent = byId.get(span.parentId); parent !== undefined; parent = byId.get(parent.parentId)) {
    // Its own parent, or on a loop of parents: nothing is above it.
    if (parent === span) return PARENT_NOT_HERE;
    rank += 1;
    if (rank >= MAX_DEPTH) break;
  }
  return rank;
}

function addTo(list: string[], text: string): void {
  if (list.length < MAX_SET && !list.includes(text)) list.push(text);
}

function addTest(tests: Map<string, TestLink>, testId: string, first: bigint, via: number): void {
  const known = tests.get(testId);
  if (known === undefined || isCloser({ first, via }, known)) tests.set(testId, { testId, first, via });
}

/**
 * Reports whether a link is closer: the app's before the delivery's, then the earlier one, then a span's before its
 * resource's.
 */
function isCloser(link: Omit<TestLink, 'testId'>, known: TestLink): boolean {
  const isDelivery = link.via === VIA_DELIVERY;
  if (isDelivery !== (known.via === VIA_DELIVERY)) return !isDelivery;
  return link.first < known.first || (link.first === known.first && link.via < known.via);
}
