/** Shapes of the OTLP messages in an export: the name and type of each field, by field number. */
export type Scalar =
  | 'string'
  /** Bytes as hexadecimal digits: ids. */
  | 'hex'
  | 'base64'
  | 'bool'
  | 'uint32'
  | 'int64'
  | 'fixed32'
  | 'fixed64'
  | 'double';

export interface MessageField {
  name: string;
  type: Scalar | (() => MessageType);
  isList: boolean;
}

export interface MessageType {
  fields: Readonly<Record<number, MessageField>>;
  /** True if only the last of all fields counts. */
  isOneOf: boolean;
}

const one = (name: string, type: MessageField['type']): MessageField => ({ name, type, isList: false });
const list = (name: string, type: MessageField['type']): MessageField => ({ name, type, isList: true });
const message = (fields: MessageType['fields'], isOneOf = false): MessageType => ({ fields, isOneOf });

const ARRAY_VALUE = message({ 1: list('values', () => ANY_VALUE) });
const KEY_VALUE_LIST = message({ 1: list('values', () => KEY_VALUE) });
const ANY_VALUE = message(
  {
    1: one('stringValue', 'string'),
    2: one('boolValue', 'bool'),
    3: one('intValue', 'int64'),
    4: one('doubleValue', 'double'),
    5: one('arrayValue', () => ARRAY_VALUE),
    6: one('kvlistValue', () => KEY_VALUE_LIST),
    7: one('bytesValue', 'base64'),
  },
  true,
);
const KEY_VALUE = message({ 1: one('key', 'string'), 2: one('value', () => ANY_VALUE) });
const attributes = list('attributes', () => KEY_VALUE);
const droppedAttributes = one('droppedAttributesCount', 'uint32');

const ENTITY_REF = message({
  1: one('schemaUrl', 'string'),
  2: one('type', 'string'),
  3: list('idKeys', 'string'),
  4: list('descriptionKeys', 'string'),
});
const RESOURCE = message({ 1: attributes, 2: droppedAttributes, 3: list('entityRefs', () => ENTITY_REF) });
const SCOPE = message({
  1: one('name', 'string'),
  2: one('version', 'string'),
  3: attributes,
  4: droppedAttributes,
});
const EVENT = message({
  1: one('timeUnixNano', 'fixed64'),
  2: one('name', 'string'),
  3: attributes,
  4: droppedAttributes,
});
const LINK = message({
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'string'),
  4: attributes,
  5: droppedAttributes,
  6: one('flags', 'fixed32'),
});
const STATUS = message({ 2: one('message', 'string'), 3: one('code', 'uint32') });
const SPAN = message({
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'string'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'string'),
  6: one('kind', 'uint32'),
  7: one('startTimeUnixNano', 'fixed64'),
  8: one('endTimeUnixNano', 'fixed64'),
  9: attributes,
  10: droppedAttributes,
  11: list('events', () => EVENT),
  12: one('droppedEventsCount', 'uint32'),
  13: list('links', () => LINK),
  14: one('droppedLinksCount', 'uint32'),
  15: one('status', () => STATUS),
  16: one('flags', 'fixed32'),
});
const LOG_RECORD = message({
  1: one('timeUnixNano', 'fixed64'),
  2: one('severityNumber', 'uint32'),
  3: one('severityText', 'string'),
  5: one('body', () => ANY_VALUE),
  6: attributes,
  7: droppedAttributes,
  8: one('flags', 'fixed32'),
  9: one('traceId', 'hex'),
  10: one('spanId', 'hex'),
  11: one('observedTimeUnixNano', 'fixed64'),
  12: one('eventName', 'string'),
});

/** Returns the shape of the members of an export: resources, in them scopes, in them spans or records. */
const request = (names: readonly [string, string, string], member: MessageType): MessageType => {
  const scopes = message({
    1: one('scope', () => SCOPE),
    2: list(names[2], () => member),
    3: one('schemaUrl', 'string'),
  });
  const resources = message({
    1: one('resource', () => RESOURCE),
    2: list(names[1], () => scopes),
    3: one('schemaUrl', 'string'),
  });
  return message({ 1: list(names[0], () => resources) });
};

export const TRACES_DATA = request(['resourceSpans', 'scopeSpans', 'spans'], SPAN);
export const LOGS_DATA = request(['resourceLogs', 'scopeLogs', 'logRecords'], LOG_RECORD);
