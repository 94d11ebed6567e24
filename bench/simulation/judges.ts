import { type DrawnPair, judgeGate } from '../../src/evaluate/statistics/judge-gate.ts';
import { bisect } from '../../src/evaluate/statistics/bisect.ts';
import { kappaAt } from '../../src/evaluate/statistics/kappa-profile.ts';
import { mulberry32 } from '../../test/support/random.ts';

type Random = () => number;

/** Verdicts in which a judge errs: as often those that pass as those that fail, only those that pass, or only those that fail. */
export type Errors = 'both' | 'lenient' | 'strict';

export interface SimulatedJudge {
  kappa: number;
  /** Share that the judge lets fail. */
  failedShare: number;
  errors: Errors;
}

export interface SimulatedGate {
  minKappa: number;
  /** Verdicts of people, all of which are used by the first test. */
  verdicts: number;
  /** Share of the drawn that the judge failed; null for a draw without strata. */
  drawnFailed: number | null;
}

/** Shares of what a judge passes and fails on which people differ. */
export interface Differing {
  ofPassed: number;
  ofFailed: number;
}

/** Returns the share of gates that are valid. */
export function validShare(judge: SimulatedJudge, gate: SimulatedGate, samples: number): number {
  const random = mulberry32(11);
  const differing = differingOf(judge);
  const { minKappa, verdicts } = gate;
  let valid = 0;
  for (let sample = 0; sample < samples; sample++) {
    const drawn = draw(random, { judge, differing, gate });
    if (judgeGate(drawn, { minKappa, minAnnotations: verdicts, maxAgeDays: 90 }, 0).isValid) valid += 1;
  }
  return valid / samples;
}

function draw(
  random: Random,
  {
    judge: { failedShare },
    differing,
    gate: { verdicts, drawnFailed },
  }: { judge: SimulatedJudge; differing: Differing; gate: SimulatedGate },
): DrawnPair[] {
  const failed = drawnFailed === null ? null : Math.round(verdicts * drawnFailed);
  return Array.from({ length: verdicts }, (_, index): DrawnPair => {
    const passes = failed === null ? random() >= failedShare : index >= failed;
    const differs = random() < (passes ? differing.ofPassed : differing.ofFailed);
    const weight =
      failed === null
        ? 1
        : passes
          ? ((1 - failedShare) * verdicts) / (verdicts - failed)
          : (failedShare * verdicts) / failed;
    return { judge: passes, human: passes !== differs, at: 0, weight };
  });
}

/** Returns how often people differ from a judge with this kappa. */
export function differingOf({ kappa, failedShare, errors }: SimulatedJudge): Differing {
  const at = (size: number): Differing => ({
    ofPassed: errors === 'strict' ? 0 : errors === 'both' ? (size * failedShare) / (1 - failedShare) : size,
    ofFailed: errors === 'lenient' ? 0 : size,
  });
  return at(bisect((size) => -kappaAt(failedShare, at(size).ofPassed, at(size).ofFailed), -kappa, 0, 1));
}
