import { beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/evaluate/evaluator.ts';
import { RuleConduct } from '../../src/evaluate/rule-conduct.ts';
import { ruleOf } from '../support/subjects.ts';

const HOUR = 3_600_000;
const START = 1_000 * HOUR;
const rule = (definitionId: string, version = 1): Rule => ruleOf('ASSERT', {}, { definitionId, version });

let now: number;
let conduct: RuleConduct;
beforeEach(() => {
  now = START;
  conduct = new RuleConduct(() => now);
});

describe('a slow rule', () => {
  it('counts as slow for an hour, of its application and in its version alone', () => {
    conduct.noteSlow(1, rule('a'));
    expect(conduct.isSlow(1, rule('a'))).toBe(true);
    for (const [application, other] of [
      [2, rule('a')],
      [1, rule('a', 2)],
      [1, rule('b')],
    ] as const)
      expect(conduct.isSlow(application, other)).toBe(false);
    now += HOUR;
    expect(conduct.isSlow(1, rule('a'))).toBe(false);
  });

  it('is none before it has been slow, also within the first hour of the clock', () => {
    now = 0;
    expect(conduct.isSlow(1, rule('a'))).toBe(false);
    for (const at of [1, 2]) {
      now = at;
      conduct.noteFault(1, rule('b'));
    }
    expect([conduct.isSlow(1, rule('a')), conduct.isSlow(1, rule('b'))]).toEqual([false, true]);
  });

  it('makes all rules of its application count as slow once five have held up others within an hour', () => {
    for (const id of ['a', 'b', 'c', 'd']) conduct.noteHeldUp(1, rule(id));
    expect(conduct.isSlow(1, rule('quick'))).toBe(false);
    conduct.noteHeldUp(1, rule('e'));
    expect([conduct.isSlow(1, rule('quick')), conduct.isSlow(2, rule('quick'))]).toEqual([true, false]);
    now += HOUR;
    expect(conduct.isSlow(1, rule('quick'))).toBe(false);
  });

  it('is forgotten when a thousand others were seen after it', () => {
    for (let n = 0; n <= 1_000; n++) conduct.noteSlow(1, rule(`${n}`));
    expect([conduct.isSlow(1, rule('0')), conduct.isSlow(1, rule('1'))]).toEqual([false, true]);
  });
});

describe('a rule with faults', () => {
  it('is suspended from the third within an hour until the first of them is an hour old', () => {
    for (const at of [0, 10, 20]) {
      expect(conduct.suspendedUntil(1, rule('a'))).toBeNull();
      now = START + at;
      conduct.noteFault(1, rule('a'));
    }
    expect(conduct.suspendedUntil(1, rule('a'))).toBe(START + HOUR);
    expect(conduct.suspendedUntil(2, rule('a'))).toBeNull();
    expect(conduct.suspended()).toBe(1);
    now = START + HOUR;
    expect([conduct.suspendedUntil(1, rule('a')), conduct.suspended()]).toEqual([null, 0]);
    conduct.noteFault(1, rule('a'));
    expect(conduct.suspendedUntil(1, rule('a'))).toBe(START + HOUR + 10);
  });

  it('is not suspended by faults that lie further apart', () => {
    for (let n = 0; n < 6; n++) {
      conduct.noteFault(1, rule('a'));
      now += HOUR / 2;
    }
    expect(conduct.suspended()).toBe(0);
  });
});
