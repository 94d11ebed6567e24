/** Values of the labels of counters, which exist from the start at 0 so that alerts see the first event. */
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';

/** Codes of errors that requests to ingest endpoints do not end with: they are answered before, or by no such endpoint. */
const NOT_OF_INGEST = [
  'not_found',
  'method_not_allowed',
  'misdirected',
] as const satisfies readonly ErrorCode[];
/** Reasons that lie with the sender, in place of a code. */
const BY_SENDERS = ['client_gone', 'slow_body'] as const;

/** Reason for which a request to an ingest endpoint is rejected. */
export type IngestRejection = ErrorCode | (typeof BY_SENDERS)[number];

export const INGEST_REJECTIONS: readonly IngestRejection[] = [
  ...(Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
    (code) => !NOT_OF_INGEST.some((other) => other === code),
  ),
  ...BY_SENDERS,
];

export const SPAN_OUTCOMES = ['stored', 'duplicate', 'replaced', 'rejected'] as const;

/** Reasons for which connections are ended; see docs/operations.md. */
export const ENDED_CONNECTIONS = [
  'slow_headers',
  'slow_body',
  'unread_body',
  'slow_reader',
  'bad_request',
  'http2',
  'not_http2',
  'headers_too_large',
  'too_many',
] as const;
export type EndedConnection = (typeof ENDED_CONNECTIONS)[number];

export const COUNTED_DELIVERIES = [
  'accepted',
  'rejected',
  'not_sent',
  'timeout',
  'lost',
  'cancelled',
  'unknown',
] as const;
export type CountedDelivery = (typeof COUNTED_DELIVERIES)[number];
