import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/contract/canonical-json.ts';
import { explainMismatch } from '../../src/deliver/explain-mismatch.ts';
import { jsonPointer } from '../../src/deliver/json-pointer.ts';
import { parseStrictJson } from '../../src/deliver/strict-json.ts';
import { payload, placesOf, replaced } from './json-values.ts';

const SENT = '{"a":[1,{"b":null}],"c/d":{"~":"x"},"e":0}';
const explain = (sent: string, received: string): string | null =>
  explainMismatch(sent, parseStrictJson(Buffer.from(received), 128).value);

describe('explainMismatch', () => {
  it.each([
    ['the same', SENT, null],
    [
      'the same, written otherwise',
      String.raw`{"e": -0.0, "c/d": {"\u007e": "x"}, "a": [1.0, {"b": null}]}`,
      null,
    ],
    ['a changed value', SENT.replace('1', '2'), '/a/0'],
    ['a changed value far inside', SENT.replace('null', 'false'), '/a/1/b'],
    ['a name to be escaped', SENT.replace('"x"', '"y"'), '/c~1d/~0'],
    ['a number as text', SENT.replace('"e":0', '"e":"0"'), '/e'],
    ['null for an object', SENT.replace('{"b":null}', 'null'), '/a/1'],
    ['an object for an array', SENT.replace('[1,{"b":null}]', '{"0":1,"1":{"b":null}}'), '/a'],
    ['a missing member', SENT.replace(',"e":0', ''), '/e'],
    ['a missing item', SENT.replace('1,', ''), '/a/0'],
    ['a missing last item', SENT.replace(',{"b":null}', ''), '/a/1'],
    ['another member', SENT.replace('{"b"', '{"z":1,"b"'), '/a/1/z'],
    ['another item', SENT.replace('}]', '},null]'), '/a/2'],
    ['a member of the same name as an inherited one', SENT.replace('{"a"', '{"toString":1,"a"'), '/toString'],
    ['a member __proto__', SENT.replace('{"a"', '{"__proto__":{},"a"'), '/__proto__'],
    ['another kind of body', '[]', ''],
    ['the first of two', SENT.replace('1', '2').replace(':0', ':1'), '/a/0'],
  ])('finds in %s', (_what, received, pointer) => {
    expect(explain(SENT, received)).toBe(pointer);
  });

  it('finds the place of any one changed value', () => {
    fc.assert(
      fc.property(payload, fc.nat(), (body, at) => {
        const places = placesOf(body);
        const place = places[at % places.length] as string[];
        const changed = replaced(body, place, 'changed value');
        expect(explainMismatch(canonicalJson(body), changed)).toBe(jsonPointer(place));
        expect(explainMismatch(canonicalJson(body), body)).toBeNull();
      }),
    );
  });
});
