import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codecFor,
  grpcCodeOf,
  jsonCodec,
  type OtlpStatus,
  type PartialSuccess,
  protobufCodec,
} from '../../../src/ingest/otlp/response.ts';
import { decodeProto } from '../../support/otlp-proto.ts';

const json = (bytes: Buffer): unknown => JSON.parse(bytes.toString()) as unknown;
const CODECS = [protobufCodec, jsonCodec];

describe('full success', () => {
  it('is no bytes in protobuf and {} in JSON', () => {
    expect(protobufCodec.encodeSuccess()).toEqual(Buffer.alloc(0));
    expect(jsonCodec.encodeSuccess().toString()).toBe('{}');
  });

  it('is also what nothing rejected and nothing to say means', () => {
    const nothing = { rejected: 0, message: '' };
    expect(protobufCodec.encodeSuccess(nothing)).toEqual(Buffer.alloc(0));
    expect(jsonCodec.encodeSuccess(nothing).toString()).toBe('{}');
  });
});

describe('partial success', () => {
  const partial = { rejected: 2, message: '2 spans: bad trace_id' };

  it('has the bytes that the JavaScript SDK reads', () => {
    expect(protobufCodec.encodeSuccess(partial).toString('hex')).toBe(
      '0a190802121532207370616e733a206261642074726163655f6964',
    );
  });

  it.each([
    ['traces', 'rejectedSpans'],
    ['logs', 'rejectedLogRecords'],
    ['metrics', 'rejectedDataPoints'],
  ] as const)('counts in JSON what %s have: %s', (signal, field) => {
    const body = json(jsonCodec.encodeSuccess(partial, signal));
    expect(body).toEqual({ partialSuccess: { [field]: '2', errorMessage: partial.message } });
    expect(protobufCodec.encodeSuccess(partial, signal)).toEqual(protobufCodec.encodeSuccess(partial));
  });

  it('with nothing rejected is a warning', () => {
    const bytes = protobufCodec.encodeSuccess({ rejected: 0, message: 'logs are dropped' });
    expect(decodeProto('ExportTraceServiceResponse', bytes)).toEqual({
      partialSuccess: { rejectedSpans: '0', errorMessage: 'logs are dropped' },
    });
  });
});

describe('status', () => {
  it('has the bytes of google.rpc.Status', () => {
    expect(protobufCodec.encodeStatus({ code: 3, message: 'bad' }).toString('hex')).toBe('08031203626164');
    expect(jsonCodec.encodeStatus({ code: 3, message: 'bad' }).toString()).toBe('{"code":3,"message":"bad"}');
  });

  it('reports when to retry by RetryInfo', () => {
    const busy = { code: 14, message: 'busy', retryDelaySeconds: 2 };
    expect(protobufCodec.encodeStatus(busy).toString('hex')).toBe(
      '080e1204627573791a300a28747970652e676f6f676c65617069732e636f6d2f676f6f676c652e7270632e5265747279496e666f12040a020802',
    );
    expect(json(jsonCodec.encodeStatus(busy))).toEqual({
      code: 14,
      message: 'busy',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' }],
    });
  });

  it.each([
    [0, '0', 0, '0s'],
    [0.5, '0', 500_000_000, '0.500000000s'],
    [1.25, '1', 250_000_000, '1.250000000s'],
  ])('writes a delay of %d seconds as a Duration', (retryDelaySeconds, seconds, nanos, text) => {
    const busy = { code: 14, message: 'busy', retryDelaySeconds };
    const [detail] = decodeProto('RpcStatus', protobufCodec.encodeStatus(busy)).details as {
      value: string;
    }[];
    const retryInfo = decodeProto('RetryInfo', Buffer.from(detail?.value ?? '', 'base64'));
    expect(retryInfo).toEqual({ retryDelay: { seconds, nanos } });
    expect(json(jsonCodec.encodeStatus(busy))).toMatchObject({ details: [{ retryDelay: text }] });
  });

  it('names what is wrong with the request by BadRequest', () => {
    const violations = [
      { field: 'resourceSpans[0].resource', description: 'expected an object' },
      { field: 'body', description: 'looks like logs' },
    ];
    const status = { code: 3, message: 'bad', violations };
    const decoded = decodeProto('RpcStatus', protobufCodec.encodeStatus(status));
    const [detail] = decoded.details as { typeUrl: string; value: string }[];
    expect(detail?.typeUrl).toBe('type.googleapis.com/google.rpc.BadRequest');
    expect(decodeProto('BadRequest', Buffer.from(detail?.value ?? '', 'base64'))).toEqual({
      fieldViolations: violations,
    });
    expect(json(jsonCodec.encodeStatus(status))).toMatchObject({
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }],
    });
  });
});

