import type { SeenShare } from './independent-difference.ts';
import type { Interval } from './wilson.ts';

export interface Corrected extends Interval {
  share: number;
  /** The correction led out of 0 to 1, and was cut there. */
  isClamped: boolean;
}

/** Shares that a judge let pass, and its rates of error; the three come from disjoint samples. */
export interface Judged {
  /** Share of all subjects that passed. */
  passed: SeenShare;
  /** Share that the judge let pass, of those that people let pass. */
  truePositives: SeenShare;
  /** Share that the judge let fail, of those that people let fail. */
  trueNegatives: SeenShare;
}

/**
 * Estimates how much would pass if people judged everything. The rates of true positives and negatives together are
 * above 1. W. J. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test", American Journal of
 * Epidemiology 107 (1978) 71–76; the interval is that of Zs. Lang, J. Reiczigel, "Confidence limits for prevalence of
 * disease adjusted for estimated sensitivity and specificity", Preventive Veterinary Medicine 113 (2014) 13–22,
 * widened to contain the share where it does not: the correction for the rates of very few verdicts may move it that
 * far. It is 0 to 1 when these rates are uninformative.
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

/** A share and its number with `half` successes and as many failures more. */
const added = ({ share, count }: SeenShare, half: number): [share: number, count: number] => [
  (share * count + half) / (count + 2 * half),
  count + 2 * half,
];

const clamp = (share: number): number => Math.min(Math.max(share, 0), 1);
