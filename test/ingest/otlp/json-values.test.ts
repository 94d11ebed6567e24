import { describe, expect, it } from 'vitest';
import { MAX_VALUE_DEPTH } from '../../../src/ingest/otlp/check-message.ts';
import { encodeTracesJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { scanTraces } from '../../../src/ingest/otlp/scan.ts';
import { raw, rejectionOf, requestOf, spanOf } from '../../support/otlp-json.ts';
import type { Plain } from '../../support/otlp-proto.ts';
import { PRICES } from '../../support/spans.ts';

const valueOf = (value: unknown): Plain | null =>
  spanOf({ attributes: [{ key: 'k', value }] }).attributes[0]?.value ?? null;

describe('values', () => {
  it.each<[what: string, value: unknown, expected: Plain | null]>([
    ['empty', {}, {}],
    ['null, which is none', null, null],
    ['of an unknown kind', { newValue: 1 }, {}],
    ['with a null inside', { doubleValue: null }, {}],
    ['a text', { stringValue: 'x' }, { stringValue: 'x' }],
    ['an empty text', { stringValue: '' }, { stringValue: '' }],
    ['false', { boolValue: false }, { boolValue: false }],
    ['bytes', { bytesValue: '+/8=' }, { bytesValue: '+/8=' }],
    ['bytes in URL-safe base64', { bytesValue: '-_8' }, { bytesValue: '+/8=' }],
    ['an empty array', { arrayValue: {} }, { arrayValue: { values: [] } }],
    [
      'an array of anything',
      { arrayValue: { values: [{ intValue: 1 }, {}, null, { arrayValue: { values: null } }] } },
      {
        arrayValue: { values: [{ intValue: '1' }, {}, {}, { arrayValue: { values: [] } }] },
      },
    ],
    [
      'a list of pairs',
      { kvlistValue: { values: [{ key: 'a', value: {} }, { key: 'b' }] } },
      {
        kvlistValue: {
          values: [
            { key: 'a', value: {} },
            { key: 'b', value: null },
          ],
        },
      },
    ],
    ['two at once: the last counts', { stringValue: 'x', intValue: 1 }, { intValue: '1' }],
  ])('may be %s', (_, value, expected) => {
    expect(valueOf(value)).toEqual(expected);
  });

  it.each([
    [5, { intValue: '5' }],
    [-3, { intValue: '-3' }],
    ['-3', { intValue: '-3' }],
    ['9223372036854775807', { intValue: '9223372036854775807' }],
    [raw('9223372036854775807'), { intValue: '9223372036854775807' }],
    ['-9223372036854775808', { intValue: '-9223372036854775808' }],
    [raw('-9007199254740993'), { intValue: '-9007199254740993' }],
    [{ low: -3, high: -1 }, { intValue: '-3' }],
    [{ low: 5, high: 0, unsigned: true }, { intValue: '5' }],
    [{ low: 0, high: -(2 ** 31), unsigned: true }, { doubleValue: 2 ** 63 }],
    ['9223372036854775808', { doubleValue: 2 ** 63 }],
    [raw('1e+21'), { doubleValue: 1e21 }],
    ['9'.repeat(400), { doubleValue: Number.POSITIVE_INFINITY }],
    [1.5, { doubleValue: 1.5 }],
    ['1.5', { doubleValue: 1.5 }],
    ['1e3', { intValue: '1000' }],
    ['-0', { intValue: '0' }],
  ])('intValue %j is %j', (intValue, expected) => {
    expect(valueOf({ intValue })).toEqual(expected);
  });

  it.each([
    [0.1, 0.1],
    [raw('-0.0'), -0],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['-2.5e-3', -0.0025],
    [raw('12345678901234567890'), 12345678901234567000],
  ])('doubleValue %j is %d', (doubleValue, expected) => {
    expect(valueOf({ doubleValue })).toEqual({ doubleValue: expected });
  });

  it('keep every digit of a bare integer, wherever it stands', () => {
    const values = [{ intValue: raw('9007199254740993') }, { doubleValue: raw('9007199254740993') }];
    expect(valueOf({ arrayValue: { values } })).toEqual({
      arrayValue: { values: [{ intValue: '9007199254740993' }, { doubleValue: 9007199254740992 }] },
    });
  });

  it.each([
    ['stringValue', 5],
    ['boolValue', 'true'],
    ['boolValue', 1],
    ['intValue', true],
    ['intValue', 'x'],
    ['intValue', '0x10'],
    ['intValue', ''],
    ['intValue', '-'],
    ['intValue', {}],
    ['doubleValue', 'nan'],
    ['doubleValue', {}],
    ['bytesValue', 'not base64'],
    ['bytesValue', [1, 2]],
    ['arrayValue', [1]],
    ['kvlistValue', []],
  ])('%s must not be %j', (kind, content) => {
    const error = rejectionOf(requestOf({ attributes: [{ key: 'k', value: { [kind]: content } }] }));
    expect(error).toContain(`spans[0].attributes[0].value.${kind}: expected `);
  });
});

describe('values in each other', () => {
  const nested = (depth: number, kind: 'array' | 'pairs'): string => {
    const [open, close] =
      kind === 'array'
        ? ['{"arrayValue":{"values":[', ']}}']
        : ['{"kvlistValue":{"values":[{"key":"k","value":', '}]}}'];
    return `${open.repeat(depth - 1)}{"stringValue":"innermost"}${close.repeat(depth - 1)}`;
  };

  const scanned = (value: string) => {
    const span = {
      traceId: '01'.repeat(16),
      spanId: '02'.repeat(8),
      attributes: [{ key: 'k', value: raw(value) }],
    };
    return scanTraces(encodeTracesJson(Buffer.from(requestOf(span))), 1n, PRICES);
  };

  it.each(['array', 'pairs'] as const)('are kept as deep as is allowed: %s', (kind) => {
    for (const depth of [1, 2, MAX_VALUE_DEPTH - 1, MAX_VALUE_DEPTH]) {
      const { spans, rejected } = scanned(nested(depth, kind));
      expect(rejected.size).toBe(0);
      expect(spans[0]?.bytes.includes('innermost')).toBe(true);
    }
  });

  it.each(['array', 'pairs'] as const)('cost only their span when they are deeper: %s', (kind) => {
    for (const more of [1, 2, 3, 4, 1000, 100_000]) {
      const { spans, rejected } = scanned(nested(MAX_VALUE_DEPTH + more, kind));
      expect(spans).toEqual([]);
      expect(rejected).toEqual(new Map([['too_deep', 1]]));
    }
  });

  it('deeper than the stack beside a bare long integer: the body is rejected', () => {
    const attributes = [{ key: 'k', value: raw(nested(100_000, 'array')) }];
    const span = { startTimeUnixNano: raw('1700000000123456789'), attributes };
    expect(rejectionOf(requestOf(span))).toBe('the body is nested too deeply');
  });
});
