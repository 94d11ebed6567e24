import { describe, expect, it } from 'vitest';
import { OtlpDecodeError } from '../../../src/ingest/otlp/decode-error.ts';
import { encodeLogsJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { asDecoded, decodeProto, type Plain } from '../../support/otlp-proto.ts';

const TRACE_ID = '0102030405060708090a0b0c0d0e0f10';
const SPAN_ID = '1112131415161718';
const decode = (json: unknown): Plain =>
  decodeProto('ExportLogsServiceRequest', encodeLogsJson(Buffer.from(JSON.stringify(json))));
const requestOf = (record: unknown): Plain => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });

function recordOf(record: unknown): Plain {
  const { resourceLogs } = decode(requestOf(record)) as {
    resourceLogs: [{ scopeLogs: [{ logRecords: [Plain] }] }];
  };
  return resourceLogs[0].scopeLogs[0].logRecords[0];
}

const camel = {
  timeUnixNano: '1767225600000000001',
  observedTimeUnixNano: '1767225600000000002',
  severityNumber: 9,
  severityText: 'INFO',
  body: { kvlistValue: { values: [{ key: 'role', value: { stringValue: 'user' } }] } },
  attributes: [{ key: 'gen_ai.system', value: { stringValue: 'openai' } }],
  droppedAttributesCount: 3,
  flags: 1,
  traceId: TRACE_ID.toUpperCase(),
  spanId: SPAN_ID,
  eventName: 'gen_ai.user.message',
};
const snake = {
  time_unix_nano: camel.timeUnixNano,
  observed_time_unix_nano: camel.observedTimeUnixNano,
  severity_number: 'SEVERITY_NUMBER_INFO',
  severity_text: camel.severityText,
  body: camel.body,
  attributes: camel.attributes,
  dropped_attributes_count: '3',
  flags: 1,
  trace_id: TRACE_ID,
  span_id: SPAN_ID,
  event_name: camel.eventName,
};
const asBytes = {
  ...camel,
  traceId: Buffer.from(TRACE_ID, 'hex'),
  spanId: Buffer.from(SPAN_ID, 'hex'),
};

describe('encodeLogsJson', () => {
  it.each([
    ['camel case', camel],
    ['snake case', snake],
  ])('writes every field of a record in %s', (_, record) => {
    expect(recordOf(record)).toEqual(asDecoded('LogRecord', asBytes));
  });

  it('writes the envelope, under whatever name its lists have', () => {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'app' } }] };
    const scope = { name: 'lib', version: '1' };
    const expected = asDecoded('ExportLogsServiceRequest', {
      resourceLogs: [
        { resource, scopeLogs: [{ scope, logRecords: [asBytes], schemaUrl: 's' }], schemaUrl: 'r' },
      ],
    });
    const inner = { scope, logRecords: [camel], schemaUrl: 's' };
    const requests = [
      { resourceLogs: [{ resource, scopeLogs: [inner], schemaUrl: 'r' }] },
      {
        resource_logs: [
          { resource, scope_logs: [{ scope, log_records: [snake], schema_url: 's' }], schema_url: 'r' },
        ],
      },
      {
        resourceLogs: [
          {
            resource,
            scopeLogs: [],
            instrumentationLibraryLogs: [{ instrumentationLibrary: scope, logs: [camel], schemaUrl: 's' }],
            schemaUrl: 'r',
          },
        ],
      },
    ];
    for (const request of requests) expect(decode(request)).toEqual(expected);
  });

  it.each([
    ['SEVERITY_NUMBER_UNSPECIFIED', 0],
    ['SEVERITY_NUMBER_TRACE', 1],
    ['SEVERITY_NUMBER_DEBUG4', 8],
    ['SEVERITY_NUMBER_WARN2', 14],
    ['SEVERITY_NUMBER_FATAL4', 24],
    [77, 77],
  ])('takes %s for a severity', (severityNumber, expected) => {
    expect(recordOf({ severityNumber })).toMatchObject({ severityNumber: expected });
  });

  it.each([
    [{}, ''],
    [{ traceId: '', spanId: null }, ''],
    [{ traceId: 'xyz' }, Buffer.from('xyz').toString('base64')],
  ])('takes %j for no trace id', (record, traceId) => {
    expect(recordOf(record)).toMatchObject({ traceId, spanId: '' });
  });

  it.each([{}, { resourceLogs: null }, { resourceLogs: [] }])('takes %j for no records', (body) => {
    expect(encodeLogsJson(Buffer.from(JSON.stringify(body)))).toEqual(Buffer.alloc(0));
  });

  it.each<[body: unknown, message: string]>([
    [[], 'body: expected an object such as {"resourceLogs": '],
    [{ resourceSpans: [] }, 'this looks like spans; send it to /v1/traces'],
    [{ resourceMetrics: [] }, 'this looks like metrics; send it to /v1/metrics'],
    [{ logRecords: [] }, 'log records must be wrapped as {"resourceLogs": '],
    [{ resourceLogs: {} }, 'resourceLogs: expected an array of objects, got an object'],
    [{ resourceLogs: [{ scopeLogs: [{ logRecords: [1] }] }] }, 'logRecords[0]: expected an object, got 1'],
    [requestOf({ body: 'text' }), 'body: expected an object such as {"stringValue": "…"}, got "text"'],
    [requestOf({ attributes: { a: 1 } }), 'attributes: expected an array of {key, value}, got an object'],
    [requestOf({ traceId: 5 }), 'traceId: expected a string of 32 hex digits, got 5'],
    [requestOf({ spanId: {} }), 'spanId: expected a string of 16 hex digits, got an object'],
    [requestOf({ eventName: 5 }), 'eventName: expected a string, got 5'],
    [requestOf({ severityNumber: 'INFO' }), 'severityNumber: expected an integer or one of SEVERITY_NUMBER_'],
    [requestOf({ timeUnixNano: 'now' }), 'timeUnixNano: expected Unix nanoseconds as a decimal string'],
    [requestOf({ observedTimeUnixNano: -1 }), 'observedTimeUnixNano: expected Unix nanoseconds'],
  ])('rejects %j', (body, message) => {
    const encode = () => encodeLogsJson(Buffer.from(JSON.stringify(body)));
    expect(encode).toThrow(OtlpDecodeError);
    expect(encode).toThrow(message);
  });
});
