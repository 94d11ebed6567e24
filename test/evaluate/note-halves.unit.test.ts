/** How optimistic a measurement on the notes is that a criterion was written from, against one on the holdout. */
import { expect, it } from 'vitest';
import { compareHalves } from '../../bench/simulation/halves.ts';
import { halfOf } from '../../src/resources/definitions/holdout.ts';

it.each([
  [12, 5],
  [22, 20],
])(
  'of %i notes and %i criteria, the holdout measures what is true, and all notes do not',
  (notes, criteria) => {
    const { all, split } = compareHalves(notes, criteria, 1_000);
    expect(all.bias).toBeGreaterThan(0.05);
    expect(Math.abs(split.bias)).toBeLessThan(0.02);
    expect(split.covered).toBeGreaterThan(0.93);
  },
);

it('about half of all traces are held out, and always the same', () => {
  const ids = Array.from({ length: 2_000 }, (_, id) => id.toString(16).padStart(32, '0'));
  const held = ids.filter((id) => halfOf(id) === 'HOLDOUT');
  expect(held.length).toBeGreaterThan(900);
  expect(held.length).toBeLessThan(1_100);
  expect(ids.filter((id) => halfOf(id) === 'HOLDOUT')).toEqual(held);
});
