import { describe, expect, it } from 'vitest';
import { bisect } from '../../../src/evaluate/statistics/bisect.ts';
import { kappaAt, profileBound } from '../../../src/evaluate/statistics/kappa-profile.ts';
import { reach } from '../../../src/evaluate/statistics/normal.ts';
import { stratifiedKappa } from '../../../src/evaluate/statistics/stratified-kappa.ts';
import { mostPower } from '../../../bench/simulation/best-judge-test.ts';
import { validShare } from '../../../bench/simulation/judges.ts';

describe('a gate by a sample with more of what the judge failed', () => {
  it.each([
    ['lenient', 0.2],
    ['strict', 0.2],
    ['both', 0.05],
    ['lenient', 0.05],
  ] as const)('hardly lets a judge pass that is worse than required: %s, %d', (errors, failedShare) => {
    const judge = { kappa: 0.6, failedShare, errors };
    expect(validShare(judge, { minKappa: 0.6, verdicts: 120, drawnFailed: 0.25 }, 400)).toBeLessThan(0.06);
  });

  it('lets good judges pass that let most pass, much more often than one without preference', () => {
    const judge = { kappa: 0.85, failedShare: 0.05, errors: 'both' } as const;
    const share = (drawnFailed: number | null): number =>
      validShare(judge, { minKappa: 0.5, verdicts: 120, drawnFailed }, 400);
    expect(share(0.15)).toBeGreaterThan(0.85);
    expect(share(null)).toBeLessThan(0.7);
  });

  it.each(['both', 'lenient', 'strict'] as const)(
    'proves four of five good judges with 60 verdicts, and is close to the best test there could be: %s',
    (errors) => {
      const judge = { kappa: 0.85, failedShare: 0.05, errors };
      const found = validShare(judge, { minKappa: 0.4, verdicts: 60, drawnFailed: 0.15 }, 2_000);
      const most = mostPower({ judge, minKappa: 0.4, verdicts: 60, level: 0.04 });
      expect(found).toBeGreaterThan(0.8);
      expect(most - found).toBeLessThan(0.12);
      expect(most).toBeLessThan(0.97);
    },
  );

  it('has a bound that is exact: judges with just this kappa have such a result no more often than the level', () => {
    const level = 0.04;
    const { low } = stratifiedKappa(
      { failedShare: 0.1, passed: { share: 1 / 40, count: 40 }, failed: { share: 2 / 12, count: 12 } },
      level,
    ) as { low: number };
    const chances = Array.from({ length: 50 }, (_, i) => chanceOfAtLeast(low, (i + 0.5) / 50));
    expect(Math.max(...chances)).toBeLessThan(level + 0.001);
    expect(Math.max(...chances)).toBeGreaterThan(level - 0.002);
  });
});

/** Returns how often a judge with this kappa has a result at least as good as 1 of 40 and 2 of 12 that differ; `part` says where it errs. */
function chanceOfAtLeast(kappa: number, part: number): number {
  const end = bisect((of) => -kappaAt(0.1, 0, of), -kappa, 0, 1);
  const ofFailed = part * end;
  const ofPassed = bisect((of) => -kappaAt(0.1, of, ofFailed), -kappa, 0, 1);
  const bound = (passed: number, failed: number): number =>
    profileBound(
      {
        failedShare: 0.1,
        passed: { share: passed / 40, count: 40 },
        failed: { share: failed / 12, count: 12 },
      },
      reach(1 - 2 * 0.04),
      'low',
    );
  let chance = 0;
  for (let passed = 0; passed <= 40; passed++)
    for (let failed = 0; failed <= 12; failed++)
      if (bound(passed, failed) >= bound(1, 2) - 1e-9)
        chance += chanceOf(40, passed, ofPassed) * chanceOf(12, failed, ofFailed);
  return chance;
}

function chanceOf(count: number, events: number, share: number): number {
  let choices = 1;
  for (let i = 0; i < events; i++) choices *= (count - i) / (i + 1);
  return choices * share ** events * (1 - share) ** (count - events);
}
