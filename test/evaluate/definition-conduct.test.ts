import { beforeEach, describe, expect, it } from 'vitest';
import type { AppliedDefinition } from '../../src/evaluate/evaluator.ts';
import { DefinitionConduct } from '../../src/evaluate/definition-conduct.ts';
import { appliedDefinition } from '../support/subjects.ts';

const HOUR = 3_600_000;
const START = 1_000 * HOUR;
const definition = (definitionId: string, version = 1): AppliedDefinition =>
  appliedDefinition('ASSERT', {}, { definitionId, version });

let now: number;
let conduct: DefinitionConduct;
beforeEach(() => {
  now = START;
  conduct = new DefinitionConduct(() => now);
});

describe('a slow rule', () => {
  it('counts as slow for an hour, of its application and in its version alone', () => {
    conduct.noteSlow(1, definition('a'));
    expect(conduct.isSlow(1, definition('a'))).toBe(true);
    for (const [application, other] of [
      [2, definition('a')],
      [1, definition('a', 2)],
      [1, definition('b')],
    ] as const)
      expect(conduct.isSlow(application, other)).toBe(false);
    now += HOUR;
    expect(conduct.isSlow(1, definition('a'))).toBe(false);
  });

  it('is none before it has been slow, also within the first hour of the clock', () => {
    now = 0;
    expect(conduct.isSlow(1, definition('a'))).toBe(false);
    for (const at of [1, 2]) {
      now = at;
      conduct.noteFault(1, definition('b'));
    }
    expect([conduct.isSlow(1, definition('a')), conduct.isSlow(1, definition('b'))]).toEqual([false, true]);
  });

  it('makes all rules of its application count as slow once five have delayed others within an hour', () => {
    for (const id of ['a', 'b', 'c', 'd']) conduct.noteHeldUp(1, definition(id));
    expect(conduct.isSlow(1, definition('quick'))).toBe(false);
    conduct.noteHeldUp(1, definition('e'));
    expect([conduct.isSlow(1, definition('quick')), conduct.isSlow(2, definition('quick'))]).toEqual([
      true,
      false,
    ]);
    now += HOUR;
    expect(conduct.isSlow(1, definition('quick'))).toBe(false);
  });

  it('is forgotten when a thousand others were seen after it', () => {
    for (let n = 0; n <= 1_000; n++) conduct.noteSlow(1, definition(`${n}`));
    expect([conduct.isSlow(1, definition('0')), conduct.isSlow(1, definition('1'))]).toEqual([false, true]);
  });
});

describe('a rule with faults', () => {
  it('is suspended from the third within an hour until the first of them is an hour old', () => {
    for (const at of [0, 10, 20]) {
      expect(conduct.suspendedUntil(1, definition('a'))).toBeNull();
      now = START + at;
      conduct.noteFault(1, definition('a'));
    }
    expect(conduct.suspendedUntil(1, definition('a'))).toBe(START + HOUR);
    expect(conduct.suspendedUntil(2, definition('a'))).toBeNull();
    expect(conduct.suspended()).toBe(1);
    now = START + HOUR;
    expect([conduct.suspendedUntil(1, definition('a')), conduct.suspended()]).toEqual([null, 0]);
    conduct.noteFault(1, definition('a'));
    expect(conduct.suspendedUntil(1, definition('a'))).toBe(START + HOUR + 10);
  });

  it('is not suspended by faults that lie further apart', () => {
    for (let n = 0; n < 6; n++) {
      conduct.noteFault(1, definition('a'));
      now += HOUR / 2;
    }
    expect(conduct.suspended()).toBe(0);
  });
});
