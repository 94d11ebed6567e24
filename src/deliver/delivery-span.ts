import { WireWriter } from '../traces/wire/writer.ts';

/** One attempt to deliver a test, as the span of the service's side. */
export interface DeliverySpan {
  traceId: Uint8Array;
  spanId: Uint8Array;
  testId: string;
  url: string;
  /** Start of the attempt, in Unix milliseconds. */
  startedAt: number;
  finishedAt: number;
  /** HTTP status of the response; null when there was none. */
  statusCode: number | null;
  /** Error message; null when the response was 200. */
  error: string | null;
}

/** Attribute that marks spans of the service itself; they do not prove that the app received the test. */
export const DELIVERY_ATTRIBUTE = 'touchstone.delivery';

const SPAN_KIND_CLIENT = 3;

/** Returns an OTLP TracesData message with the CLIENT span of an attempt. */
export function encodeDeliverySpan(span: DeliverySpan): Buffer {
  const writer = new WireWriter();
  const resourceSpans = writer.begin(1);
  const resource = writer.begin(1);
  attribute(writer, 1, 'service.name', 'touchstone');
  writer.end(resource);
  const scopeSpans = writer.begin(2);
  const scope = writer.begin(1);
  writer.stringField(1, 'touchstone.deliver');
  writer.end(scope);
  const message = writer.begin(2);
  writer.bytesField(1, span.traceId);
  writer.bytesField(2, span.spanId);
  writer.stringField(5, 'POST webhook');
  writer.tag(6, 0);
  writer.varint(SPAN_KIND_CLIENT);
  time(writer, 7, span.startedAt);
  time(writer, 8, span.finishedAt);
  attribute(writer, 9, 'service.test.id', span.testId);
  attribute(writer, 9, DELIVERY_ATTRIBUTE, 'attempt');
  attribute(writer, 9, 'http.request.method', 'POST');
  attribute(writer, 9, 'url.full', withoutQuery(span.url));
  if (span.statusCode !== null) attribute(writer, 9, 'http.response.status_code', span.statusCode);
  const status = writer.begin(15);
  if (span.error !== null) writer.stringField(2, span.error);
  writer.tag(3, 0);
  writer.varint(span.error === null ? 1 : 2);
  writer.end(status);
  writer.end(message);
  writer.end(scopeSpans);
  writer.end(resourceSpans);
  return writer.toBuffer();
}

function time(writer: WireWriter, field: number, milliseconds: number): void {
  writer.tag(field, 1);
  writer.fixed64(BigInt(milliseconds) * 1_000_000n);
}

function attribute(writer: WireWriter, field: number, key: string, value: string | number): void {
  const keyValue = writer.begin(field);
  writer.stringField(1, key);
  const anyValue = writer.begin(2);
  if (typeof value === 'string') writer.stringField(1, value);
  else {
    writer.tag(3, 0);
    writer.varint(value);
  }
  writer.end(anyValue);
  writer.end(keyValue);
}

/** Removes the query of a URL, which may contain a secret. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
