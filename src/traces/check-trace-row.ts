/** Compares the row of a trace, and the pairs by which lists find it, with its spans. */
import type { Database } from '../storage/database.ts';
import { workOutTrace } from './refresh.ts';
import type { SpanSums } from './span.ts';
import { type ReportFault, faultAdder, type VerifiedTrace } from './verify.ts';

/** Sums of doubles differ by the order in which they were added. */
const COST_SHARE = 1e-9;

interface SumsRow {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  cost: number;
  attributes: string;
  isDue: number;
}

/**
 * Compares the facets of a trace, and its tokens and cost if its blocks are complete: else the row has the only ones. A trace
 * that is due for maintenance has them later.
 */
export function checkTraceRow(
  database: Database,
  trace: VerifiedTrace,
  { report, isComplete }: { report: ReportFault; isComplete: boolean },
): void {
  const { application, tkey } = trace;
  const addFault = faultAdder(trace, report);
  const row = database.get<SumsRow>(
    `SELECT input_tokens AS "inputTokens", output_tokens AS "outputTokens", total_tokens AS "totalTokens",
       cache_read_tokens AS "cacheReadTokens", cache_write_tokens AS "cacheWriteTokens",
       reasoning_tokens AS "reasoningTokens", cost, attributes,
       EXISTS (SELECT 1 FROM rewrite WHERE rewrite.tkey = trace.tkey)
         OR EXISTS (SELECT 1 FROM refresh WHERE refresh.tkey = trace.tkey) AS "isDue"
     FROM trace WHERE application = :application AND tkey = :tkey`,
    { application, tkey },
  );
  if (!row) return;
  const pairs = pairsOf(row.attributes);
  if (pairs === null) addFault('the facets of its row are not JSON');
  for (const [key, value] of missingFacets(database, trace, pairs ?? []))
    addFault(`the facet ${key.slice(0, 100)} = ${value.slice(0, 100)} of its row is not indexed`, true);
  if (row.isDue || !isComplete) return;
  try {
    const sums = workOutTrace(database, { tkey })?.sums;
    const wrong = sums && differing(row, sums);
    if (wrong) addFault(`its row has ${row[wrong]} for ${wrong}, and its spans have ${sums[wrong]}`, true);
  } catch (error) {
    addFault(`its sums cannot be computed (${(error as Error).message})`);
  }
}

const NAMES = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'cost',
] as const satisfies readonly (keyof SpanSums)[];

const differing = (row: SumsRow, sums: SpanSums): (typeof NAMES)[number] | undefined =>
  NAMES.find((name) =>
    name === 'cost'
      ? Math.abs(row.cost - sums.cost) > COST_SHARE * Math.max(1, Math.abs(sums.cost))
      : row[name] !== sums[name],
  );

type Facet = readonly [key: string, value: string];

/** Returns the pairs of a row; null if they are damaged. */
export function pairsOf(attributes: string): Facet[] | null {
  try {
    return JSON.parse(attributes) as Facet[];
  } catch {
    return null;
  }
}

/** Returns those of the pairs of a trace that have no entry in the index. */
export const missingFacets = (
  database: Database,
  { application, tkey }: Pick<VerifiedTrace, 'application' | 'tkey'>,
  pairs: readonly Facet[],
): Facet[] =>
  pairs.filter(
    ([key, value]) =>
      database.get(
        'SELECT 1 FROM trace_attr WHERE application = :application AND key = :key AND value = :value AND tkey = :tkey',
        { application, key, value, tkey },
      ) === undefined,
  );

export interface IndexedFacet {
  application: number;
  key: string;
  value: string;
  tkey: number;
}

/** Returns a page of the index of facets after an entry, with whether the row of its trace has it. */
export function facetPage(
  database: Database,
  { after, limit }: { after: IndexedFacet | null; limit: number },
): (IndexedFacet & { isKnown: boolean })[] {
  const { application, key, value, tkey } = after ?? { application: -1, key: '', value: '', tkey: 0 };
  return database
    .all<IndexedFacet & { attributes: string | null }>(
      `SELECT facet.application, facet.key, facet.value, facet.tkey, attributes FROM trace_attr AS facet
       LEFT JOIN trace ON trace.tkey = facet.tkey AND trace.application = facet.application
       WHERE (facet.application, facet.key, facet.value, facet.tkey) > (:application, :key, :value, :tkey)
       ORDER BY facet.application, facet.key, facet.value, facet.tkey LIMIT :limit`,
      { application, key, value, tkey, limit },
    )
    .map(({ attributes, ...facet }) => ({
      ...facet,
      isKnown: attributes?.includes(JSON.stringify([facet.key, facet.value])) === true,
    }));
}

/** Removes an entry of the index of facets. */
export const removeFacet = (database: Database, { application, key, value, tkey }: IndexedFacet): void =>
  void database.run(
    'DELETE FROM trace_attr WHERE application = :application AND key = :key AND value = :value AND tkey = :tkey',
    { application, key, value, tkey },
  );
