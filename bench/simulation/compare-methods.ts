import { seededRandom } from '../seeded.ts';
import { exclusions, type Method, METHODS } from './comparison-methods.ts';
import { type ComparedDesign, drawPairs, sizesOf, trueDifference } from './compared-tasks.ts';

/** Shares of samples, 0 to 1. */
export interface MethodResult {
  /** Those in which the candidate is found to be worse. */
  worse: number;
  /** Those whose interval contains the true difference. */
  held: number;
}

/** Simulates comparisons, and returns what each method finds. The same seed gives the same result. */
export function compareMethods(
  design: ComparedDesign,
  { samples, seed = 1 }: { samples: number; seed?: number },
): Record<Method, MethodResult> {
  const random = seededRandom(seed);
  const sizes = sizesOf(design);
  const truth = trueDifference(design);
  const results = Object.fromEntries(METHODS.map((method) => [method, { worse: 0, held: 0 }])) as Record<
    Method,
    MethodResult
  >;
  for (let i = 0; i < samples; i++) {
    const drawn = drawPairs(random, design, sizes);
    const isLoss = drawn.differences.reduce((sum, one) => sum + one, 0) < 0;
    const [ofNone, ofTruth] = [exclusions(drawn, 0), exclusions(drawn, truth)] as const;
    for (const method of METHODS) {
      if (isLoss && ofNone[method]) results[method].worse += 1 / samples;
      if (!ofTruth[method]) results[method].held += 1 / samples;
    }
  }
  return results;
}
