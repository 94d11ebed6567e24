import type { Database } from '../../storage/database.ts';
import { type IndexedExample, loadExamples } from './result-index.ts';
import { defaultOrder } from './result-order.ts';
import { type DefinitionCount, definitionCounts } from './result-definitions.ts';
import { type LoadedSide, versionOf } from './result-sides.ts';

/** The results of one version of the sides. */
export interface ResultIndex {
  /** Examples in the default order. */
  examples: readonly IndexedExample[];
  /** Verdicts by evaluator, of the last side. */
  definitions: readonly DefinitionCount[];
  /** Ids of the evaluators of all sides. */
  definitionIds: readonly string[];
  /** Examples that match the last filter: an export reads them page by page. */
  filtered: { key: string; examples: readonly IndexedExample[] } | null;
}

/** Most results that one reader keeps: an example has one on each side. */
const MAX_RESULTS = 500_000;

/** Kept results by version, those that were used last at the end. */
const kept = new Map<string, ResultIndex>();

const sizeOf = ({ examples }: ResultIndex): number => 1 + examples.length * (examples[0]?.sides.length ?? 1);

/** Returns the results of sides, which a reader keeps until they change or others need the space. */
export function resultIndexOf(
  database: Database,
  application: number,
  sides: readonly LoadedSide[],
): ResultIndex {
  const version = `${application} ${versionOf(database, application, sides)}`;
  const found = kept.get(version) ?? loadIndex(database, application, sides);
  kept.delete(version);
  if (sizeOf(found) <= MAX_RESULTS) kept.set(version, found);
  let total = [...kept.values()].reduce((sum, index) => sum + sizeOf(index), 0);
  for (const [oldest, index] of kept) {
    if (total <= MAX_RESULTS) break;
    kept.delete(oldest);
    total -= sizeOf(index);
  }
  return found;
}

function loadIndex(database: Database, application: number, sides: readonly LoadedSide[]): ResultIndex {
  const examples = defaultOrder(loadExamples(database, application, sides));
  const counts = sides.map(({ runIds }) => definitionCounts(database, { application, runIds }));
  const definitionIds = [...new Set(counts.flat().map(({ id }) => id))];
  return { examples, definitions: counts.at(-1) ?? [], definitionIds, filtered: null };
}
