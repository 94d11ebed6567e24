import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_MEMORY, measureJson, measureJsonInSteps } from '../../src/contract/json-limits.ts';
import { inOneTurn } from '../../src/runtime/steps.ts';

const PIECE = 256 * 1024;
const LIMITS = { depth: 200, values: 1_000 };
const bytesOf = (text: string): Buffer => Buffer.from(text);

/** A body with a string of this length, which has signs of JSON and an escaped quote at its end, and values behind it. */
const body = (length: number): Buffer => bytesOf(`["${'a'.repeat(length)}\\",[{:\\\\",{"k":1},2,[3,"\\\\"]]`);

const inSteps = (bytes: Buffer, limits: typeof LIMITS): number =>
  inOneTurn(measureJsonInSteps(bytes, limits));

describe('Texts in JSON', () => {
  const signs = string({
    unit: constantFrom('a', '"', '\\', '{', ',', ':', 'é'),
    maxLength: 300,
    size: 'max',
  });

  it('count as one value each, whatever signs and escapes they have', () => {
    assert(
      property(array(signs, { minLength: 1, maxLength: 20 }), (texts) => {
        const bytes = bytesOf(JSON.stringify(texts));
        const values = JSON_MEMORY.container + JSON_MEMORY.value * (texts.length - 1);
        expect(measureJson(bytes, LIMITS)).toBe(bytes.length + values);
      }),
    );
  });
});

describe('JSON that is counted in pieces', () => {
  it.each([-16, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1])(
    'has the same values wherever a piece ends: %d bytes from the end of a string',
    (offset) => {
      const length = PIECE + offset;
      expect(inSteps(body(length), LIMITS)).toBe(measureJson(body(0), LIMITS) + length);
      expect(inSteps(body(length), { ...LIMITS, values: 8 })).toBe(measureJson(body(length), LIMITS));
      expect(() => inSteps(body(length), { ...LIMITS, values: 7 })).toThrow('more than 7 values');
    },
  );

  it('leaves others their turns', () => {
    const steps = measureJsonInSteps(body(8 * PIECE), LIMITS);
    let turns = 1;
    while (!steps.next().done) turns += 1;
    expect(turns).toBe(9);
  });

  it('reports its values by the thousand, and the rest at the end', () => {
    const reported: number[] = [];
    const many = bytesOf(JSON.stringify(Array.from({ length: 3_000 }, (_, index) => index)));
    measureJson(many, { depth: 2, values: 5_000, onValues: (count) => reported.push(count) });
    expect(reported.slice(0, 2)).toEqual([1_024, 1_024]);
    expect(reported.reduce((sum, count) => sum + count, 0)).toBe(3_000);
  });
});
