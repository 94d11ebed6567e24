import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentText, MAX_CHARACTERS } from '../../../exporters/otel/src/json-text.ts';

class Point {
  readonly x = 1;
  get sum(): number {
    throw new Error('no');
  }
}

const cycle: Record<string, unknown> = { name: 'a' };
cycle['self'] = cycle;
const shared = { n: 1 };
const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 1);
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('contentText', () => {
  it.each<[what: string, value: unknown, text: string]>([
    ['a number that JSON does not have', Number.NaN, '"NaN"'],
    ['a large integer', { n: 12n }, '{"n":"12"}'],
    ['a cycle', cycle, '{"name":"a","self":"[circular]"}'],
    ['an object that appears twice', [shared, shared], '[{"n":1},{"n":1}]'],
    ['undefined and functions as members', { a: undefined, b: () => 1, c: [undefined] }, '{"c":[null]}'],
    ['a function', [() => 1], '["[function]"]'],
    ['a symbol', [Symbol('x')], '["Symbol(x)"]'],
    ['bytes', { data: Buffer.from('abc') }, '{"data":"[3 bytes]"}'],
    ['a buffer', new ArrayBuffer(8), '"[8 bytes]"'],
    ['a vector', new Float32Array([1, 2]), '[1,2]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a date without a time', [new Date(Number.NaN)], '[null]'],
    ['an instance of a class', new Point(), '{"x":1}'],
    ['an error', new RangeError('far'), '{"name":"RangeError","message":"far"}'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a map with other keys', new Map([[1, 2]]), '[[1,2]]'],
    ['a set', new Set([1]), '[1]'],
    ['a promise', Promise.resolve(1), '"[Promise]"'],
    ['a response', new Response('x'), '"[Response]"'],
    ['a stream', new ReadableStream(), '"[ReadableStream]"'],
    ['an emitter', { request: new EventEmitter() }, '{"request":"[EventEmitter]"}'],
    [
      'a getter that throws',
      Object.defineProperty({ a: 1 }, 'b', { enumerable: true, get: () => fail() }),
      '{"a":1,"b":"[unreadable]"}',
    ],
    ['toJSON that throws', [{ toJSON: () => fail() }], '["[unreadable]"]'],
    ['a proxy that was revoked', [revoked.proxy], '["[unreadable]"]'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['nothing', {}, '{}'],
    ['an empty list', [], '[]'],
    ['quotes', { 'a"': '"' }, String.raw`{"a\"":"\""}`],
  ])('writes %s', (_what, value, text) => {
    expect(contentText(value)).toEqual({ text, mimeType: 'application/json' });
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it('writes what JSON has as the runtime does, small and large alike', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => typeof value !== 'string'),
        (value) => {
          expect(contentText(value).text).toBe(JSON.stringify(value));
          const large = [value, 'x'.repeat(100_000)];
          expect(contentText(large).text).toBe(JSON.stringify(large));
        },
      ),
    );
  });

  it('leaves texts as they are', () => {
    expect(contentText('a "b"')).toEqual({ text: 'a "b"', mimeType: 'text/plain' });
  });

  it.each<[what: string, value: unknown]>([
    ['a deep list', deep],
    ['many members', Array.from({ length: 1_000_000 }, (_, n) => n)],
    ['a long text', { text: 'x'.repeat(3 * MAX_CHARACTERS) }],
    ['many long texts', Array.from({ length: 100 }, () => 'x'.repeat(MAX_CHARACTERS / 10))],
  ])('truncates %s and stays JSON', (_what, value) => {
    const { text } = contentText(value);
    expect(text.length).toBeLessThan(MAX_CHARACTERS * 1.1);
    expect(text).toMatch(/\[too deep\]|\[truncated\]|characters left out\]/);
    JSON.parse(text);
  });

  it('says how much of a long text is missing', () => {
    expect(contentText(`${'x'.repeat(MAX_CHARACTERS)}abc`).text).toMatch(/x… \[3 characters left out\]$/);
  });
});

function fail(): never {
  throw new Error('no');
}
