import { asIs, bytes, flag, json, nullable, number, text, time } from '../storage/column.ts';
import { type NewOf, table, type WrittenOf } from '../storage/record.ts';

export const DELIVERY_OUTCOMES = ['answered', 'not_sent', 'timeout', 'lost', 'cancelled', 'unknown'] as const;

type Headers = Readonly<Record<string, string>>;

/** Attempts to send a test to the webhook of its application. */
export const deliveries = table('delivery', 'delivery', {
  id: text,
  testId: text,
  attempt: number,
  isSample: flag,
  /** Id of the delivery whose body is sent again. */
  replayOf: nullable(text),
  url: text,
  spanId: bytes,
  sentAt: time,
  /** Headers as sent; the values that the customer configured are masked. */
  requestHeaders: json<Headers>(),
  requestBody: bytes,
  /** Outcome of the attempt; null until it has ended. */
  outcome: nullable(asIs<(typeof DELIVERY_OUTCOMES)[number]>()),
  statusCode: nullable(number),
  /** Error message; null when the response was 200. */
  message: nullable(text),
  responseHeaders: nullable(json<Headers>()),
  responseBody: nullable(bytes),
  timings: nullable(json<Record<string, number>>()),
  finishedAt: nullable(time),
});

/** Fields that are set when an attempt ends. */
export const deliveryEnds = deliveries.pick(
  'id',
  'outcome',
  'statusCode',
  'message',
  'responseHeaders',
  'responseBody',
  'timings',
  'finishedAt',
);

export interface NewDelivery extends NewOf<typeof deliveries> {
  application: number;
}
export interface FinishedDelivery extends WrittenOf<typeof deliveryEnds> {
  application: number;
  testId: string;
  finishedAt: number;
}

/** Fields in lists of deliveries: all except the messages. */
export const listedDeliveries = deliveries.omit(
  'spanId',
  'requestHeaders',
  'requestBody',
  'responseHeaders',
  'responseBody',
);
/** Fields of a single delivery in the API. */
export const shownDeliveries = deliveries.omit('spanId');
