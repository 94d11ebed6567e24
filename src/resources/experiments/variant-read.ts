import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { rateIntervalsOf } from '../../evaluate/rate-intervals.ts';
import { NO_RESULT, resultsOf } from '../../evaluate/results.ts';
import type { RecordOf } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { each } from '../../storage/dialect.ts';
import { type ConfigNode, mergedConfigs } from './config.ts';
import type { PaginationWithCount } from '../../contract/paging.ts';
import { shownOrNull } from '../tests/rate-interval.ts';
import { experiments } from './record.ts';
import type { Variant, VariantsQuery } from './variant-contract.ts';
import { variants } from './variant-record.ts';

export interface VariantById {
  owner: Owner;
  experimentId: string;
  id: string;
}

/** A variant with its place in the tree and its settings. */
export interface VariantNode extends ConfigNode {
  /** True if it has run or is running. */
  hasRun: boolean;
}

/** Returns all variants of an experiment. */
export const variantNodes = (database: Database, application: number, experimentId: string): VariantNode[] =>
  nodes
    .all(database, application, 'experiment_id = :experimentId', { experimentId })
    .map(({ startedAt, ...node }) => ({ ...node, hasRun: startedAt !== null }));

const nodes = variants.pick('id', 'parentId', 'configPatch', 'startedAt');

/** Returns a variant. Throws `not_found` for the experiment or the variant. */
export function getVariant(database: Database, { owner, experimentId, id }: VariantById): Variant {
  experiments.get(database, { owner, id: experimentId });
  const record = variants.get(database, { owner, id });
  if (record.experimentId !== experimentId) throw new AppError('not_found', 'variant not found');
  return wholeVariants(database, owner, experimentId, [record])[0] as Variant;
}

/** Returns the variants of an experiment; throws `not_found` for the experiment. */
export function listVariants(
  database: Database,
  { owner, experimentId, query }: { owner: Owner; experimentId: string; query: VariantsQuery },
): { data: Variant[]; pagination: PaginationWithCount } {
  experiments.get(database, { owner, id: experimentId });
  const within = { sql: 'experiment_id = ?', values: [experimentId] };
  const { data, pagination } = variants.list(database, owner, { where: [within], page: query });
  return {
    data: wholeVariants(database, owner, experimentId, data),
    pagination: { ...pagination, totalCount: pagination.total },
  };
}

/** Returns variants as the API shows them, in the order of their rows. */
function wholeVariants(
  database: Database,
  { application }: Owner,
  experimentId: string,
  records: readonly RecordOf<typeof variants>[],
): Variant[] {
  const configs = mergedConfigs(variantNodes(database, application, experimentId));
  const ids = records.map(({ id }) => id);
  const tests = { application, by: 'experiment_variant_id', ids } as const;
  const results = resultsOf(database, tests);
  const intervals = rateIntervalsOf(database, tests);
  const progress = progressOf(database, application, ids);
  return records.map((record) => ({
    ...record,
    config: configs.get(record.id) ?? {},
    result: results.get(record.id) ?? NO_RESULT,
    passRateInterval: shownOrNull(intervals.get(record.id)),
    progress: progress.get(record.id) ?? { completed: 0, total: 0 },
  }));
}

/** Returns the numbers of tests of each variant, including those still to be started. */
function progressOf(
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, Variant['progress']> {
  const rows = database.all<Variant['progress'] & { id: string }>(
    `SELECT value AS id, (
         SELECT count(*) FROM test WHERE application = :application AND experiment_variant_id = value
           AND status IN ('COMPLETED', 'FAILED')) AS completed, (
         SELECT count(*) FROM test WHERE application = :application AND experiment_variant_id = value) + coalesce((
         SELECT remaining FROM variant_start WHERE application = :application AND variant_id = value), 0) AS total
     FROM ${each(':ids')}`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, ...progress }) => [id, progress]));
}
