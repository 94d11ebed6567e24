import type { Interval } from './wilson.ts';

/** Confusion matrix of a judge's verdicts and those of people, which count as the truth. Positive means passed. */
export interface Confusion {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
}

/** Number of verdicts of each kind that are added for the interval of kappa. */
const ADDED = 1;

/**
 * Computes Cohen's kappa, the agreement beyond chance from −1 to 1, and its interval; null when it is undefined
 * because both sides passed everything or nothing. J. Cohen, "A coefficient of agreement for nominal scales",
 * Educational and Psychological Measurement 20 (1960) 37–46. The interval is that of J. L. Fleiss, J. Cohen, B. S.
 * Everitt, "Large sample standard errors of kappa and weighted kappa", Psychological Bulletin 72 (1969) 323–327, with
 * one verdict of each kind added, as A. Agresti and B. Caffo do for proportions (The American Statistician 54 (2000)
 * 280–288). Without them, the interval would be far too narrow for few verdicts that agree.
 */
export function cohensKappa(confusion: Confusion, z: number): ({ kappa: number } & Interval) | null {
  const seen = kappaOf(confusion);
  const padded = kappaOf({
    truePositives: confusion.truePositives + ADDED,
    falsePositives: confusion.falsePositives + ADDED,
    falseNegatives: confusion.falseNegatives + ADDED,
    trueNegatives: confusion.trueNegatives + ADDED,
  });
  if (seen === null || padded === null) return null;
  const { kappa, error } = padded;
  return { kappa: seen.kappa, low: Math.max(-1, kappa - z * error), high: Math.min(1, kappa + z * error) };
}

/** Computes kappa and its standard error in large samples. */
export function kappaOf(confusion: Confusion): { kappa: number; error: number } | null {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  const count = verdictsIn(confusion);
  // Shares of the verdicts; the first letter is the judge's.
  const [pp, pf] = [truePositives / count, falsePositives / count] as const;
  const [fp, ff] = [falseNegatives / count, trueNegatives / count] as const;
  const [judgePass, judgeFail, humanPass, humanFail] = [pp + pf, fp + ff, pp + fp, pf + ff] as const;
  const agreed = pp + ff;
  const byChance = judgePass * humanPass + judgeFail * humanFail;
  if (count === 0 || byChance >= 1) return null;
  const kappa = (agreed - byChance) / (1 - byChance);
  const rest = 1 - kappa;
  const onDiagonal =
    pp * (1 - (judgePass + humanPass) * rest) ** 2 + ff * (1 - (judgeFail + humanFail) * rest) ** 2;
  const offDiagonal = rest ** 2 * (pf * (humanPass + judgeFail) ** 2 + fp * (humanFail + judgePass) ** 2);
  const centre = (kappa - byChance * rest) ** 2;
  const variance = (onDiagonal + offDiagonal - centre) / ((1 - byChance) ** 2 * count);
  return { kappa, error: Math.sqrt(Math.max(variance, 0)) };
}

export const verdictsIn = ({
  truePositives,
  falsePositives,
  falseNegatives,
  trueNegatives,
}: Confusion): number => truePositives + falsePositives + falseNegatives + trueNegatives;
