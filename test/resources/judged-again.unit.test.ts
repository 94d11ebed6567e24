import { expect, it } from 'vitest';
import { judgedAgainInPart } from '../../src/resources/run-sets/judged-again.ts';
import type { EvalRow } from '../../src/resources/runs/compare-side.ts';

const verdict = (more: Partial<EvalRow> = {}): EvalRow => ({
  testId: 't',
  definitionId: 'a',
  passed: 1,
  normalised: 1,
  version: 1,
  judgeVersion: 'j',
  type: 'CUSTOM',
  expects: '',
  at: 10,
  attempts: 1,
  replacedAt: null,
  ...more,
});
const again = (at: number, replacedAt: number): EvalRow => verdict({ at, attempts: 2, replacedAt });
const { at: _at, attempts: _attempts, replacedAt: _replacedAt, ...EARLIER } = verdict();
/** Judged again because its input, or the definition, had changed. */
const changed = verdict({ at: 30, attempts: 2 });

it.each<[string, EvalRow[], boolean]>([
  ['nothing', [verdict(), verdict()], false],
  ['one of two', [again(20, 10), verdict()], true],
  ['one of two, before the other one was judged', [again(12, 10), verdict({ at: 15 })], true],
  ['all', [again(20, 10), again(21, 11)], false],
  ['all, and one of them once more', [again(30, 20), again(20, 10)], true],
  ['one, and all afterwards', [again(30, 20), again(31, 10)], false],
  ['what has changed only', [changed, verdict()], false],
  ['all, some of which has changed', [changed, again(30, 10)], false],
  ['evidence of an earlier version', [EARLIER], false],
])('judged again: %s', (_name, evals, isInPart) => {
  expect(judgedAgainInPart(evals, new Set())).toEqual(isInPart ? ['a'] : []);
  expect(judgedAgainInPart(evals, new Set(['a']))).toEqual([]);
});
