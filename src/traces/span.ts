import type { OwnMappings } from './own-rules/own-mappings.ts';
import type { ObservationKind } from './span-kinds.ts';

/** OpenTelemetry's `Status.code`; 0 is unset. */
export const STATUS_OK = 1;
export const STATUS_ERROR = 2;

/** Bits of `SkeletonSpan.flags`. They are stored, so the meaning of a bit must never change. */
export const SpanFlag = {
  /** Set if the mapping found an input (output, metadata) on the span. */
  hasInput: 1,
  hasOutput: 2,
  /**
   * Set on an entry that is not a span of the app: it has the fields of a native `trace` event about the complete
   * trace.
   */
  traceEvent: 4,
  /** Set on a native `llm` start whose end has not arrived. */
  open: 8,
  /** Set on a native `llm` end whose start never arrived. */
  unpaired: 16,
  /** Set if start or end were missing or swapped; the stored times are corrected. */
  timeAdjusted: 32,
  /** Set if the parent is in another process, according to the sender's flags. */
  remoteParent: 64,
  hasMetadata: 128,
  /** Set if a descendant or a double reports the same tokens, as far as the spans of one batch show it. */
  tokensBelow: 256,
  costBelow: 512,
  /** Set if it reports the input (or output) of its complete trace. */
  hasTraceInput: 1024,
  hasTraceOutput: 2048,
  /** Set if the sender dropped attributes, events or links. */
  dropped: 4096,
  /** Set if the sender hid content: `__REDACTED__`. */
  redacted: 8192,
  /** Set if the cost was computed from tokens and the price table. */
  costEstimated: 16384,
  /** Set if there are more cached tokens than input tokens. */
  oddTokens: 32768,
  /** Set on a span of the service itself: an attempt to deliver a test. */
  delivery: 65536,
  /** Set if the cost was sent or a price was found, so that a cost of 0 is not unknown. */
  costKnown: 131072,
} as const;

/** Usage of a model call. Input tokens include cached ones, output tokens those of reasoning. */
export interface SpanSums {
  inputTokens: number;
  outputTokens: number;
  /** Total of at least input and output; more when the sender counts other tokens too. */
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Cost in US dollars; 0 when unknown. */
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

/** Hashes that tell whether two spans with usage report the same call; 0 = unknown, or no usage. */
export interface CallHashes {
  /** Hash of the instrumentation scope. */
  scopeHash: number;
  /** Hash of the id that the provider gave its response. */
  responseHash: number;
}

export const NO_HASHES: Readonly<CallHashes> = { scopeHash: 0, responseHash: 0 };

/**
 * Facts about a span that are available without reading its payload. Ids are lower-case hex; times are Unix
 * nanoseconds.
 */
export interface SkeletonSpan extends SpanSums, CallHashes {
  id: string;
  /** Id of the parent, which may not be stored; null for a root. */
  parentId: string | null;
  name: string;
  kind: ObservationKind;
  status: number;
  flags: number;
  start: bigint;
  /** End time, never before `start`. */
  end: bigint;
  model: string | null;
  service: string;
  /** Uuid in the `service.test.id` of the span, and of its resource. */
  testId: string | null;
  resourceTestId: string | null;
  /** Location of its payload: block key, and position within the block. */
  block: number;
  index: number;
}

/** A resource as it arrived. It is stored once and identified by its hash. */
export interface IncomingResource {
  /** ResourceSpans message without its scope_spans: resource and schema URL. */
  bytes: Buffer;
  /** First 16 bytes of the SHA-256 of `bytes`. */
  hash: Buffer;
  service: string;
  testId: string | null;
  environment: string | null;
}

/** A span as it arrived, checked and mapped; its bytes are views of its request. */
export interface IncomingSpan extends SpanSums, CallHashes {
  /** Ids of 16 and 8 bytes as latin1 text, which makes cheap keys of maps. `parentId` is '' for a root. */
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  /** Corrected time in Unix nanoseconds: neither is missing, and `end` is not before `start`. */
  start: bigint;
  end: bigint;
  status: number;
  flags: number;
  /** Index into SPAN_KINDS. */
  kind: number;
  resource: IncomingResource;
  /** ScopeSpans message without its spans. */
  scope: Buffer;
  /** Span message as it was sent. */
  bytes: Buffer;
  /** Mapping rules of its application; null without any. */
  own?: OwnMappings | null;
  testId: string | null;
  model: string | null;
  provider: string | null;
  environment: string | null;
  sessionId: string | null;
  userId: string | null;
  /** Name of the complete trace. */
  traceName: string | null;
  tags: readonly string[];
  metadata: readonly (readonly [key: string, value: string])[];
  /** Number that the span adds to the ledger: 1, or the number of native events merged into it. */
  events: number;
  /** True if it contains the content stored under its id and more, so that it replaces that without a conflict. */
  completes: boolean;
}
