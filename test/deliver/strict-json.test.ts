import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/contract/canonical-json.ts';
import { jsonPointer } from '../../src/deliver/json-pointer.ts';
import { type Oddity, parseStrictJson, type StrictJson } from '../../src/deliver/strict-json.ts';
import { AppError } from '../../src/errors.ts';
import { anyText, type Json } from './json-values.ts';
import { effort } from '../support/effort.ts';

const DEPTH = 128;
const read = (text: string): StrictJson => parseStrictJson(Buffer.from(text), DEPTH);
const odditiesIn = (text: string): string[] =>
  read(text).oddities.map(({ kind, path }) => `${kind} ${jsonPointer(path)}`);

/** What JSON.parse, or our parser, makes of bytes: null when it rejects them. */
function outcome(parse: () => unknown): { value: unknown } | null {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof AppError && error.code !== 'bad_request') throw error;
    return null;
  }
}
const ours = (bytes: Uint8Array) => outcome(() => parseStrictJson(bytes, DEPTH).value);
const theirs = (bytes: Uint8Array) =>
  outcome(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown);

/** As toEqual, but `-0` is not `0`, and `__proto__` is a key like any other. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other);
  }
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === otherKeys.length &&
    keys.every(
      (key, index) =>
        key === otherKeys[index] &&
        isEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

function readsAsJsonParse(bytes: Uint8Array): boolean {
  const [mine, reference] = [ours(bytes), theirs(bytes)];
  return mine === null || reference === null ? mine === reference : isEqual(mine.value, reference.value);
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(2 ** 53, -(2 ** 53), 1e300, 2 ** 53 - 1),
);
const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    anyNumber,
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(anyText, fc.constant('__proto__')), tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

const PIECES = [
  Array.from('{}[],:"\\ \n\t\r0123456789-+.eEutfna\u0000\u001f\u007f\u00a0\ufeffé😀'),
  [
    '"a"',
    '"__proto__"',
    '""',
    '"\\n"',
    '"\\ud83d\\ude00"',
    '"\\uD83D"',
    '\\u00',
    '1.0',
    '-0',
    '1e5',
    '1E+400',
  ],
  ['9007199254740993', '1e-400', 'true', 'false', 'null', '{"a":', '[1,', '"b":[]', '"a":1}', ']}'],
].flat();

const REJECTED = [
  ['', ' ', '{', '[', '"', '[1', '[1,', '{"a"', '{"a":', '{"a":1', '{"a":1,', '"\\', '"\\u', '"\\u12'],
  ['[1,]', '[,1]', '[1,,2]', '{"a":1,}', '{,}', '{"a" 1}', '{"a":}', '{a:1}', "{'a':1}", '{1:1}', '[1 2]'],
  ['01', '-01', '+1', '1.', '.5', '-', '-.5', '1e', '1e+', '1.e3', '0x1', '1_0', '１', 'NaN', 'Infinity'],
  ['-Infinity', 'True', 'nul', 'nulll', 'undefined', 'truefalse', '1 1', '{}{}', '[]]', '}', ']', ',', ':'],
  ['"\n"', '"\t"', '"\u0000"', '"\\x41"', '"\\a"', "'a'", '"\\u00g0"', '"\\u 041"', '"\\U0041"', '"a" "b"'],
  [
    '\u00a01',
    '\u000b1',
    '\u000c1',
    '\u20281',
    '// c\n1',
    '/* c */1',
    '\ufeff\ufeff1',
    '1\ufeff',
    '"\\ud83d\\',
  ],
].flat();

const READ = [
  ['1', ' 1 ', '\t\r\n1\n', '0', '-0', '-0.0', '0e0', '1.0', '1e3', '1E+3', '100e-2', '1.5e-3', '-1'],
  ['5e-324', '0.1', '0.30000000000000004', '123456789.123456789123456789', '1e-400', '1e400', '-1e400'],
  ['9007199254740991', '9007199254740992', '12345678901234567890', '4.9406564584124654e-324', '2.5e-324'],
  ['true', 'false', 'null', '""', '"a"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u0041\\u00e9\\uD83D\\ude00"'],
  ['"é😀\u007f\u2028"', '"\\ud83d"', '"\\ude00\\ud83d"', '[]', '[ ]', '{}', '{ }', '[1,[2,[3]],{}]'],
  ['{"a":{"b":[null]}}', '{"a":1,"a":2}', '{"":0}', '{"b":1,"a":2,"1":3,"0":4}', '{"__proto__":1}'],
  ['{"\\u005f_proto__":{"x":1}}', '{"constructor":1,"toString":2}', '[{"a":1},{"a":2}]'],
].flat();

