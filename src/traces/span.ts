/** What a span is for, in the one model every vocabulary is mapped to. `SPAN` = no LLM convention says more. */
export const SPAN_KINDS = [
  'SPAN',
  'LLM',
  'EMBEDDING',
  'TOOL',
  'RETRIEVER',
  'RERANKER',
  'AGENT',
  'CHAIN',
  'GUARDRAIL',
  'EVALUATOR',
] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** OpenTelemetry's `Status.code`; 0 = unset. */
export const STATUS_OK = 1;
export const STATUS_ERROR = 2;

/** Bits of `SkeletonSpan.flags`. They are stored: never give a bit another meaning. */
export const SpanFlag = {
  /** The mapping found an input (output, metadata) on the span. */
  hasInput: 1,
  hasOutput: 2,
  /** Not a span of the app: holds what a native `trace` event said about the whole trace. */
  traceEvent: 4,
  /** A native `llm` start whose end has not come. */
  open: 8,
  /** A native `llm` end whose start was never seen. */
  unpaired: 16,
  /** Start or end was missing or they were swapped; the times stored are corrected. */
  timeAdjusted: 32,
  /** The parent ran in another process, as the sender's flags tell. */
  remoteParent: 64,
  hasMetadata: 128,
} as const;

/** Sums a span adds to its trace. */
export interface SpanSums {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; 0 when unknown. */
  cost: number;
}

/** What can be said about a span without opening its payload. Ids are lower-case hex; times Unix nanoseconds. */
export interface SkeletonSpan extends SpanSums {
  id: string;
  /** null = a root. The parent need not be stored. */
  parentId: string | null;
  name: string;
  kind: SpanKind;
  status: number;
  flags: number;
  start: bigint;
  /** Never before `start`. */
  end: bigint;
  model: string | null;
  service: string;
  /** The uuid in the span's own `service.test.id`, and the one in its resource's. */
  testId: string | null;
  resourceTestId: string | null;
  /** Where its payload is: chunk key, and position within the chunk. */
  chunk: number;
  index: number;
}

/** A resource as it arrived: kept once, named by its hash. */
export interface IncomingResource {
  /** The ResourceSpans message without its scope_spans: resource and schema URL. */
  bytes: Buffer;
  /** First 16 bytes of the SHA-256 of `bytes`. */
  hash: Buffer;
  service: string;
  testId: string | null;
}

/** A span as it arrived, checked and mapped, still lying in the bytes of its request. */
export interface IncomingSpan extends SpanSums {
  /** 16 and 8 bytes as latin1 text, which makes cheap keys of maps. `parentId` is '' for a root. */
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  /** Unix nanoseconds, corrected: neither is missing, and `end` is not before `start`. */
  start: bigint;
  end: bigint;
  status: number;
  flags: number;
  /** Index into SPAN_KINDS. */
  kind: number;
  resource: IncomingResource;
  /** The ScopeSpans message without its spans. */
  scope: Buffer;
  /** The Span message as it was sent. */
  bytes: Buffer;
  testId: string | null;
  model: string | null;
  sessionId: string | null;
  userId: string | null;
  tags: readonly string[];
  metadata: readonly (readonly [key: string, value: string])[];
  /** What it counts in the ledger: 1, or the native events that were joined in it. */
  events: number;
  /** Holds what was stored under its id and more: takes its place without a conflict. */
  completes: boolean;
}
