import { expect, it } from 'vitest';
import {
  ABSENT,
  ANY,
  inAnyOrder,
  INTEGER,
  isOneOf,
  listOf,
  mismatches,
  only,
  optional,
  orNull,
  type Shape,
  TEXT,
  TIME,
  UUID,
} from './shapes.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const ANSWERS = { tag: { id: ID, size: 7 } };

it.each<[value: unknown, shape: Shape]>([
  [{ a: 1, b: 2 }, { a: 1 }],
  [ID, '{{tag.id}}'],
  [`x ${ID.toUpperCase()}`, 'x {{tag.id|upper}}'],
  [7, '{{tag.size}}'],
  [ID, UUID],
  ['2026-03-01T12:00:00Z', TIME],
  [
    [1, 'a'],
    [1, TEXT],
  ],
  [null, orNull(TEXT)],
  [{}, only({ a: optional(TEXT) })],
  [{}, { a: ABSENT }],
  [[2, 1], inAnyOrder(1, 2)],
  [[1, 2], listOf(INTEGER)],
  ['a', isOneOf('a', 'b')],
])('%j is like its shape', (value, shape) => {
  expect(mismatches(value, shape, ANSWERS)).toEqual([]);
});

it.each<[value: unknown, shape: Shape]>([
  [{ a: 1 }, { a: 2 }],
  [{}, { a: ANY }],
  [{ a: null }, { a: { b: 1 } }],
  ['other', '{{tag.id}}'],
  ['7', '{{tag.size}}'],
  ['22222222-2222-9222-8222-222222222222', UUID],
  ['2026-03-01T12:00:00+01:00', TIME],
  [[1, 2], [1]],
  [{ 0: 1 }, [1]],
  [undefined, orNull(TEXT)],
  [{ a: 1, b: 2 }, only({ a: 1 })],
  [{ a: null }, only({ a: optional(TEXT) })],
  [null, only({})],
  [{ a: null }, { a: ABSENT }],
  [[1, 1], inAnyOrder(1, 2)],
  [[1, 2, 3], inAnyOrder(1, 2)],
  [[], listOf(ANY)],
  [[1, 1.5], listOf(INTEGER)],
  ['c', isOneOf('a', 'b')],
])('%j is not like its shape', (value, shape) => {
  expect(mismatches(value, shape, ANSWERS)).not.toEqual([]);
});

it('names what is not there', () => {
  expect(() => mismatches('', '{{tag.name}}', ANSWERS)).toThrow(
    '{{tag.name}} names nothing that was answered',
  );
});
