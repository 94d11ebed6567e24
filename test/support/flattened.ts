/** Attributes as no instrumentation writes them, and views that say how often they were looked at. */
import fc from 'fast-check';
import { type AttributeView, viewOf } from '../../src/traces/conventions/span-view.ts';
import type { Attributes, JsonValue } from '../../src/traces/span-wire.ts';

const INDICES = ['0', '1', '2', '7', '9999', '10000', '999999999', '-1', '1e3', ' 1', '1.0', '', '__proto__'];

/** Deeper than the stack is: JSON in text may be, attributes may not. */
const DEEP = '{"a":['.repeat(20_000) + ']}'.repeat(20_000);

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    'text',
    'tool',
    'image',
    'reasoning',
    'data:image/png;base64,AAAA',
    '[{"type":"text"}]',
    '{"a',
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(DEEP, `[{"type":"text","text":${DEEP}}]`, `{"role":"user","content":${DEEP}}`),
);

/** Keys under these prefixes, made of these names and of indices that may be none, with any values at all. */
export function attributesUnder(
  prefixes: readonly string[],
  names: readonly string[],
): fc.Arbitrary<Attributes> {
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    { weight: 3, arbitrary: fc.constantFrom(...INDICES) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  );
  const key = fc
    .tuple(fc.constantFrom(...prefixes), fc.array(part, { maxLength: 4 }))
    .map(([prefix, parts]) => prefix + parts.join('.'));
  return fc
    .array(fc.tuple(key, value), { maxLength: 24 })
    .map((entries): Attributes => Object.fromEntries(entries));
}

export interface Looks {
  view: AttributeView;
  /** Returns the number of values that were requested and keys that were returned so far. */
  count: () => number;
}

export function countingView(attributes: Attributes): Looks {
  const view = viewOf(attributes);
  let looks = 0;
  return {
    view: {
      *keys() {
        for (const key of view.keys()) {
          looks++;
          yield key;
        }
      },
      value: (key) => {
        looks++;
        return view.value(key);
      },
    },
    count: () => looks,
  };
}
