import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, findUncanonical, UncanonicalError } from '../../src/contract/canonical-json.ts';
import { sendable } from './json-values.ts';
import { effort } from '../support/effort.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const doubleOf = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE();

const problemOf = (value: unknown): { path: readonly string[]; reason: string } | null => {
  try {
    canonicalJson(value);
    return null;
  } catch (error) {
    if (!(error instanceof UncanonicalError)) throw error;
    return { path: error.path, reason: error.message };
  }
};

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.2, but for its 1E30', () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys as the example of RFC 8785, section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([
      // JSON.parse puts what looks like an index first.
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
    expect(canonicalJson(value)).toMatch(/^\{"\\r":"Carriage Return","1":"One","\u0080":/);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
    ['433fffffffffffff', '9007199254740991'],
    ['c33fffffffffffff', '-9007199254740991'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(doubleOf(bits))).toBe(text);
  });

  it.each([
    ['4340000000000000', 'is an integer beyond ±(2^53−1)'],
    ['c340000000000000', 'is an integer beyond ±(2^53−1)'],
    ['4430000000000000', 'is an integer beyond ±(2^53−1)'],
    ['44b52d02c7e14af6', 'is an integer beyond ±(2^53−1)'],
    ['7fefffffffffffff', 'is an integer beyond ±(2^53−1)'],
    ['7fffffffffffffff', 'is not a finite number'],
    ['7ff0000000000000', 'is not a finite number'],
    ['fff0000000000000', 'is not a finite number'],
  ])('rejects the double %s, which %s', (bits, reason) => {
    expect(problemOf(doubleOf(bits))).toEqual({ path: [], reason });
  });

  it('agrees with the reference implementation on all that it writes', () => {
    fc.assert(
      fc.property(sendable, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: effort(333) },
    );
  });

  it('reads its own text back as the same', () => {
    fc.assert(
      fc.property(sendable, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('writes objects without prototype', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });

  it('writes 128 levels', () => {
    expect(canonicalJson(nested(128))).toBe('['.repeat(128) + ']'.repeat(128));
  });

  it.each<[what: string, value: unknown, path: string[], reason: RegExp]>([
    ['undefined', { a: undefined }, ['a'], /type undefined/],
    ['a hole in an array', Object.assign([1], { length: 2 }), ['1'], /type undefined/],
    ['a function', { a: [() => 1] }, ['a', '0'], /type function/],
    ['a symbol', [Symbol('s')], ['0'], /type symbol/],
    ['a bigint', [1n], ['0'], /type bigint/],
    ['a date', { at: new Date(0) }, ['at'], /plain object/],
    ['a map', { at: new Map() }, ['at'], /plain object/],
    ['a lone surrogate in a value', { a: { b: 'x\ud83d' } }, ['a', 'b'], /half of a surrogate pair/],
    ['a lone surrogate in a key', { a: { '\ude00': 1 } }, ['a', '\ude00'], /half of a surrogate pair/],
    ['__proto__', { a: [JSON.parse('{"__proto__":1}')] }, ['a', '0', '__proto__'], /key __proto__/],
    ['129 levels', nested(129), new Array<string>(128).fill('0'), /deeper than 128 levels/],
  ])('rejects %s and says where', (_what, value, path, reason) => {
    const problem = problemOf(value);
    expect(problem?.path).toEqual(path);
    expect(problem?.reason).toMatch(reason);
  });

  it('rejects a loop', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(problemOf(loop)?.reason).toMatch(/deeper/);
  });
});

describe('findUncanonical', () => {
  it('finds nothing in what can be sent', () => {
    fc.assert(
      fc.property(sendable, (value) => {
        expect(findUncanonical(value)).toBeNull();
      }),
    );
  });

  it('names the first place', () => {
    expect(findUncanonical({ b: Number.NaN, a: [1, 2 ** 53] })).toEqual({
      path: ['a', '1'],
      reason: 'is an integer beyond ±(2^53−1)',
    });
  });

  it('leaves room for what will be around a part', () => {
    const part = nested(120);
    expect(findUncanonical(part)).toBeNull();
    expect(problemOf({ experiment: { overrides: { step: { parameter: part } } } })).toBeNull();
    expect(findUncanonical(nested(121))?.reason).toMatch(/deeper than 120 levels/);
  });
});
