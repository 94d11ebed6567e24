/** Finished spans of the server's own work, by outcome. */
export interface SpanNumbers {
  exported: number;
  /** Spans of requests that the endpoint rejected or did not receive, and of the pauses after them. */
  failed: number;
  /** Spans that were dropped because too many waited. */
  dropped: number;
}