describe('a body', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5000 }),
    fc.string({ maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('\0', '😀', '"', 'é', '\ud800', 'a'),
      minLength: 1000,
      maxLength: 9000,
    }),
  );
  const partials: fc.Arbitrary<PartialSuccess> = fc.record({ rejected: fc.maxSafeNat(), message: text });
  const statuses = fc.record({
    code: fc.nat({ max: 16 }),
    message: text,
    retryDelaySeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    violations: fc.array(fc.record({ field: text, description: text }), { maxLength: 40 }),
  }) satisfies fc.Arbitrary<OtlpStatus>;

  it('stays under 4 KiB, whatever it has to say', () => {
    fc.assert(
      fc.property(partials, statuses, (partial, status) => {
        for (const codec of CODECS) {
          expect(codec.encodeSuccess(partial).length).toBeLessThan(4096);
          expect(codec.encodeStatus(status).length).toBeLessThan(4096);
        }
      }),
    );
  });

  it('says the same in both encodings, with no code point split', () => {
    fc.assert(
      fc.property(statuses, (status) => {
        const { message } = decodeProto('RpcStatus', protobufCodec.encodeStatus(status)) as {
          message: string;
        };
        expect(json(jsonCodec.encodeStatus(status))).toMatchObject({ message });
        const original = status.message.toWellFormed();
        const isTruncated = message.endsWith('…') && message !== original;
        expect(original.startsWith(isTruncated ? message.slice(0, -1) : message)).toBe(true);
        expect(message.isWellFormed()).toBe(true);
        if (!isTruncated) expect(message).toBe(original);
      }),
    );
  });

  it('keeps the first violations when there is no space for all', () => {
    const violations = Array.from({ length: 100 }, (_, index) => ({
      field: `f${index}`,
      description: 'x'.repeat(60),
    }));
    const status = json(jsonCodec.encodeStatus({ code: 3, message: 'bad', violations })) as {
      details: [{ fieldViolations: unknown[] }];
    };
    const kept = status.details[0].fieldViolations;
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(violations.slice(0, kept.length));
  });
});

describe('codecFor', () => {
  it.each([
    ['application/x-protobuf', protobufCodec],
    ['application/json', jsonCodec],
    ['Application/JSON', jsonCodec],
    ['application/json; charset=utf-8', jsonCodec],
    [' application/x-protobuf ;v=1', protobufCodec],
    ['application/jsonp', null],
    ['text/plain', null],
    ['', null],
    [undefined, null],
  ])('%j', (mediaType, codec) => {
    expect(codecFor(mediaType)).toBe(codec);
  });

  it('responds with the bare media type', () => {
    expect(CODECS.map((codec) => codec.contentType)).toEqual(['application/x-protobuf', 'application/json']);
  });
});

describe('grpcCodeOf', () => {
  it.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [404, 12],
    [429, 8],
    [502, 14],
    [503, 14],
    [504, 14],
    [405, 2],
    [413, 2],
    [415, 2],
    [500, 2],
  ])('%d → %d', (httpStatus, code) => {
    expect(grpcCodeOf(httpStatus)).toBe(code);
  });
});
