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

/** What became of the spans (native: events) of a request. */
export interface Counts {
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
}

export interface TracesReply {
  counts: Counts;
  /** Why spans were rejected, in words; '' when all were accepted. */
  message: string;
}

/** What became of the log records of a request. */
export interface LogsReply {
  stored: number;
  duplicate: number;
  rejected: number;
  /** Accepted, and not kept. */
  dropped: number;
  /** Why records were rejected, in words; '' when none was. */
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

/** What a prepare thread does for others, by name. */
export interface PrepareCalls {
  traces: (request: PrepareRequest) => Promise<TracesReply>;
  events: (request: EventsRequest) => Promise<EventsReply>;
  logs: (request: PrepareRequest) => Promise<LogsReply>;
  /** Returns how many there were; none is kept. */
  metrics: (request: PrepareRequest) => Promise<number>;
  /** Rewrites one trace; false when it has to be done again later. */
  rewrite: (tkey: number) => Promise<boolean>;
}
