/** Time limits for clients; all in milliseconds except the rate. */
export interface HttpTimeouts {
  /** Time from the connection, or the end of the previous request, to a complete head. */
  headersMs: number;
  /** Time from the first byte of a request to its last. */
  requestMs: number;
  /** Idle time between two requests on one connection. */
  keepAliveMs: number;
  /** Idle time without a byte of a body that the server waits for. */
  bodyIdleMs: number;
  /** Average rate that a body must keep once `bodyIdleMs` have passed. */
  bodyBytesPerSecond: number;
  /** Idle time in which the client reads nothing of a response that is waiting to be sent. */
  writeIdleMs: number;
  /** Time for the rest of a body after its response. */
  drainMs: number;
  /** Time for reading the last response on a connection that the server ends. */
  lingerMs: number;
  /** Interval between two checks of all connections. */
  checkMs: number;
  /** Time without data on a gRPC connection after which the server sends a PING. */
  grpcPingMs: number;
  /** Time in which a client must respond to that PING. */
  grpcPingTimeoutMs: number;
  /** Time without a call after which a gRPC connection is closed; clients connect again when they need to. */
  grpcIdleMs: number;
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
  grpcPingMs: 60_000,
  grpcPingTimeoutMs: 20_000,
  grpcIdleMs: 300_000,
};
