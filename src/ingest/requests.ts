import type { ContentEncoding } from './inflate.ts';

/** One request, as it came from the socket. */
export interface PrepareRequest {
  application: number;
  keyId: string;
  /** Unix milliseconds. */
  at: number;
  body: Uint8Array;
  encoding: ContentEncoding;
  format: 'protobuf' | 'json';
}

/** Numbers of spans (native: events) of a request by outcome. */
export interface Counts {
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
}

export interface TracesReply {
  counts: Counts;
  /** Reason why spans were rejected, in words; '' when all were accepted. */
  message: string;
}

/** Numbers of log records of a request by outcome. */
export interface LogsReply {
  stored: number;
  duplicate: number;
  rejected: number;
  /** Accepted, and not kept. */
  dropped: number;
  /** Reason why records were rejected, in words; '' when none was. */
  message: string;
}

export interface EventsReply {
  counts: Counts;
  /** The response as JSON text. */
  response: string;
}

export interface EventsRequest extends PrepareRequest {
  idempotencyKey: string | null;
}

/** Calls that a prepare thread accepts, by name. */
export interface PrepareCalls {
  traces: (request: PrepareRequest) => Promise<TracesReply>;
  events: (request: EventsRequest) => Promise<EventsReply>;
  logs: (request: PrepareRequest) => Promise<LogsReply>;
  /** Returns how many there were; none is kept. */
  metrics: (request: PrepareRequest) => Promise<number>;
  /** Rewrites one trace; false when it has to be done again later. */
  rewrite: (tkey: number) => Promise<boolean>;
}
