import { expect, it } from 'vitest';
import { schemaMismatch } from '../../src/evaluate/evaluators/assertions/json-schema.ts';
import { collectGarbage } from '../../src/runtime/garbage.ts';

/** Uses a schema that no other test has, and returns a reference to a part of it that does not keep it. */
function use(name: string): WeakRef<object> {
  const properties = { [name]: { enum: ['a', 'b'], pattern: `^${name}` } };
  expect(schemaMismatch({ properties }, { [name]: 'c' })).toContain(name);
  return new WeakRef(properties);
}

it('keeps a bounded number of schemas, whatever was compiled before', async () => {
  const first = Array.from({ length: 20 }, (_, index) => use(`first${index}`));
  for (let index = 0; index < 200; index++) use(`later${index}`);
  // What a WeakRef was created for stays alive until the current turn of the event loop ends.
  await new Promise(setImmediate);
  collectGarbage();
  expect(first.filter((schema) => schema.deref() !== undefined)).toEqual([]);
});
