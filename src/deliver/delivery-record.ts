import { asIs, bytes, flag, json, nullable, number, text, time } from '../storage/column.ts';
import { table } from '../storage/record.ts';
import type { Outcome } from './outcome.ts';

type Headers = Readonly<Record<string, string>>;

export const deliveries = table('delivery', 'delivery', {
  id: text,
  testId: text,
  attempt: number,
  isSample: flag,
  replayOf: nullable(text),
  url: text,
  /** Null while the attempt is under way. */
  outcome: nullable(asIs<Outcome['kind'] | 'cancelled' | 'unknown'>()),
  statusCode: nullable(number),
  /** What went wrong, in words; null when the response was 200. */
  message: nullable(text),
  sentAt: time,
  finishedAt: nullable(time),
  timings: nullable(json<Readonly<Record<string, number>>>()),
  spanId: bytes,
  /** With the values that the customer configured already hidden. */
  requestHeaders: json<Headers>(),
  requestBody: bytes,
  responseHeaders: nullable(json<Headers>()),
  responseBody: nullable(bytes),
});

/** As lists show them. */
export const listedDeliveries = deliveries.omit(
  'spanId',
  'requestHeaders',
  'requestBody',
  'responseHeaders',
  'responseBody',
);
