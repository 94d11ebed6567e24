import { describe, expect, it } from 'vitest';
import { exampleRelapse, liveRelapse } from '../../../src/evaluate/statistics/relapse.ts';
import { effort } from '../../support/effort.ts';
import { mulberry32 } from '../../support/random.ts';

const runsOf = (...failed: number[]) => failed.map((share) => ({ exampleId: 'one', failed: share }));
const watch = { examples: 1, tolerated: 0.02 };

describe('examples', () => {
  it.each<[string, number[], number | null]>([
    ['one failure', [1], null],
    ['a failure after runs that passed', [0, 0, 0, 1], null],
    ['two failures in a row', [1, 1], 1],
    ['two failures in a row after runs that passed', [0, 0, 0, 1, 1], 4],
    ['failures of one test in ten', [0.1, 0.1, 0.1], null],
    ['nothing', [], null],
  ])('decide at %s', (_what, failed, place) => {
    expect(exampleRelapse(runsOf(...failed), watch)).toBe(place);
  });

  it('that all fail in one run do not decide, but in the second one', () => {
    const run = Array.from({ length: 30 }, (_, example) => ({ exampleId: String(example), failed: 1 }));
    const all = { examples: 30, tolerated: 0.02 };
    expect(exampleRelapse(run, all)).toBeNull();
    expect(exampleRelapse([...run, ...run], all)).toBeGreaterThanOrEqual(30);
  });

  it('seldom decide by chance, also when they are looked at after each of many runs', () => {
    const random = mulberry32(7);
    const samples = effort(100);
    const decided = Array.from({ length: samples }, () =>
      exampleRelapse(runsOf(...Array.from({ length: 300 }, () => Number(random() < 0.02))), watch),
    ).filter((place) => place !== null);
    expect(decided.length / samples).toBeLessThanOrEqual(0.05);
  });
});

describe('live verdicts', () => {
  const day = (number: number, of: number, failed: number) => ({ day: number, of, failed });

  it('of an evaluator without errors decide at one failure', () => {
    expect(liveRelapse([day(0, 100, 0)], null)).toBeNull();
    expect(liveRelapse([day(0, 100, 0), day(1, 100, 1)], null)).toEqual({ place: 1, reference: null });
  });

  it('must fail more often than what people let pass', () => {
    const measured = { of: 100, failed: 5 };
    expect(liveRelapse([day(0, 200, 10)], measured)).toBeNull();
    expect(liveRelapse([day(0, 200, 2)], measured)).toBeNull();
    expect(liveRelapse([day(0, 200, 65)], measured)).toEqual({ place: 0, reference: measured });
    expect(liveRelapse([], measured)).toBeNull();
  });

  it('are compared with those of the weeks before', () => {
    const measured = { of: 60, failed: 1 };
    const clean = Array.from({ length: 14 }, (_, number) => day(number, 200, 3));
    expect(liveRelapse(clean, measured)).toBeNull();
    const week = Array.from({ length: 7 }, (_, number) => day(14 + number, 200, 14));
    expect(liveRelapse([...clean, ...week], measured)).toEqual({
      place: 14,
      reference: { of: 60 + 2_800, failed: 1 + 42 },
    });
  });

  it('seldom decide by chance, also when they are looked at every day', () => {
    const random = mulberry32(11);
    const samples = effort(100);
    const failedOf = (of: number): number =>
      Array.from({ length: of }, random).filter((x) => x < 0.05).length;
    let decided = 0;
    for (let sample = 0; sample < samples; sample++) {
      const measured = { of: 60, failed: failedOf(60) };
      const days = Array.from({ length: 42 }, (_, number) => day(number, 20, failedOf(20)));
      if (days.some((_day, place) => liveRelapse(days.slice(0, place + 1), measured) !== null)) decided += 1;
    }
    expect(decided / samples).toBeLessThanOrEqual(0.05);
  });
});
