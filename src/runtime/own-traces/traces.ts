/** Attributes of a span; an undefined value is left out. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  name: string;
  /** Default: `internal`. */
  kind?: 'internal' | 'server' | 'client';
  attributes?: SpanAttributes;
}

/** A span of the server's own work, which is sampled. */
export interface OwnSpan {
  set(attributes: SpanAttributes): void;
  /** Runs work; the spans of what it does become children of this one. */
  run<T>(work: () => T): T;
  /** Ends the span, as failed if there is a type of error: a code, never a text with data. */
  end(errorType?: string): void;
}

/**
 * Traces of the server's own work. They contain names, codes and numbers, and nothing of what users send: no query,
 * header, body or id.
 */
export interface OwnTraces {
  /** False if no endpoint is configured, so that nothing has to be prepared for spans. */
  readonly isOn: boolean;
  /**
   * Begins a span without a parent in this process. It continues the trace of a `traceparent` header. Returns null if
   * the trace is not sampled.
   */
  begin(start: SpanStart, traceparent?: string): OwnSpan | null;
  /** Runs work in a span without a parent in this process. */
  root<T>(start: SpanStart, work: () => Promise<T>): Promise<T>;
  /** Runs work in a child of the span that it is called in; without one, only runs the work. */
  child<T>(start: SpanStart, work: (span: Pick<OwnSpan, 'set'>) => Promise<T>): Promise<T>;
  /** Adds children of the current span for phases that ended one after the other, the last of them just now. */
  phases(phases: readonly { name: string; ms: number }[]): void;
}

/** Header of requests that carry own traces of a server. A server does not trace them, or there would be no end of spans. */
export const OWN_TRACES_HEADER = 'touchstone-own-traces';

export const NO_SPAN: Pick<OwnSpan, 'set'> = { set: () => undefined };

/** Traces nothing. */
export const NO_TRACES: OwnTraces = {
  isOn: false,
  begin: () => null,
  root: (_start, work) => work(),
  child: (_start, work) => work(NO_SPAN),
  phases: () => undefined,
};