describe('parseStrictJson', () => {
  it.each(REJECTED)('rejects %j as JSON.parse does', (text) => {
    expect(() => {
      JSON.parse(text);
    }).toThrow(SyntaxError);
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it.each(READ)('reads %j as JSON.parse does', (text) => {
    expect(isEqual(read(text).value, JSON.parse(text))).toBe(true);
  });

  it('leaves out a byte order mark', () => {
    expect(read('\ufeff{"a":1}').value).toEqual({ a: 1 });
  });

  it.each([
    ['a lone byte', [0x22, 0xff, 0x22]],
    ['a sequence cut short', [0x22, 0xe2, 0x82, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['UTF-16', [0x5b, 0x00, 0x5d, 0x00]],
  ])('rejects %s', (_what, bytes) => {
    expect(() => parseStrictJson(Buffer.from(bytes), DEPTH)).toThrow(/^The body is not valid JSON/);
  });

  it.each([
    ['', 'unexpected end at position 0'],
    ['{"a":1', 'unexpected end at position 6'],
    ['{"é":tru}', 'unexpected character at position 5'],
    ['[1,]', 'unexpected character at position 3'],
    ['"a\nb"', 'unexpected character at position 2'],
    ['{"a":1}}', 'unexpected character at position 7'],
  ])('says of %j: %s', (text, place) => {
    expect(() => read(text)).toThrow(`The body is not valid JSON: ${place}`);
  });

  it('gives objects without prototype, so that no key is lost or inherited', () => {
    const value = read('{"__proto__":{"polluted":true},"toString":1}').value as object;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(['__proto__', 'toString']);
    expect('polluted' in value).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  it('reads as deep as configured, and no deeper', () => {
    const deep = (depth: number): string => '{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2);
    expect(() => read(deep(128))).not.toThrow();
    expect(() => read(deep(130))).toThrow('The body is nested deeper than 128 levels');
    expect(() => read('['.repeat(5_000_000))).toThrow('The body is nested deeper than 128 levels');
  });

  it.each([
    ['{"a":1,"b":{"a":2,"a":3}}', ['duplicate_key /b/a']],
    [String.raw`{"a":1,"\u0061":2}`, ['duplicate_key /a']],
    ['[{"a":1,"a":1,"a":1}]', ['duplicate_key /0/a', 'duplicate_key /0/a']],
    ['{"a/b":{"~":0,"~":0}}', ['duplicate_key /a~1b/~0']],
    ['{"a":{"__proto__":1}}', ['proto_key /a/__proto__']],
    [
      String.raw`{"\u005f_proto__":{"__proto__":1}}`,
      ['proto_key /__proto__', 'proto_key /__proto__/__proto__'],
    ],
    [
      '{"__proto__":1,"__proto__":2}',
      ['proto_key /__proto__', 'proto_key /__proto__', 'duplicate_key /__proto__'],
    ],
    [
      String.raw`["\ud83d\ude00","\ud83d","x\ude00","\ude00\ud83d"]`,
      ['/1', '/2', '/3'].map((at) => `lone_surrogate ${at}`),
    ],
    [String.raw`{"\ud83d":1}`, ['lone_surrogate /\ud83d']],
    ['[9007199254740991,-9007199254740991,9007199254740991.0]', []],
    ['[9007199254740992,-9007199254740993]', ['unsafe_number /0', 'unsafe_number /1']],
    ['[1e16,90071992547409920e-1,1E400,-1e400]', ['/0', '/1', '/2', '/3'].map((at) => `unsafe_number ${at}`)],
    ['[0,-0,0.000,0e9,-0E-400,1e-300]', []],
    ['[1e-400,-0.01e-399]', ['unsafe_number /0', 'unsafe_number /1']],
    ['["__proto__","9007199254740993",1.0,1e3,100e-2,0.30000000000000001]', []],
    ['{"toString":1,"constructor":2,"hasOwnProperty":3}', []],
  ])('finds in %s: %j', (text, oddities) => {
    expect(odditiesIn(text)).toEqual(oddities);
  });

  it('names the first few of many oddities', () => {
    const { oddities } = read(`[${'1e400,'.repeat(1000)}1]`);
    expect(oddities.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => [String(index)]),
    );
  });

  it('finds an oddity exactly where a value has no canonical form', () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        const { value, oddities } = read(JSON.stringify(json));
        let rejected: readonly string[] | null = null;
        try {
          canonicalJson(value);
        } catch (error) {
          rejected = (error as { path: readonly string[] }).path;
        }
        const places = oddities.map(({ path }: Oddity) => jsonPointer(path));
        if (rejected === null) expect(places).toEqual([]);
        else expect(places).toContain(jsonPointer(rejected));
      }),
      { numRuns: effort(667) },
    );
  });

  it('reads whatever JSON.stringify writes as JSON.parse does', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        expect(readsAsJsonParse(Buffer.from(JSON.stringify(json, null, space)))).toBe(true);
      }),
      { numRuns: effort(667) },
    );
  });

  it('reads or rejects spoilt JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(
        anyJson,
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom('', ...PIECES),
        (json, at, cut, piece) => {
          const text = JSON.stringify(json);
          const place = at % (text.length + 1);
          expect(readsAsJsonParse(Buffer.from(text.slice(0, place) + piece + text.slice(place + cut)))).toBe(
            true,
          );
        },
      ),
      { numRuns: effort(1667) },
    );
  });

  it('reads or rejects any row of pieces of JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
        expect(readsAsJsonParse(Buffer.from(pieces.join('')))).toBe(true);
      }),
      { numRuns: effort(3333) },
    );
  });

  it('reads or rejects any bytes as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(readsAsJsonParse(bytes)).toBe(true);
        expect(readsAsJsonParse(Buffer.concat([Buffer.of(0x22), bytes, Buffer.of(0x22)]))).toBe(true);
      }),
      { numRuns: effort(667) },
    );
  });
});
