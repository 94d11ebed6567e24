import { describe, expect, it } from 'vitest';
import { changedSettings } from '../../src/dashboard/experiments/changed-settings.ts';
import { moreExamples } from '../../src/dashboard/experiments/more-examples.ts';
import { citedParts } from '../../src/dashboard/results/cited-parts.ts';
import { columnChoices, gridColumns, withColumn } from '../../src/dashboard/results/grid-columns.ts';
import type { ResultColumn } from '../../src/dashboard/results/result-types.ts';
import { gridItems, itemsBetween } from '../../src/dashboard/results/grid-items.ts';
import { runShows, shownTab } from '../../src/dashboard/results/shows.ts';

type Row = NonNullable<ReturnType<Parameters<typeof gridItems>[0]['rowAt']>>;

const row = (outcome: string, key: string | null): Row =>
  ({ sides: [{ outcome, cause: key === null ? null : { key, title: `Cause ${key}` } }] }) as unknown as Row;

describe('the lines of a grid', () => {
  const rows = [row('FAILED', 'a'), row('FAILED', 'a'), row('FAILED', 'b'), row('PASSED', null)];
  const layout = { total: 5, rowAt: (place: number) => rows[place], rowHeight: 10, groupHeight: 5 };
  const linesOf = (given: { isGrouped: boolean; closed?: readonly string[] }) =>
    gridItems({ ...layout, isGrouped: given.isGrouped, closed: new Set(given.closed) }).items.map((item) =>
      item.kind === 'group' ? `${item.title} at ${item.top}` : `${item.place} at ${item.top}`,
    );

  it('have a head for each cause, and one for what passed', () =>
    expect(linesOf({ isGrouped: true })).toEqual([
      'Cause a at 0',
      '0 at 5',
      '1 at 15',
      'Cause b at 25',
      '2 at 30',
      'Passed at 40',
      '3 at 45',
      '4 at 55',
    ]));

  it('leave out the rows of a closed group', () =>
    expect(linesOf({ isGrouped: true, closed: ['a'] }).slice(0, 3)).toEqual([
      'Cause a at 0',
      'Cause b at 5',
      '2 at 10',
    ]));

  it('are rows alone without groups', () => expect(linesOf({ isGrouped: false })).toHaveLength(5));

  it('are drawn only around the view', () => {
    const { items, height } = gridItems({ ...layout, total: 100_000, isGrouped: false, closed: new Set() });
    expect(height).toBe(1_000_000);
    const drawn = itemsBetween(items, 500_000, 500_100);
    expect(drawn.length).toBeLessThan(20);
    expect(drawn.at(0)).toMatchObject({ place: 49_999 });
  });
});

describe('cited words', () => {
  const failed = (start: number, end: number) => ({ passed: false, citations: [{ start, end }] });
  it.each([
    [[], ['Done. Paid back.']],
    [[failed(6, 16)], ['Done. ', '[Paid back.]']],
    [
      [failed(0, 5), failed(3, 10)],
      ['[Done.]', '[ Paid]', ' back.'],
    ],
    [[{ ...failed(6, 16), passed: true }], ['Done. Paid back.']],
  ])('of verdicts %j', (verdicts, parts) => {
    const side = { output: 'Done. Paid back.', verdicts } as unknown as Parameters<typeof citedParts>[0];
    expect(citedParts(side).map(({ text, isCited }) => (isCited ? `[${text}]` : text))).toEqual(parts);
  });
});

it.each([
  [null, 20, null],
  [4, 20, null],
  [10, 60, 200],
  [11, 60, 250],
])('a smallest loss of %s points over %d pairs needs %s more examples', (smallestLoss, pairs, more) => {
  const difference = smallestLoss === null ? null : { smallestLoss };
  const candidate = { difference, pairs } as Parameters<typeof moreExamples>[0];
  expect(moreExamples(candidate)).toBe(more);
});

it('settings that differ are named by step and parameter', () => {
  const before = { answer: { prompt: 'Long', model: 'a' }, search: { limit: 3 } };
  const after = { answer: { prompt: 'Short', model: 'a' } };
  expect(changedSettings(before, after)).toEqual([
    { name: 'answer · prompt', before: 'Long', after: 'Short' },
    { name: 'search · limit', before: '3', after: '' },
  ]);
});

it('a grid begins with what failed, or with everything', () => {
  const facetsOf = (FAILED: number) =>
    ({
      outcomes: { FAILED, APP_ERROR: 0, NO_VERDICT: 0, NOT_RUN: 0, RUNNING: 0, PASSED: 2 },
      changes: {},
    }) as Parameters<typeof runShows>[0];
  expect(shownTab(runShows(facetsOf(1), false), '').id).toBe('failed');
  expect(shownTab(runShows(facetsOf(0), false), '').id).toBe('all');
  expect(shownTab(runShows(facetsOf(1), false), 'passed').id).toBe('passed');
});

describe('columns of evaluators', () => {
  const columns = Array.from(
    { length: 9 },
    (_, index): ResultColumn => ({
      definitionId: `${index}`,
      name: `E${index}`,
      type: 'ASSERT',
      isBlocking: true,
      min: 0,
      max: 1,
    }),
  );
  const shown = (state: string, width = 1_100): string =>
    gridColumns({ layout: 'run', columns, sides: [], isSplit: false, width }, state)
      .flatMap(({ evaluator }) => evaluator?.name ?? [])
      .join(' ');
  const choices = (state: string): string =>
    columnChoices({ layout: 'run', columns }, state)
      .filter(({ id }) => id.startsWith('evaluator-'))
      .map(({ title, isHidden }) => (isHidden ? '-' : '') + title)
      .join(' ');

  it('are the first six, and all can be chosen', () => {
    expect(shown('')).toBe('E0 E1 E2 E3 E4 E5');
    expect(choices('')).toBe('E0 E1 E2 E3 E4 E5 -E6 -E7 -E8');
  });

  it('one that is chosen takes the place of the last, and one that is hidden leaves it to the next', () => {
    const chosen = withColumn('', 'evaluator-8', true);
    expect(shown(chosen)).toBe('E0 E1 E2 E3 E4 E8');
    expect(choices(chosen)).toBe('E0 E1 E2 E3 E4 -E5 -E6 -E7 E8');
    expect(shown(withColumn('', 'evaluator-0', false))).toBe('E1 E2 E3 E4 E5 E6');
    expect(withColumn(withColumn('', 'evaluator-0', false), 'evaluator-0', true)).toBe('evaluator-0');
    expect(withColumn('-time', 'time', true)).toBe('');
  });

  it('more are shown where all are chosen and the width suffices', () => {
    const all = columns.reduce(
      (state, { definitionId }) => withColumn(state, `evaluator-${definitionId}`, true),
      '',
    );
    expect(shown(all, 1_400)).toBe('E0 E1 E2 E3 E4 E5 E6 E7 E8');
    expect(shown(all, 900)).toBe('E0 E1 E2');
    expect(shown(all, 500)).toBe('');
  });
});
