import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { NO_RESULT, resultsOf } from '../../evaluate/results.ts';
import type { RecordOf } from '../../storage/record.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { type ConfigNode, mergedConfigs } from './config.ts';
import type { CountedPagination } from './contract.ts';
import { getExperiment } from './store.ts';
import type { Config, Variant, VariantsQuery } from './variant-contract.ts';
import { variants } from './variant-record.ts';
import { testsToStart } from './variant-start.ts';

export interface VariantById {
  owner: Owner;
  experimentId: string;
  id: string;
}

/** A variant as its place among the others and its settings tell. */
export interface VariantNode extends ConfigNode {
  /** Whether it has run, or runs. */
  hasRun: boolean;
}

/** All variants of an experiment. */
export function variantNodes(database: Database, application: number, experimentId: string): VariantNode[] {
  return database
    .all<{ id: string; parentId: string | null; configPatch: string; hasRun: number }>(
      `SELECT id, parent_id AS parentId, config_patch AS configPatch, started_at IS NOT NULL AS hasRun
       FROM experiment_variant WHERE application = ? AND experiment_id = ?`,
      application,
      experimentId,
    )
    .map(({ configPatch, hasRun, ...node }) => ({
      ...node,
      configPatch: JSON.parse(configPatch) as Config,
      hasRun: hasRun === 1,
    }));
}

/** Throws `not_found` of the experiment or the variant. */
export function getVariant(database: Database, { owner, experimentId, id }: VariantById): Variant {
  getExperiment(database, { owner, id: experimentId });
  const record = variants.get(database, owner, id);
  if (record.experimentId !== experimentId) throw new AppError('not_found', 'variant not found');
  return wholeVariants(database, owner, experimentId, [record])[0] as Variant;
}

/** Throws `not_found` of the experiment. */
export function listVariants(
  database: Database,
  { owner, experimentId, query }: { owner: Owner; experimentId: string; query: VariantsQuery },
): { data: Variant[]; pagination: CountedPagination } {
  getExperiment(database, { owner, id: experimentId });
  const within = { sql: 'experiment_id = ?', values: [experimentId] };
  const { data, pagination } = variants.list(database, owner, { where: [within], page: query });
  return {
    data: wholeVariants(database, owner, experimentId, data),
    pagination: { ...pagination, totalCount: pagination.total },
  };
}

/** Variants as the API shows them, in the order of their records. */
function wholeVariants(
  database: Database,
  { application }: Owner,
  experimentId: string,
  records: readonly RecordOf<typeof variants>[],
): Variant[] {
  const configs = mergedConfigs(variantNodes(database, application, experimentId));
  const ids = records.map(({ id }) => id);
  const results = resultsOf(database, { application, by: 'experiment_variant_id', ids });
  return records.map((record) => ({
    ...record,
    config: configs.get(record.id) ?? {},
    result: results.get(record.id) ?? NO_RESULT,
    progress: progressOf(database, application, record.id),
  }));
}

function progressOf(database: Database, application: number, id: string): Variant['progress'] {
  const { completed, total } = database.get<Variant['progress']>(
    `SELECT count(*) FILTER (WHERE status IN ('COMPLETED', 'FAILED')) AS completed, count(*) AS total
     FROM test WHERE application = ? AND experiment_variant_id = ?`,
    application,
    id,
  ) as Variant['progress'];
  return { completed, total: total + testsToStart(database, { application, id }) };
}
