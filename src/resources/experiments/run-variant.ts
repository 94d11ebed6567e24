import { type StartedRun, type TriggerPosition, triggerTasks } from '../../deliver/trigger.ts';
import { AppError } from '../../errors.ts';
import { cancelJob, enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { endVariantOf } from './end-variant.ts';
import { moveExperiment } from './move.ts';
import { variantAfter } from './states.ts';
import { experiments } from './record.ts';
import type { Variant } from './variant-contract.ts';
import { getVariant, type VariantById } from './variant-read.ts';
import { variants } from './variant-record.ts';
import { findStart, removeStart, saveStart, type VariantStart } from './variant-start.ts';

/** Kind of the jobs that start the remaining tests of a variant after an interruption; their key is its id. */
export const START_VARIANT = 'start-variant';
/** Seed of written prompts: all variants are tested with the same ones. */
export const PROMPT_SEED = 0;
/** Milliseconds after which the job starts the tests if the request has not. */
const JOB_DELAY_MS = 60_000;

export interface RunVariant extends VariantById {
  /** Number of tests of each task. */
  repeat: number;
  /** Seed of the prompts that a model writes; null when none is configured. */
  promptSeed: number | null;
  at: number;
}

/**
 * Runs a variant and starts its first tests; `startVariantTests` starts the others. Until then the variant does not
 * end, and tests that are still to be started count as not completed. Throws `not_found` and `conflict`.
 */
export function runVariant(
  database: Database,
  { owner, experimentId, id, repeat, promptSeed, at }: RunVariant,
): { variant: Variant; runs: StartedRun[]; hasMore: boolean } {
  const { application } = owner;
  const experiment = experiments.get(database, { owner, id: experimentId });
  const variant = getVariant(database, { owner, experimentId, id });
  const status = variantAfter(variant.status, 'started');
  const event = variant.parentId === null ? 'baselineStarted' : 'variantStarted';
  moveExperiment(database, { application, experiment, event, at });
  const { taskIds } = experiment;
  if (taskIds.length === 0) throw new AppError('conflict', 'The experiment has no tasks');
  const { startedAt } = variants.require(database, application, id);
  const started = startedAt === null ? at : undefined;
  variants.update(database, { application, id, at }, { status, startedAt: started });
  const start: VariantStart = {
    application,
    variantId: id,
    repeat,
    startedAt: at,
    remaining: taskIds.length * repeat,
    taskIds,
    experiment: { experimentId, experimentVariantId: id, overrides: variant.config },
  };
  const { runs, next } = startStep(database, start, promptSeed);
  if (next) enqueueJob(database, { application, kind: START_VARIANT, key: id, dueAt: at + JOB_DELAY_MS, at });
  return { variant: getVariant(database, { owner, experimentId, id }), runs, hasMore: next !== null };
}

/** Starts some of the tests that are still to be started. The last ones may end the variant. */
export function startVariantTests(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
): { runs: StartedRun[]; hasMore: boolean } {
  const start = findStart(database, { application, id });
  if (!start) return { runs: [], hasMore: false };
  // The first step has found out whether there is a prompt model.
  const { runs, next } = startStep(database, start, PROMPT_SEED);
  if (next === null) endStart(database, { application, id, at });
  return { runs, hasMore: next !== null };
}

/** Ends the start of a variant; it continues with the tests that were started. */
export function endStart(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
): void {
  removeStart(database, { application, id });
  cancelJob(database, { kind: START_VARIANT, key: id });
  endVariantOf(database, { application, experimentVariantId: id, at });
}

function startStep(
  database: Database,
  start: VariantStart,
  promptSeed: number | null,
): { runs: StartedRun[]; next: TriggerPosition | null } {
  const { application, taskIds, repeat, experiment, startedAt: at, from } = start;
  const { runs, next } = triggerTasks(database, {
    application,
    taskIds,
    repeat,
    type: 'EXPERIMENT',
    experiment,
    promptSeed,
    at,
    ...(from && { from }),
  });
  const left = next && (taskIds.length - next.task) * repeat - next.tests;
  if (next) saveStart(database, { ...start, from: next, remaining: left ?? 0 });
  return { runs, next };
}
