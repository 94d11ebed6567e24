/** Result of one event as the sender receives it. `id` is the uuid of the trace, for `trace` events only. */
export type EventResult = { success: true; id?: string } | { success: false; error: string };

/** A span to store under its id, regardless of what is stored there. */
export interface NativeSpan {
  traceId: Buffer;
  spanId: Buffer;
  /** OTLP Span message. */
  bytes: Buffer;
  /** Number of events in it, for the ledger. */
  events: number;
  /** True if the span continues the stored one by pairing or update, so that different bytes are no conflict. */
  completes: boolean;
}

/** An `llm` start without end, which can be found by its match key. */
export interface OpenStep {
  traceId: Buffer;
  match: Buffer;
  start: bigint;
  spanId: Buffer;
}

/** Id of an `llm` end without id (`endId`), and of the start that it closed (`spanId`). */
export interface EndAlias {
  traceId: Buffer;
  endId: Buffer;
  spanId: Buffer;
}

/** Outcome of a call. `received` equals Σ spans.events + Σ rejected. */
export interface NativeOutcome {
  /** Results of the events of the call, in order. */
  results: EventResult[];
  spans: NativeSpan[];
  /** Starts that are open after this call and were not open before, or under another key or time. */
  opened: OpenStep[];
  /** Starts that were stored as open and no longer are. */
  closed: OpenStep[];
  aliases: EndAlias[];
  received: number;
  rejected: Record<string, number>;
}
