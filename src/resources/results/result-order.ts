import { CHANGES, type Change, type ResultsQuery } from './contract.ts';
import { type IndexedExample, type IndexedSide, rankOf } from './result-index.ts';

/** Returns the side that outcomes and causes are about. */
export const lastSide = ({ sides }: IndexedExample): IndexedSide | null => sides.at(-1) ?? null;

const CHANGE_RANK = new Map<Change, number>(CHANGES.map((change, rank) => [change, rank]));

const changeRank = ({ change }: IndexedExample): number =>
  change === null ? 0 : (CHANGE_RANK.get(change) as number);

/** Counts examples by the cause of the last side. */
export function causeCounts(examples: readonly IndexedExample[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const example of examples) {
    const key = lastSide(example)?.causeKey;
    if (key != null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Orders examples by the outcome that needs attention most, then by how common their cause is, then by their place in the task. */
export function defaultOrder(examples: readonly IndexedExample[]): IndexedExample[] {
  const counts = causeCounts(examples);
  const keyed = examples.map((example) => {
    const side = lastSide(example);
    const causeKey = side?.causeKey ?? '';
    return {
      example,
      rank: side === null ? CHANGES.length : rankOf(side.outcome),
      count: counts.get(causeKey) ?? 0,
      causeKey,
    };
  });
  keyed.sort(
    (a, b) =>
      a.rank - b.rank ||
      b.count - a.count ||
      compareText(a.causeKey, b.causeKey) ||
      byPlace(a.example, b.example),
  );
  return keyed.map(({ example }) => example);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byPlace = (a: IndexedExample, b: IndexedExample): number =>
  compareText(a.taskId, b.taskId) ||
  (a.exampleIndex ?? Number.MAX_SAFE_INTEGER) - (b.exampleIndex ?? Number.MAX_SAFE_INTEGER) ||
  compareText(a.exampleId ?? '', b.exampleId ?? '');

/** Orders examples that are in the default order. Those without a value are last. */
export function ordered(
  examples: readonly IndexedExample[],
  { orderBy, orderDir }: Pick<ResultsQuery, 'orderBy' | 'orderDir'>,
): readonly IndexedExample[] {
  const isAscending = orderDir === 'asc';
  if (orderBy === 'outcome') return isAscending ? examples.toReversed() : examples;
  if (orderBy === 'result') {
    const byChange = examples.toSorted((a, b) => changeRank(a) - changeRank(b));
    return isAscending ? byChange.toReversed() : byChange;
  }
  if (orderBy === 'example') return examples.toSorted(isAscending ? byPlace : (a, b) => byPlace(b, a));
  const valueOf = (example: IndexedExample): number | null => lastSide(example)?.[orderBy] ?? null;
  const sign = isAscending ? 1 : -1;
  return examples.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}
