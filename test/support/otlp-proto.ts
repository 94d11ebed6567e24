/** Traces and logs of OTLP 1.11 for protobufjs: a second opinion on every byte the server reads or writes. */
import protobuf from 'protobufjs';

const message = (...fields: string[]) => ({ fields: Object.fromEntries(fields.map(fieldOf)) });

/**
 * Converts `'3 repeated KeyValue attributes'` to protobufjs's `['attributes', { id: 3, rule: 'repeated', type:
 * 'KeyValue' }]`.
 */
function fieldOf(text: string): [string, protobuf.IField] {
  const [id, ...words] = text.split(' ');
  const [name, type] = words.toReversed() as [string, string];
  return [name, { id: Number(id), type, ...(words[0] === 'repeated' && { rule: 'repeated' }) }];
}

const root = protobuf.Root.fromJSON({
  options: { syntax: 'proto3' },
  nested: {
    ExportTraceServiceRequest: message('1 repeated ResourceSpans resourceSpans'),
    ResourceSpans: message('1 Resource resource', '2 repeated ScopeSpans scopeSpans', '3 string schemaUrl'),
    Resource: message(
      '1 repeated KeyValue attributes',
      '2 uint32 droppedAttributesCount',
      '3 repeated EntityRef entityRefs',
    ),
    EntityRef: message(
      '1 string schemaUrl',
      '2 string type',
      '3 repeated string idKeys',
      '4 repeated string descriptionKeys',
    ),
    ScopeSpans: message('1 InstrumentationScope scope', '2 repeated Span spans', '3 string schemaUrl'),
    InstrumentationScope: message(
      '1 string name',
      '2 string version',
      '3 repeated KeyValue attributes',
      '4 uint32 droppedAttributesCount',
    ),
    Span: message(
      '1 bytes traceId',
      '2 bytes spanId',
      '3 string traceState',
      '4 bytes parentSpanId',
      '5 string name',
      '6 int32 kind',
      '7 fixed64 startTimeUnixNano',
      '8 fixed64 endTimeUnixNano',
      '9 repeated KeyValue attributes',
      '10 uint32 droppedAttributesCount',
      '11 repeated Event events',
      '12 uint32 droppedEventsCount',
      '13 repeated Link links',
      '14 uint32 droppedLinksCount',
      '15 Status status',
      '16 fixed32 flags',
    ),
    Event: message(
      '1 fixed64 timeUnixNano',
      '2 string name',
      '3 repeated KeyValue attributes',
      '4 uint32 droppedAttributesCount',
    ),
    Link: message(
      '1 bytes traceId',
      '2 bytes spanId',
      '3 string traceState',
      '4 repeated KeyValue attributes',
      '5 uint32 droppedAttributesCount',
      '6 fixed32 flags',
    ),
    Status: message('2 string message', '3 int32 code'),
    KeyValue: message('1 string key', '2 AnyValue value'),
    AnyValue: {
      oneofs: {
        value: {
          oneof: [
            'stringValue',
            'boolValue',
            'intValue',
            'doubleValue',
            'arrayValue',
            'kvlistValue',
            'bytesValue',
          ],
        },
      },
      ...message(
        '1 string stringValue',
        '2 bool boolValue',
        '3 int64 intValue',
        '4 double doubleValue',
        '5 ArrayValue arrayValue',
        '6 KeyValueList kvlistValue',
        '7 bytes bytesValue',
      ),
    },
    ArrayValue: message('1 repeated AnyValue values'),
    KeyValueList: message('1 repeated KeyValue values'),

    ExportLogsServiceRequest: message('1 repeated ResourceLogs resourceLogs'),
    ResourceLogs: message('1 Resource resource', '2 repeated ScopeLogs scopeLogs', '3 string schemaUrl'),
    ScopeLogs: message(
      '1 InstrumentationScope scope',
      '2 repeated LogRecord logRecords',
      '3 string schemaUrl',
    ),
    LogRecord: message(
      '1 fixed64 timeUnixNano',
      '2 int32 severityNumber',
      '3 string severityText',
      '5 AnyValue body',
      '6 repeated KeyValue attributes',
      '7 uint32 droppedAttributesCount',
      '8 fixed32 flags',
      '9 bytes traceId',
      '10 bytes spanId',
      '11 fixed64 observedTimeUnixNano',
      '12 string eventName',
    ),
    ExportLogsServiceResponse: message('1 ExportLogsPartialSuccess partialSuccess'),
    ExportLogsPartialSuccess: message('1 int64 rejectedLogRecords', '2 string errorMessage'),

    ExportTraceServiceResponse: message('1 ExportTracePartialSuccess partialSuccess'),
    ExportTracePartialSuccess: message('1 int64 rejectedSpans', '2 string errorMessage'),
    RpcStatus: message('1 int32 code', '2 string message', '3 repeated Any details'),
    Any: message('1 string typeUrl', '2 bytes value'),
    RetryInfo: message('1 Duration retryDelay'),
    Duration: message('1 int64 seconds', '2 int32 nanos'),
    BadRequest: message('1 repeated FieldViolation fieldViolations'),
    FieldViolation: message('1 string field', '2 string description'),
  },
});

export type Plain = Record<string, unknown>;

type MessageName =
  | 'ExportTraceServiceRequest'
  | 'ExportTraceServiceResponse'
  | 'ExportLogsServiceRequest'
  | 'ExportLogsServiceResponse'
  | 'LogRecord'
  | 'AnyValue'
  | 'RpcStatus'
  | 'RetryInfo'
  | 'BadRequest';

/** 64-bit integers as decimal strings, bytes as base64; what is absent and what is the default look the same. */
const READABLE: protobuf.IConversionOptions = { longs: String, bytes: String, defaults: true };

export function decodeProto(name: MessageName, bytes: Uint8Array): Plain {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), READABLE);
}

/** Returns the result of `decodeProto` for a message with these fields. */
export function asDecoded(name: MessageName, fields: Plain): Plain {
  const type = root.lookupType(name);
  return type.toObject(type.fromObject(fields), READABLE);
}

export function encodeProto(name: MessageName, fields: Plain): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(fields)).finish());
}
