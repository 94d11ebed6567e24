/** Spans as the readers of the conventions get them, from plain attributes, events and log records. */
import { SpanView } from '../../src/traces/conventions/span-view.ts';
import { decodeLogRecord } from '../../src/traces/log-record.ts';
import { logBytes } from './otlp-logs.ts';
import { encodeProto } from './otlp-proto.ts';
import { bytesField, fixed64Field, textField } from './otlp-wire.ts';
import { anyValue, BASE_NS, type Value, type Values } from './spans.ts';

export interface EventSpec {
  name: string;
  attributes?: Values;
}
export interface RecordSpec extends EventSpec {
  body?: Value;
}

/** Events and records are a nanosecond after each other, events first. */
export function spanView(
  attributes: Values,
  events: readonly EventSpec[] = [],
  records: readonly RecordSpec[] = [],
): SpanView {
  const eventFields = events.map((event, i) =>
    bytesField(
      11,
      Buffer.concat([
        fixed64Field(1, BASE_NS + BigInt(i)),
        textField(2, event.name),
        attributeFields(3, event.attributes ?? {}),
      ]),
    ),
  );
  const logs = records.map(({ name, attributes: told = {}, body = null }, i) =>
    decodeLogRecord(logBytes({ event: name, attributes: told, body, time: events.length + i })),
  );
  return new SpanView(Buffer.concat([attributeFields(9, attributes), ...eventFields]), logs);
}

function attributeFields(field: number, attributes: Values): Buffer {
  return Buffer.concat(
    Object.entries(attributes).map(([key, value]) => {
      const encoded = encodeProto('AnyValue', anyValue(value));
      return bytesField(field, Buffer.concat([textField(1, key), bytesField(2, encoded)]));
    }),
  );
}
