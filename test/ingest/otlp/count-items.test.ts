import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTurn } from '../../../src/runtime/steps.ts';
import { countJsonMetrics, countProtobufMembers } from '../../../src/ingest/otlp/count-items.ts';
import { OtlpDecodeError } from '../../../src/ingest/otlp/decode-error.ts';
import { encodeProto } from '../../support/otlp-proto.ts';

const bodyOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json));

describe('countJsonMetrics', () => {
  it('counts metrics over all resources and scopes', () => {
    const resourceMetrics = [
      { scopeMetrics: [{ metrics: [{}, { name: 'b' }] }, { metrics: [{}] }] },
      { scope_metrics: [{ metrics: [{}] }, {}] },
      {},
    ];
    expect(inOneTurn(countJsonMetrics(bodyOf({ resourceMetrics })))).toBe(4);
    expect(inOneTurn(countJsonMetrics(bodyOf({ resource_metrics: resourceMetrics })))).toBe(4);
  });

  it.each([{}, { resourceMetrics: null }, { resourceMetrics: [] }])('counts nothing in %j', (body) => {
    expect(inOneTurn(countJsonMetrics(bodyOf(body)))).toBe(0);
  });

  it.each([
    ['no JSON', '{', 'the body is not JSON'],
    ['no object', '[]', 'body: expected an object'],
    ['no list', '{"resourceMetrics":{}}', 'body.resourceMetrics: expected an array'],
    [
      'no list within',
      '{"resourceMetrics":[{"scopeMetrics":[{},{"metrics":1}]}]}',
      'body.resourceMetrics[0].scopeMetrics[1].metrics: expected an array',
    ],
    [
      'a metric that is no object',
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[1]}]}]}',
      'metrics[0]: expected an object',
    ],
  ])('rejects %s', (_, body, message) => {
    const counting = () => inOneTurn(countJsonMetrics(Buffer.from(body)));
    expect(counting).toThrow(OtlpDecodeError);
    expect(counting).toThrow(message);
  });
});

describe('countProtobufMembers', () => {
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
        expect(inOneTurn(countProtobufMembers(body))).toBe(
          resources.flat().reduce((sum, size) => sum + size, 0),
        );
      }),
    );
  });

  it.each([
    ['a truncated body', '0a05'],
    ['a list of another wire type', '0801'],
    ['no protobuf at all', '7b7d'],
  ])('rejects %s', (_, hex) => {
    expect(() => inOneTurn(countProtobufMembers(Buffer.from(hex, 'hex')))).toThrow(OtlpDecodeError);
  });

  it('gives others their turns while it reads many fields', () => {
    const steps = countProtobufMembers(Buffer.alloc(16 * 1024 * 1024, Buffer.from([0x10, 0])));
    let turns = 0;
    while (!steps.next().done) turns += 1;
    expect(turns).toBeGreaterThan(2);
  });

  it('gives a count or OtlpDecodeError for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          expect(inOneTurn(countProtobufMembers(Buffer.from(bytes)))).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(OtlpDecodeError);
        }
      }),
    );
  });
});
