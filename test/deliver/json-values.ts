/** JSON values to try things with. */
import fc from 'fast-check';
import { canonicalJson } from '../../src/contract/canonical-json.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const isSendable = (number: number): boolean => !Number.isInteger(number) || Number.isSafeInteger(number);

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isSendable),
  fc.constantFrom(0, -0, 5e-324, 1e-7, 0.000001, 0.1, 2 ** 53 - 1, -(2 ** 53 - 1), 4503599627370495.5),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('', '😀', '\u0000\b\t\n\f\r\u001f"\\/\u007f', '<&>\u2028', '1', '__proto', 'constructor'),
);
const key = text.filter((name) => name !== '__proto__');

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Anything that a payload may hold. */
export const sendable: fc.Arbitrary<Json> = value;
/** Anything that a payload may be. */
export const payload: fc.Arbitrary<JsonObject> = fc.dictionary(key, value, { maxKeys: 5 });

/** Texts of any UTF-16 code units, so with halves of surrogate pairs. */
export const anyText = fc.oneof(
  text,
  fc
    .array(fc.constantFrom(0x41, 0xd800, 0xdbff, 0xdc00, 0xdfff), { maxLength: 4 })
    .map((codes) => String.fromCharCode(...codes)),
);

/** The path of every value within another, its own first. */
export function placesOf(json: Json, path: string[] = []): string[][] {
  if (typeof json !== 'object' || json === null) return [path];
  return [path, ...Object.entries(json).flatMap(([step, item]) => placesOf(item, [...path, step]))];
}

/** A copy in which one value is another; undefined takes it out. */
export function replaced(json: Json, [step, ...rest]: readonly string[], by: Json | undefined): Json {
  if (step === undefined) return by ?? null;
  const copy = structuredClone(json) as JsonObject;
  if (rest.length > 0) copy[step] = replaced(copy[step] as Json, rest, by);
  else if (by !== undefined) copy[step] = by;
  else if (Array.isArray(copy)) copy.splice(Number(step), 1);
  else delete copy[step];
  return copy;
}

export const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);
