import { describe, expect, it } from 'vitest';
import type { Action, Done } from './action.ts';
import { actionsOf, runSteps, type StormOptions, type StormResult } from './run.ts';
import { shrink } from './shrink.ts';

const NAMES = ['noise', 'create', 'damage', 'more noise'];
const actions: readonly Action[] = NAMES.map((name) => ({
  name,
  weight: 1,
  run: () => Promise.resolve(200),
}));

const OPTIONS: StormOptions = { seed: 7, steps: 40, kill: false, every: 10, print: () => undefined };

/** Runs storms without a server: a fault is there once something was created and damaged in this order. */
const storms =
  (isSeenOnlyAtTheEnd: boolean) =>
  (options: StormOptions): Promise<StormResult> => {
    const state = { isCreated: false, isDamaged: false, checks: 0 };
    const faults = (): Promise<string[]> =>
      Promise.resolve(state.isDamaged ? [`nothing is damaged: found in check ${++state.checks}`] : []);
    return runSteps(options, {
      actions,
      run: ({ name }): Promise<Done> => {
        if (name === 'create') state.isCreated = true;
        if (name === 'damage' && state.isCreated) state.isDamaged = true;
        return Promise.resolve(200);
      },
      check: isSeenOnlyAtTheEnd ? () => Promise.resolve([]) : faults,
      checkEnd: isSeenOnlyAtTheEnd ? faults : () => Promise.resolve([]),
    });
  };

describe.each([
  ['a check after some steps', false],
  ['the check after the last step alone', true],
])('a fault that %s finds', (_what, isSeenOnlyAtTheEnd) => {
  it.each([1, 2, 3, 4, 5])('is shrunk to the actions that it needs, with seed %i', async (seed) => {
    const storm = storms(isSeenOnlyAtTheEnd);
    const options = { ...OPTIONS, seed };
    const found = await storm(options);
    expect(found.broken).toHaveLength(1);
    const shrunk = await shrink(options, found, { storm, names: NAMES });
    expect(shrunk?.needed).toEqual(['create', 'damage']);
    expect(shrunk?.step).toBeLessThanOrEqual(found.failedAt ?? 0);
    // The run that it names does break the rule.
    const without = new Set(['noise', 'more noise']);
    const again = await storm({ ...options, every: 1, steps: shrunk?.step ?? 0, without });
    expect(again.broken).toHaveLength(1);
  });
});

it('a fault that does not happen again is not shrunk, nor one of another rule', async () => {
  const found = { failedAt: 9, broken: ['each test ends: 1 tests do not'] };
  const storm = storms(false);
  expect(
    await shrink({ ...OPTIONS, steps: 1 }, { ...found, failedAt: 1 }, { storm, names: NAMES }),
  ).toBeNull();
  expect(await shrink(OPTIONS, { ...found, failedAt: 40 }, { storm, names: NAMES })).toBeNull();
});

it('kill -9 is among the actions that a fault may need', () => {
  expect(actionsOf({ kill: true }).map(({ name }) => name)).toContain('kill -9');
  expect(actionsOf({ kill: false }).map(({ name }) => name)).not.toContain('kill -9');
});
