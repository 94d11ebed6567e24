import type { AppliedOwnRules } from '../traces/own-rules/store.ts';
import type { StoredTraces } from '../traces/trace-feed.ts';
import type { AppliedRules } from '../masking/rules.ts';
import type { ContentEncoding } from './inflate.ts';
import type { MaskingOutcome } from './maskers.ts';

/** One request as received from the socket. */
export interface PrepareRequest {
  application: number;
  keyId: string;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  body: Uint8Array;
  encoding: ContentEncoding;
  format: 'protobuf' | 'json';
  /** Rules by which its texts are masked before they are stored; null without rules. */
  masking: AppliedRules | null;
  /** Own mapping rules and prices of the application; null without any. */
  ownRules?: AppliedOwnRules | null;
}

/** Numbers of spans (for native calls: events) of a request by outcome. */
export interface RequestCounts {
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
}

/** Time that a request took before its first write: waiting for its turn, decoding, grouping and compressing. */
interface Prepared {
  prepareMs: number;
}

export interface TracesReply extends Prepared, MaskingOutcome {
  counts: RequestCounts;
  /** Traces that it has stored spans of; null while the feed has no reader. */
  stored: StoredTraces | null;
  /** Message on rejected spans; '' when all were accepted. */
  message: string;
}

/** Numbers of log records of a request by outcome. */
export interface LogsReply extends MaskingOutcome {
  stored: number;
  duplicate: number;
  rejected: number;
  /** Number of records that were accepted but not stored. */
  dropped: number;
  /** Message on rejected records; '' when all were accepted. */
  message: string;
}

export interface EventsReply extends Prepared, MaskingOutcome {
  counts: RequestCounts;
  /** Traces that it has stored spans of; null while the feed has no reader. */
  stored: StoredTraces | null;
  /** Response as JSON text. */
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
  /** Returns the number of metrics; none is stored. */
  metrics: (request: PrepareRequest) => Promise<number>;
  /** Rewrites one trace; returns false when that has to be repeated later. */
  rewrite: (tkey: number) => Promise<boolean>;
}
