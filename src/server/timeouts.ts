/** How long a client may take for what; all in milliseconds except the rate. */
export interface HttpTimeouts {
  /** From the connection, or the end of the previous request, to a complete head. */
  headersMs: number;
  /** From the first byte of a request to its last. */
  requestMs: number;
  /** Between two requests on one connection. */
  keepAliveMs: number;
  /** Without a byte of a body that the server waits for. */
  bodyIdleMs: number;
  /** Average rate that a body must keep once `bodyIdleMs` have passed. */
  bodyBytesPerSecond: number;
  /** Without taking any of a response that is waiting to be sent. */
  writeIdleMs: number;
  /** For the rest of a body after its response. */
  drainMs: number;
  /** For reading the last response on a connection that the server ends. */
  lingerMs: number;
  /** Interval between two checks of all connections. */
  checkMs: number;
}

export const HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 30_000,
  requestMs: 120_000,
  keepAliveMs: 72_000,
  bodyIdleMs: 20_000,
  bodyBytesPerSecond: 1_024,
  writeIdleMs: 30_000,
  drainMs: 5_000,
  lingerMs: 1_000,
  checkMs: 1_000,
};
