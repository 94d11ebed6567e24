/** Result of one event as the sender receives it. `id` is the uuid of the trace, for `trace` events only. */
export type EventResult = { success: true; id?: string } | { success: false; error: string };

/** A span to store under its id, whatever is stored there. */
export interface NativeSpan {
  traceId: Buffer;
  spanId: Buffer;
  /** A Span message of OTLP. */
  bytes: Buffer;
  /** Events it carries, for the ledger. */
  events: number;
  /** True if it continues the stored span, by pairing or update: other bytes are no conflict. */
  completes: boolean;
}

/** An `llm` start without end, to be found by match key. */
export interface OpenStep {
  traceId: Buffer;
  match: Buffer;
  start: bigint;
  spanId: Buffer;
}

/** `endId` is the id of an `llm` end without id; `spanId` the start it closed. */
export interface EndAlias {
  traceId: Buffer;
  endId: Buffer;
  spanId: Buffer;
}

/** received = Σ spans.events + Σ rejected. */
export interface NativeOutcome {
  /** One for each event of the call, in order. */
  results: EventResult[];
  spans: NativeSpan[];
  /** Open after this call and not before, or under another key or time than before. */
  opened: OpenStep[];
  /** Stored as open, and no longer so. */
  closed: OpenStep[];
  aliases: EndAlias[];
  received: number;
  rejected: Record<string, number>;
}
