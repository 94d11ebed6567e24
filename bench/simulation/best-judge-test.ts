import { bisect } from '../../src/evaluate/statistics/bisect.ts';
import { kappaAt } from '../../src/evaluate/statistics/kappa-profile.ts';
import { type Differing, differingOf, type SimulatedJudge } from './judges.ts';

interface TestedJudge {
  judge: SimulatedJudge;
  minKappa: number;
  verdicts: number;
  /** One-sided level of the test. */
  level: number;
}

/** Number of judges with exactly the required kappa that a test must not let pass. */
const RIVALS = 20;
/** Number of sizes of the strata that are tried. */
const SIZES = 40;
/** Probability below which a result is left out, which makes the power smaller by less than can be seen. */
const NEGLIGIBLE = 1e-9;

/**
 * Computes a power that no test of its level exceeds, whatever its order of results and its sizes of both strata: that of the
 * likelihood-ratio test (J. Neyman, E. S. Pearson, 1933) that knows how often the judge errs on each side, and has to tell it from one
 * judge with the required kappa: the most similar one.
 */
export function mostPower({ judge, minKappa, verdicts, level }: TestedJudge): number {
  const truth = differingOf(judge);
  const rivals = rivalsOf(minKappa, judge.failedShare);
  let most = 0;
  const step = Math.ceil(verdicts / SIZES);
  for (let failed = step; failed < verdicts; failed += step) {
    const sizes = { passed: verdicts - failed, failed };
    let least = 1;
    for (const rival of rivals) {
      least = Math.min(least, powerBetween(sizes, { truth, rival, level }));
      if (least <= most) break;
    }
    most = Math.max(most, least);
  }
  return most;
}

/** Returns judges with exactly this kappa, from one that errs only on what it passes to one that errs only on what it fails. */
function rivalsOf(kappa: number, failedShare: number): Differing[] {
  const end =
    kappaAt(failedShare, 0, 1) > kappa ? 1 : bisect((of) => -kappaAt(failedShare, 0, of), -kappa, 0, 1);
  return Array.from({ length: RIVALS + 1 }, (_, index) => {
    const ofFailed = (end * index) / RIVALS;
    return { ofPassed: bisect((of) => -kappaAt(failedShare, of, ofFailed), -kappa, 0, 1), ofFailed };
  });
}

interface Sizes {
  passed: number;
  failed: number;
}

function powerBetween(
  { passed, failed }: Sizes,
  { truth, rival, level }: { truth: Differing; rival: Differing; level: number },
): number {
  const [truePassed, trueFailed] = [
    binomial(passed, truth.ofPassed),
    binomial(failed, truth.ofFailed),
  ] as const;
  const [rivalPassed, rivalFailed] = [
    binomial(passed, rival.ofPassed),
    binomial(failed, rival.ofFailed),
  ] as const;
  const results: { chance: number; rivals: number }[] = [];
  for (const [i, ofPassed] of truePassed.entries()) {
    if (ofPassed < NEGLIGIBLE) continue;
    for (const [j, ofFailed] of trueFailed.entries())
      if (ofPassed * ofFailed >= NEGLIGIBLE)
        results.push({
          chance: ofPassed * ofFailed,
          rivals: (rivalPassed[i] as number) * (rivalFailed[j] as number),
        });
  }
  results.sort((a, b) => b.chance * a.rivals - a.chance * b.rivals);
  let [left, power] = [level, 0];
  for (const { chance, rivals } of results) {
    if (rivals > left) return power + (chance * left) / rivals;
    left -= rivals;
    power += chance;
  }
  return power;
}

/** Returns the probabilities of each number of `count` independent events. */
function binomial(count: number, chance: number): number[] {
  const chances = [(1 - chance) ** count];
  if (chance >= 1) return Array.from({ length: count + 1 }, (_, events) => Number(events === count));
  for (let events = 0; events < count; events++)
    chances.push(((chances[events] as number) * (count - events) * chance) / ((events + 1) * (1 - chance)));
  return chances;
}
