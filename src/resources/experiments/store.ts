import { isOneOf } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { PaginationWithCount } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { Experiment, ExperimentChanges, ExperimentFields, ExperimentsQuery } from './contract.ts';
import { experiments } from './record.ts';
import { EXPERIMENT_BY_HAND, EXPERIMENT_STATUSES, type ExperimentStatus, experimentAfter } from './states.ts';
import { removeExperiment } from './remove-experiment.ts';
import { firstForeignStep } from './steps.ts';
import { inferenceSteps } from '../inference-steps/record.ts';
import { tasks } from '../tasks/record.ts';

/** Creates an experiment; throws `not_found` for a task or a step. */
function createExperiment(
  database: Database,
  { owner, id, fields, at }: ById & { fields: ExperimentFields; at: number },
): Experiment {
  requireReferences(database, owner.application, fields);
  const status: ExperimentStatus = 'DRAFT';
  experiments.insert(
    database,
    { application: owner.application, at },
    { ...fields, ...setsOf(fields), id, status },
  );
  return experiments.get(database, { owner, id });
}

/** Updates an experiment. Throws `not_found` for the experiment, a task or a step, and `conflict`. */
function updateExperiment(
  database: Database,
  { owner, id, given: { status, ...given }, at }: ById & { given: ExperimentChanges; at: number },
): Experiment {
  const { application } = owner;
  const before = experiments.get(database, { owner, id });
  const fields = applyPatch<ExperimentFields>(before, given);
  requireReferences(database, application, given);
  rejectLocked(database, application, before, fields);
  const changes = {
    ...given,
    ...setsOf(fields),
    status: statusByHand(before.status, status ?? before.status),
  };
  experiments.update(database, { application, id, at }, changes);
  return experiments.get(database, { owner, id });
}

/** Removes duplicates from the lists. */
const setsOf = ({ inferenceStepIds, taskIds }: ExperimentFields) => ({
  inferenceStepIds: [...new Set(inferenceStepIds)],
  taskIds: [...new Set(taskIds)],
});

function requireReferences(
  database: Database,
  application: number,
  { taskIds = [], inferenceStepIds = [] }: Pick<ExperimentChanges, 'taskIds' | 'inferenceStepIds'>,
): void {
  tasks.requireAll(database, application, taskIds);
  inferenceSteps.requireAll(database, application, inferenceStepIds);
}

/** Statuses in which the baseline has never run. */
const BEFORE_BASELINE: ReadonlySet<ExperimentStatus> = new Set(['DRAFT', 'BASELINE_PENDING']);

/**
 * Rejects changes that would mix results: all results of an experiment are of the same tasks, and its variants change
 * settings of its own steps only.
 */
function rejectLocked(
  database: Database,
  application: number,
  before: Experiment,
  after: ExperimentFields,
): void {
  if (!BEFORE_BASELINE.has(before.status) && !isSameSet(before.taskIds, after.taskIds))
    throw new AppError('conflict', 'taskIds cannot be changed after the baseline has run');
  if (isSameSet(before.inferenceStepIds, after.inferenceStepIds)) return;
  const foreign = firstForeignStep(database, application, {
    id: before.id,
    inferenceStepIds: after.inferenceStepIds,
  });
  if (foreign !== null)
    throw new AppError(
      'conflict',
      `A variant changes the step ${foreign}, which inferenceStepIds does not contain`,
    );
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;

/** Returns the status that a user may set; throws `conflict`. */
function statusByHand(before: ExperimentStatus, wanted: ExperimentStatus): ExperimentStatus {
  if (wanted === before) return before;
  const event = EXPERIMENT_BY_HAND[wanted];
  if (!event) throw new AppError('conflict', `${wanted} follows from the variants and cannot be set`);
  return experimentAfter(before, event);
}

// Experiments without an assignee are last in both directions.
const ORDER = { assignee: 'assignee IS NULL, assignee' };

function listExperiments(
  database: Database,
  { owner, query }: { owner: Owner; query: ExperimentsQuery },
): { data: Experiment[]; pagination: PaginationWithCount } {
  const { status = EXPERIMENT_STATUSES, excludeStatus = [], ...page } = query;
  const where = [
    isOneOf(
      'status',
      status.filter((name) => !excludeStatus.includes(name)),
    ),
  ];
  const { data, pagination } = experiments.list(database, owner, { where, order: ORDER, page });
  return { data, pagination: { ...pagination, totalCount: pagination.total } };
}

export const experimentCommands = {
  createExperiment,
  updateExperiment: ifUnchanged(experiments, updateExperiment),
  removeExperiment,
};
export const experimentQueries = { getExperiment: experiments.get, listExperiments };
