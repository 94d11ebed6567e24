import { expect, it } from 'vitest';
import { z } from 'zod';
import { mayContain } from '../../src/contract/may-contain.ts';

const FIELDS = new Set(['passed']);
const passed = z.object({ passed: z.boolean() });

interface Nested {
  inner?: Nested | undefined;
  passed: boolean;
}
const nested: z.ZodType<Nested> = z.lazy(() => z.object({ inner: nested.optional(), passed: z.boolean() }));

it.each<[string, z.ZodType, boolean]>([
  ['an object', passed, true],
  ['a list', z.object({ data: z.array(passed) }), true],
  ['one of several', z.union([z.string(), passed]), true],
  ['an optional value', z.object({ one: passed.nullable().optional() }), true],
  ['values of a record', z.record(z.string(), passed), true],
  ['a transformed value', passed.transform((value) => value), true],
  ['both of two', z.intersection(z.object({}), passed), true],
  ['a tuple', z.tuple([z.string(), passed]), true],
  ['a recursive value', nested, true],
  ['a value of any form', z.object({ content: z.unknown() }), true],
  ['other fields', z.object({ id: z.string(), counts: z.array(z.int()) }), false],
])('%s is searched for fields', (_name, schema, expected) => {
  expect(mayContain(schema, FIELDS)).toBe(expected);
});
