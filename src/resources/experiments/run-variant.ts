import { type StartedRun, triggerTasks } from '../../deliver/test-store.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { moveExperiment } from './move.ts';
import { variantAfter } from './states.ts';
import { getExperiment } from './store.ts';
import type { Variant } from './variant-contract.ts';
import { getVariant, type VariantById } from './variant-read.ts';

export interface RunVariant extends VariantById {
  /** Tests of each task. */
  repeat: number;
  at: number;
}

/** Starts the tests of a variant, all or none. Throws `not_found` and `conflict`. */
export function runVariant(
  database: Database,
  { owner, experimentId, id, repeat, at }: RunVariant,
): { variant: Variant; runs: StartedRun[] } {
  const { application } = owner;
  const experiment = getExperiment(database, { owner, id: experimentId });
  const variant = getVariant(database, { owner, experimentId, id });
  const status = variantAfter(variant.status, 'started');
  const event = variant.parentId === null ? 'baselineStarted' : 'variantStarted';
  moveExperiment(database, { application, experiment, event, at });
  if (experiment.taskIds.length === 0) throw new AppError('conflict', 'The experiment has no tasks');
  const runs = triggerTasks(database, {
    application,
    taskIds: experiment.taskIds,
    repeat,
    type: 'EXPERIMENT',
    experiment: { experimentId, experimentVariantId: id, overrides: variant.config },
    at,
  });
  database.run(
    `UPDATE experiment_variant SET status = ?1, started_at = coalesce(started_at, ?2), modified_at = ?2
     WHERE application = ?3 AND id = ?4`,
    status,
    at,
    application,
    id,
  );
  return { variant: getVariant(database, { owner, experimentId, id }), runs };
}
