import { cohensKappa } from '../../evaluate/statistics/agreement.ts';
import { confusionOf } from '../../evaluate/statistics/judge-gate.ts';
import { fleissKappa, krippendorffAlpha } from '../../evaluate/statistics/krippendorff.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import type { Interval } from '../../evaluate/statistics/wilson.ts';
import type { Reliability } from './reliability-contract.ts';
import type { ReportedVerdicts } from './verdict-store.ts';

/** Most people who are shown; each two of them are compared. */
const MAX_PEOPLE = 20;

type ByTrace = ReportedVerdicts['byTrace'];

/** Computes how far people agree with each other, from the newest verdict of each person by trace. */
export function annotatorsOf(byTrace: ByTrace): Reliability['annotators'] {
  const shared = [...byTrace.values()].filter((verdicts) => verdicts.size >= 2);
  const people = mostActive(byTrace);
  // A person who is unsure gave no verdict that could agree.
  const counts = shared.map((verdicts) => {
    const sure = [...verdicts.values()].filter((verdict) => verdict !== 0.5);
    return { passed: sure.filter((verdict) => verdict === 1).length, count: sure.length };
  });
  const [alpha, fleiss] = [krippendorffAlpha(counts, reach(0.95)), fleissKappa(counts, reach(0.95))];
  return {
    traces: shared.length,
    alpha: alpha && { value: settled(alpha.alpha), ...settledInterval(alpha) },
    fleissKappa: fleiss && { value: settled(fleiss.kappa), ...settledInterval(fleiss) },
    people: people.map((annotatorId) => personOf(annotatorId, byTrace)),
    pairs: people.flatMap((first, index) =>
      people.slice(index + 1).flatMap((second) => pairOf(first, second, byTrace) ?? []),
    ),
  };
}

/** Returns the people with the most verdicts, most first. */
function mostActive(byTrace: ByTrace): string[] {
  const counts = new Map<string, number>();
  for (const verdicts of byTrace.values())
    for (const annotatorId of verdicts.keys()) counts.set(annotatorId, (counts.get(annotatorId) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_PEOPLE)
    .map(([annotatorId]) => annotatorId);
}

function personOf(annotatorId: string, byTrace: ByTrace): Reliability['annotators']['people'][number] {
  const judged = [...byTrace.values()].filter((verdicts) => verdicts.has(annotatorId));
  const own = judged.map((verdicts) => verdicts.get(annotatorId) as number);
  const differences = judged.flatMap((verdicts) => {
    if (verdicts.size < 2) return [];
    const others = [...verdicts].filter(([other]) => other !== annotatorId).map(([, verdict]) => verdict);
    return (verdicts.get(annotatorId) as number) - mean(others);
  });
  return {
    annotatorId,
    verdicts: own.length,
    passRate: percent(mean(own)),
    shared: differences.length,
    bias: differences.length === 0 ? null : settled(100 * mean(differences)),
  };
}

/** Compares two people on the traces that both judged and neither was unsure about; undefined if there are none. */
function pairOf(
  first: string,
  second: string,
  byTrace: ByTrace,
): Reliability['annotators']['pairs'][number] | undefined {
  const pairs = [...byTrace.values()].flatMap((verdicts) => {
    const [one, other] = [verdicts.get(first), verdicts.get(second)];
    if (one === undefined || other === undefined || one === 0.5 || other === 0.5) return [];
    return { judge: one === 1, human: other === 1 };
  });
  if (pairs.length === 0) return undefined;
  const found = cohensKappa(confusionOf(pairs), reach(0.95));
  return {
    annotatorIds: [first, second],
    traces: pairs.length,
    agreed: pairs.filter(({ judge, human }) => judge === human).length,
    kappa: found && settled(found.kappa),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const settledInterval = ({ low, high }: Interval): Interval => ({ low: settled(low), high: settled(high) });
