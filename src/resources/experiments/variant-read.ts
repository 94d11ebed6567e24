import { isoTime } from '../../contract/values.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { NO_RESULT, resultsOf } from '../../evaluate/results.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import { type ConfigNode, mergedConfigs } from './config.ts';
import type { CountedPagination } from './contract.ts';
import { getExperiment } from './store.ts';
import type { Config, Variant, VariantsQuery } from './variant-contract.ts';
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

type Row = Pick<Variant, 'id' | 'experimentId' | 'title' | 'description' | 'status' | 'parentId'> & {
  configPatch: string;
  createdAt: number;
  modifiedAt: number;
};
const COLUMNS = `id, experiment_id AS experimentId, title, description, status, parent_id AS parentId,
  config_patch AS configPatch, created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  title: 'title',
  status: 'status',
  id: 'id',
};

/** Throws `not_found` of the experiment or the variant. */
export function getVariant(database: Database, { owner, experimentId, id }: VariantById): Variant {
  getExperiment(database, { owner, id: experimentId });
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM experiment_variant WHERE application = ? AND experiment_id = ? AND id = ?`,
    owner.application,
    experimentId,
    id,
  );
  if (!row) throw new AppError('not_found', 'variant not found');
  const [variant] = variantsOf(database, owner, experimentId, [row]);
  return variant as Variant;
}

/** Throws `not_found` of the experiment. */
export function listVariants(
  database: Database,
  { owner, experimentId, query }: { owner: Owner; experimentId: string; query: VariantsQuery },
): { data: Variant[]; pagination: CountedPagination } {
  getExperiment(database, { owner, id: experimentId });
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'experiment_variant',
    columns: COLUMNS,
    where: [{ sql: 'experiment_id = ?', values: [experimentId] }],
    order: ORDER,
    page: query,
  });
  return {
    data: variantsOf(database, owner, experimentId, rows),
    pagination: { ...pagination, totalCount: pagination.total },
  };
}

function variantsOf(
  database: Database,
  { application, orgId, applicationId }: Owner,
  experimentId: string,
  rows: readonly Row[],
): Variant[] {
  const configs = mergedConfigs(variantNodes(database, application, experimentId));
  const ids = rows.map(({ id }) => id);
  const results = resultsOf(database, { application, by: 'experiment_variant_id', ids });
  return rows.map((row) => ({
    ...row,
    orgId,
    applicationId,
    createdAt: isoTime(row.createdAt),
    modifiedAt: isoTime(row.modifiedAt),
    configPatch: JSON.parse(row.configPatch) as Config,
    config: configs.get(row.id) ?? {},
    result: results.get(row.id) ?? NO_RESULT,
    progress: progressOf(database, application, row.id),
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
