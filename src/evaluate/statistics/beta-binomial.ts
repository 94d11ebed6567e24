/** Tests of examples: number of examples and of tests of each, how many pass, and how alike those of one example are. */
export interface TestsOfExamples {
  examples: number;
  repeats: number;
  /** Share of tests that pass, 0 to 1. */
  share: number;
  /** Correlation of two tests of one example, 0 to 1. */
  correlation: number;
}

/**
 * Computes the probabilities that 0, 1, 2, … of all tests pass, when the number of each example has the beta-binomial
 * distribution. N. L. Johnson, S. Kotz, "Urn Models and Their Application" (1977), chapter 4.
 */
export function probabilitiesOfPassed({ examples, ...example }: TestsOfExamples): Float64Array {
  let all: Float64Array = Float64Array.of(1);
  let doubled: Float64Array = ofOneExample(example);
  for (let rest = examples; rest > 0; rest >>= 1) {
    if (rest % 2 === 1) all = convolved(all, doubled);
    if (rest > 1) doubled = convolved(doubled, doubled);
  }
  return all;
}

/** Draws from Pólya's urn: each result makes the same one more likely. */
function ofOneExample({ repeats, share, correlation }: Omit<TestsOfExamples, 'examples'>): Float64Array {
  const chances = new Float64Array(repeats + 1);
  if (correlation === 1) {
    chances[0] = 1 - share;
    chances[repeats] = share;
    return chances;
  }
  const weight = correlation === 0 ? Number.POSITIVE_INFINITY : 1 / correlation - 1;
  chances[0] = 1;
  for (let tests = 0; tests < repeats; tests++)
    for (let passed = tests; passed >= 0; passed--) {
      const next = weight === Number.POSITIVE_INFINITY ? share : (share * weight + passed) / (weight + tests);
      const chance = chances[passed] as number;
      chances[passed + 1] = (chances[passed + 1] as number) + chance * next;
      chances[passed] = chance * (1 - next);
    }
  return chances;
}

function convolved(a: Float64Array, b: Float64Array): Float64Array {
  const result = new Float64Array(a.length + b.length - 1);
  for (let i = 0; i < a.length; i++) {
    const chance = a[i] as number;
    if (chance === 0) continue;
    for (let j = 0; j < b.length; j++) result[i + j] = (result[i + j] as number) + chance * (b[j] as number);
  }
  return result;
}
