/** State of an endpoint that takes fewer requests than there are. */
export interface EndpointWait {
  /** Number of requests that it takes at once now. */
  atOnce: number;
  /** Time until the next request may be sent, in milliseconds. */
  pausedMs: number;
  /** Limit of requests per second that it has shown; null while none is known. */
  ratePerSecond: number | null;
  /** Requests per second that it is expected to answer; null while nothing is known. */
  expectedPerSecond: number | null;
}
