/** Points of a loss that a run should be able to show. */
export const WANTED_LOSS = 10;

/** Standard errors by which a loss must exceed zero to be shown in 8 of 10 cases, with 95 % confidence. */
const SURE = 1.96 + 0.84;

/**
 * Returns about the smallest loss, in percentage points, that a run of so many examples shows in 8 of 10 cases against one of
 * the same size, if as many pass as last time.
 */
export function smallestShownLoss(
  examples: number,
  last: { passed: number; counted: number } | null,
): number {
  const { passed, counted } = last ?? { passed: 0, counted: 0 };
  const share = counted === 0 ? 0.5 : (passed + 1) / (counted + 2);
  return Math.min(100, 100 * SURE * Math.sqrt((2 * share * (1 - share)) / Math.max(examples, 1)));
}

/** Returns about the number of examples that show the wanted loss in 8 of 10 cases. */
export function examplesForLoss(last: { passed: number; counted: number } | null): number {
  const needed = (smallestShownLoss(1_000_000, last) / WANTED_LOSS) ** 2 * 1_000_000;
  const step = needed > 100 ? 50 : 10;
  return Math.ceil(needed / step) * step;
}

export interface JudgeCosts {
  /** Evaluators that call a model for each test. */
  judges: number;
  /** Cost of a test in US dollars; null if the cost of a judge is unknown. */
  perTest: number | null;
}

/** Returns what the evaluators of a task cost for each test, by the mean of their verdicts until now. */
export function forecastJudgeCosts(
  evaluators: readonly { id: string; isJudged: boolean }[],
  costs: readonly {
    evalDefinitionId: string | null;
    evals: number;
    cost: number | null;
    unpricedEvals: number;
  }[],
): JudgeCosts {
  const judged = evaluators.filter(({ isJudged }) => isJudged);
  let perTest: number | null = 0;
  for (const { id } of judged) {
    const known = costs.find(({ evalDefinitionId }) => evalDefinitionId === id);
    const priced = known === undefined ? 0 : known.evals - known.unpricedEvals;
    if (known?.cost == null || priced === 0) perTest = null;
    else if (perTest !== null) perTest += known.cost / priced;
  }
  return { judges: judged.length, perTest };
}
