import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database, SqlValue } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { requireRows } from '../require-rows.ts';
import { withGiven } from '../with-given.ts';
import type {
  CountedPagination,
  Experiment,
  ExperimentChanges,
  ExperimentFields,
  ExperimentsQuery,
} from './contract.ts';
import { EXPERIMENT_BY_HAND, EXPERIMENT_STATUSES, type ExperimentStatus, experimentAfter } from './states.ts';
import { firstForeignStep } from './steps.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** Throws `not_found` of a task or a step. */
function createExperiment(
  database: Database,
  { owner, id, fields, at }: ById & { fields: ExperimentFields; at: number },
): Experiment {
  requireReferences(database, owner.application, fields);
  database.run(
    `INSERT INTO experiment (title, description, inference_step_ids, task_ids, assignee, status, id, application,
       created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
    ...columnsOf(fields),
    'DRAFT' satisfies ExperimentStatus,
    id,
    owner.application,
    at,
  );
  return getExperiment(database, { owner, id });
}

/** Throws `not_found` of the experiment, a task or a step, and `conflict`. */
function updateExperiment(
  database: Database,
  { owner, id, given: { status, ...given }, at }: ById & { given: ExperimentChanges; at: number },
): Experiment {
  const { application } = owner;
  const before = getExperiment(database, { owner, id });
  const fields = withGiven<ExperimentFields>(before, given);
  requireReferences(database, application, given);
  refuseLocked(database, application, before, fields);
  database.run(
    `UPDATE experiment SET title = ?, description = ?, inference_step_ids = ?, task_ids = ?, assignee = ?, status = ?,
       modified_at = ?
     WHERE application = ? AND id = ?`,
    ...columnsOf(fields),
    statusByHand(before.status, status ?? before.status),
    at,
    application,
    id,
  );
  return getExperiment(database, { owner, id });
}

/** In the order in which both statements name them. */
const columnsOf = (fields: ExperimentFields): SqlValue[] => [
  fields.title,
  fields.description,
  JSON.stringify([...new Set(fields.inferenceStepIds)]),
  JSON.stringify([...new Set(fields.taskIds)]),
  fields.assignee,
];

function requireReferences(
  database: Database,
  application: number,
  { taskIds = [], inferenceStepIds = [] }: Pick<ExperimentChanges, 'taskIds' | 'inferenceStepIds'>,
): void {
  requireRows(database, application, 'task', taskIds);
  requireRows(database, application, 'inference_step', inferenceStepIds);
}

/** In these the baseline has never run. */
const BEFORE_BASELINE: ReadonlySet<ExperimentStatus> = new Set(['DRAFT', 'BASELINE_PENDING']);

/** All results of an experiment are of the same tasks, and its variants change the settings of its own steps only. */
function refuseLocked(
  database: Database,
  application: number,
  before: Experiment,
  after: ExperimentFields,
): void {
  if (!BEFORE_BASELINE.has(before.status) && !isSameSet(before.taskIds, after.taskIds))
    throw new AppError('conflict', 'taskIds stay as they are once the baseline has run');
  if (isSameSet(before.inferenceStepIds, after.inferenceStepIds)) return;
  const foreign = firstForeignStep(database, application, {
    id: before.id,
    inferenceStepIds: after.inferenceStepIds,
  });
  if (foreign !== null)
    throw new AppError(
      'conflict',
      `A variant changes the step ${foreign}, which inferenceStepIds leaves out`,
    );
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;

/** Throws `conflict`. */
function statusByHand(before: ExperimentStatus, wanted: ExperimentStatus): ExperimentStatus {
  if (wanted === before) return before;
  const event = EXPERIMENT_BY_HAND[wanted];
  if (!event) throw new AppError('conflict', `${wanted} follows from the variants and is not set by hand`);
  return experimentAfter(before, event);
}

interface Row extends Pick<Experiment, 'id' | 'title' | 'description' | 'status' | 'assignee'> {
  inferenceStepIds: string;
  taskIds: string;
  createdAt: number;
  modifiedAt: number;
}
const COLUMNS = `id, title, description, status, inference_step_ids AS inferenceStepIds, task_ids AS taskIds, assignee,
  created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  title: 'title',
  status: 'status',
  // Nobody comes last in both directions.
  assignee: 'assignee IS NULL, assignee',
  id: 'id',
};

/** Throws `not_found`. */
export function getExperiment(database: Database, { owner, id }: ById): Experiment {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM experiment WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'experiment not found');
  return experimentOf(row, owner);
}

function listExperiments(
  database: Database,
  { owner, query }: { owner: Owner; query: ExperimentsQuery },
): { data: Experiment[]; pagination: CountedPagination } {
  const { status = EXPERIMENT_STATUSES, excludeStatus = [], ...page } = query;
  const wanted = status.filter((name) => !excludeStatus.includes(name));
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'experiment',
    columns: COLUMNS,
    where: [oneOf('status', wanted)],
    order: ORDER,
    page,
  });
  return {
    data: rows.map((row) => experimentOf(row, owner)),
    pagination: { ...pagination, totalCount: pagination.total },
  };
}

const experimentOf = (row: Row, { orgId, applicationId }: Owner): Experiment => ({
  ...row,
  orgId,
  applicationId,
  inferenceStepIds: JSON.parse(row.inferenceStepIds) as string[],
  taskIds: JSON.parse(row.taskIds) as string[],
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const experimentCommands = { createExperiment, updateExperiment };
export const experimentQueries = { getExperiment, listExperiments };
