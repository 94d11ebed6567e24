import { describe, expect, it } from 'vitest';
import { scanOtlp } from '../../../src/ingest/otlp/scan-body.ts';
import { inOneTurn } from '../../../src/runtime/steps.ts';
import { encodeProto, type Plain } from '../../support/otlp-proto.ts';
import { PRICES } from '../../support/spans.ts';

const GOOD = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const request = (traceId: unknown, spanId: unknown): Plain => ({
  resourceSpans: [
    {
      scopeSpans: [
        { spans: [{ traceId, spanId, name: 'chat', startTimeUnixNano: '1', endTimeUnixNano: '2' }] },
      ],
    },
  ],
});
const asJson = (traceId: unknown, spanId: unknown): Buffer =>
  Buffer.from(JSON.stringify(request(traceId, spanId)));
const asProtobuf = (traceId: string, spanId: string): Buffer =>
  encodeProto('ExportTraceServiceRequest', request(Buffer.from(traceId), Buffer.from(spanId)));

const rejectedOf = (body: Buffer, format: 'json' | 'protobuf') => {
  const { received, rejected, rejectedSamples } = inOneTurn(
    scanOtlp(body, format, { receivedAt: 0n, prices: PRICES }),
  );
  expect(received).toBe(1);
  expect([...rejected.values()]).toEqual([1]);
  return rejectedSamples[0];
};

describe('the ids of a rejected span', () => {
  const uuid = '9b2fd5a2-11aa-4b8e-8f0c-6a2e3a8f9d01';
  it.each<[rule: string, trace: unknown, span: unknown, shown: [trace: string, span: string]]>([
    ['a short text', 'abc', GOOD.span, ['abc', GOOD.span]],
    ['a uuid with hyphens', uuid, GOOD.span, [uuid, GOOD.span]],
    [
      'as many characters as a valid id has bytes',
      '0123456789abcdef',
      'abcdefgh',
      ['0123456789abcdef', 'abcdefgh'],
    ],
    ['zeros', '0'.repeat(32), GOOD.span.toUpperCase(), ['0'.repeat(32), GOOD.span]],
    ['none', null, '', ['', '']],
    ['a long text', 'x'.repeat(500), GOOD.span, ['x'.repeat(64), GOOD.span]],
    ['another alphabet', 'идентификатор', GOOD.span, ['идентификатор', GOOD.span]],
  ])('are shown as JSON had them: %s', (_rule, trace, span, [traceId, spanId]) => {
    expect(rejectedOf(asJson(trace, span), 'json')).toEqual({ reason: 'invalid_trace_id', traceId, spanId });
  });

  it('are shown in hex where they were bytes', () => {
    expect(rejectedOf(asProtobuf('abc', '12345678'), 'protobuf')).toEqual({
      reason: 'invalid_trace_id',
      traceId: '616263',
      spanId: '3132333435363738',
    });
  });
});

describe('a request whose only span is invalid', () => {
  it('is not taken for another signal, although its id in text resembles the name of a metric', () => {
    expect(rejectedOf(asProtobuf(GOOD.trace, GOOD.span), 'protobuf')).toMatchObject({
      reason: 'invalid_trace_id',
    });
    expect(rejectedOf(asJson('trace-1', 'span-1'), 'json')).toMatchObject({
      traceId: 'trace-1',
      spanId: 'span-1',
    });
  });
});
