import type { SeenShare } from './independent-difference.ts';
import type { Interval } from './wilson.ts';

export interface Corrected extends Interval {
  share: number;
  /** True if the corrected share was outside 0 to 1 and was limited to that range. */
  isClamped: boolean;
}

/** Share that passed by a judge, and the judge's error rates. The three come from disjoint samples. */
export interface Judged {
  /** Share of all subjects that passed by the judge. */
  passed: SeenShare;
  /** Share that passed by the judge, of those that passed by people. */
  truePositives: SeenShare;
  /** Share that failed by the judge, of those that failed by people. */
  trueNegatives: SeenShare;
}

/**
 * Estimates the share that would pass if people judged everything. The rates of true positives and true negatives
 * must have a sum above 1. W. J. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test",
 * American Journal of Epidemiology 107 (1978) 71–76. The interval is that of Zs. Lang, J. Reiczigel, "Confidence
 * limits for prevalence of disease adjusted for estimated sensitivity and specificity", Preventive Veterinary
 * Medicine 113 (2014) 13–22, widened where it does not contain the share, because the correction for few verdicts may
 * exclude it. The interval is 0 to 1 when the rates are uninformative.
 */
export function correctedShare({ passed, truePositives, trueNegatives }: Judged, z: number): Corrected {
  const share = roganGladen(passed.share, truePositives.share, trueNegatives.share);
  const [low, high] = bounds({ passed, truePositives, trueNegatives }, z);
  return {
    share: clamp(share),
    low: clamp(Math.min(low, share)),
    high: clamp(Math.max(high, share)),
    isClamped: share !== clamp(share),
  };
}

function bounds({ passed, truePositives, trueNegatives }: Judged, z: number): [low: number, high: number] {
  const [p, n] = added(passed, (z * z) / 2);
  const [tp, positives] = added(truePositives, 1);
  const [tn, negatives] = added(trueNegatives, 1);
  if (tp + tn <= 1) return [0, 1];
  const centre = roganGladen(p, tp, tn);
  const [tpVariance, tnVariance] = [(tp * (1 - tp)) / positives, (tn * (1 - tn)) / negatives];
  const moved = centre + 2 * z * z * (centre * tpVariance - (1 - centre) * tnVariance);
  const variance = (p * (1 - p)) / n + centre ** 2 * tpVariance + (1 - centre) ** 2 * tnVariance;
  const half = (z * Math.sqrt(variance)) / (tp + tn - 1);
  return [moved - half, moved + half];
}

const roganGladen = (passed: number, tp: number, tn: number): number => (passed + tn - 1) / (tp + tn - 1);

/** Returns a share and its number with `half` successes and `half` failures added. */
const added = ({ share, count }: SeenShare, half: number): [share: number, count: number] => [
  (share * count + half) / (count + 2 * half),
  count + 2 * half,
];

const clamp = (share: number): number => Math.min(Math.max(share, 0), 1);
