import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countJsonItems, countProtobufItems } from '../../../src/ingest/otlp/count-items.ts';
import { OtlpDecodeError } from '../../../src/ingest/otlp/decode-error.ts';
import { encodeProto } from '../../support/otlp-proto.ts';

const bodyOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json));

describe('countJsonItems', () => {
  it('counts log records over all resources and scopes', () => {
    const resourceLogs = [
      { scopeLogs: [{ logRecords: [{}, {}] }, { logRecords: [{}] }] },
      { scope_logs: [{ log_records: [{}] }, {}] },
      {},
    ];
    expect(countJsonItems(bodyOf({ resourceLogs }), 'logs')).toBe(4);
  });

  it('counts metrics', () => {
    const resource_metrics = [{ scopeMetrics: [{ metrics: [{}, { name: 'b' }] }] }];
    expect(countJsonItems(bodyOf({ resource_metrics }), 'metrics')).toBe(2);
  });

  it.each([{}, { resourceLogs: null }, { resourceLogs: [] }])('counts nothing in %j', (body) => {
    expect(countJsonItems(bodyOf(body), 'logs')).toBe(0);
  });

  it.each([
    ['no JSON', '{', 'the body is not JSON'],
    ['no object', '[]', 'body: expected an object'],
    ['no list', '{"resourceLogs":{}}', 'body.resourceLogs: expected an array'],
    [
      'no list within',
      '{"resourceLogs":[{"scopeLogs":[{},{"logRecords":1}]}]}',
      'body.resourceLogs[0].scopeLogs[1].logRecords: expected an array',
    ],
    [
      'a record that is no object',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[1]}]}]}',
      'logRecords[0]: expected an object',
    ],
  ])('refuses %s', (_, body, message) => {
    const counting = () => countJsonItems(Buffer.from(body), 'logs');
    expect(counting).toThrow(OtlpDecodeError);
    expect(counting).toThrow(message);
  });
});

describe('countProtobufItems', () => {
  it('counts the elements of field 2 in field 2 in field 1', () => {
    const counts = fc.array(fc.array(fc.nat({ max: 4 }), { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(counts, (resources) => {
        const resourceSpans = resources.map((scopes) => ({
          resource: { attributes: [{ key: 'a', value: { stringValue: 'b' } }] },
          scopeSpans: scopes.map((size) => ({
            scope: { name: 'lib' },
            spans: Array.from({ length: size }, () => ({ name: 'x' })),
            schemaUrl: 'u',
          })),
        }));
        const body = encodeProto('ExportTraceServiceRequest', { resourceSpans });
        expect(countProtobufItems(body)).toBe(resources.flat().reduce((sum, size) => sum + size, 0));
      }),
    );
  });

  it.each([
    ['a truncated body', '0a05'],
    ['a list of another wire type', '0801'],
    ['no protobuf at all', '7b7d'],
  ])('refuses %s', (_, hex) => {
    expect(() => countProtobufItems(Buffer.from(hex, 'hex'))).toThrow(OtlpDecodeError);
  });

  it('gives a count or OtlpDecodeError for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          expect(countProtobufItems(Buffer.from(bytes))).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(OtlpDecodeError);
        }
      }),
    );
  });
});
