/**
 * Kinds of spans in the one model that every vocabulary is mapped to. `SPAN` means that no LLM convention says more.
 */
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
  /**
   * Set on an entry that is no span of the app: it has the fields of a native `trace` event about the complete trace.
   */
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
  /** Set if a descendant counts the same tokens already, as far as the spans of one batch show it. */
  tokensBelow: 256,
  costBelow: 512,
  /** Set if it reports the input (or output) of its complete trace. */
  hasTraceInput: 1024,
  hasTraceOutput: 2048,
  /** The sender dropped attributes, events or links. */
  dropped: 4096,
  /** Something was hidden by the sender: `__REDACTED__`. */
  redacted: 8192,
  /** The cost was worked out from tokens and the price table. */
  costEstimated: 16384,
  /** More cached tokens than input tokens. */
  oddTokens: 32768,
  /** A span of the service itself: an attempt to deliver a test. */
  delivery: 65536,
  /** The cost was sent, or a price was found: a cost of 0 is not unknown. */
  costKnown: 131072,
} as const;

/** Usage of a model call. Input tokens include cached ones, output tokens those of reasoning. */
export interface SpanSums {
  inputTokens: number;
  outputTokens: number;
  /** Total of at least the two together; more when the sender counts tokens of neither kind. */
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** US dollars; 0 when unknown. */
  cost: number;
}

export const NO_SUMS: Readonly<SpanSums> = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  cost: 0,
};

/**
 * Facts about a span that are available without opening its payload. Ids are lower-case hex; times Unix nanoseconds.
 */
export interface SkeletonSpan extends SpanSums {
  id: string;
  /** null = a root. The parent need not be stored. */
  parentId: string | null;
  name: string;
  kind: SpanKind;
  status: number;
  flags: number;
  start: bigint;
  /** End time, never before `start`. */
  end: bigint;
  model: string | null;
  service: string;
  /** The uuid in the span's own `service.test.id`, and the one in its resource's. */
  testId: string | null;
  resourceTestId: string | null;
  /** Location of its payload: block key, and position within the block. */
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
  environment: string | null;
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
  provider: string | null;
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  /** Name of the whole trace. */
  traceName: string | null;
  tags: readonly string[];
  metadata: readonly (readonly [key: string, value: string])[];
  /** Number that it adds to the ledger: 1, or the native events that were merged into it. */
  events: number;
  /** Holds what was stored under its id and more: takes its place without a conflict. */
  completes: boolean;
}
