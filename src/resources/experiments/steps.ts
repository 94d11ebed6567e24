import type { Database } from '../../storage/database.ts';
import { eachField, valuesOf } from '../../storage/dialect.ts';
import { inferenceSteps } from '../inference-steps/record.ts';

interface StepsOf {
  /** Id of the experiment. */
  id: string;
  inferenceStepIds: readonly string[];
}

/** Returns the names of the steps whose settings may be changed; null for any step. */
export function namesOfSteps(
  database: Database,
  application: number,
  ids: readonly string[],
): ReadonlySet<string> | null {
  if (ids.length === 0) return null;
  const steps = inferenceSteps.byIds(database, application, ids);
  return new Set([...steps.values()].map(({ externalId }) => externalId));
}

/**
 * Returns a step that a variant of the experiment changes and that is not one of these steps; null when there is
 * none.
 */
export function firstForeignStep(
  database: Database,
  application: number,
  { id, inferenceStepIds }: StepsOf,
): string | null {
  const names = namesOfSteps(database, application, inferenceStepIds);
  if (names === null) return null;
  const foreign = database.get<{ name: string }>(
    `SELECT step.key AS name FROM experiment_variant JOIN ${eachField('config_patch')} AS step ON true
     WHERE application = :application AND experiment_id = :id AND step.key NOT IN ${valuesOf(':names')} LIMIT 1`,
    { application, id, names: JSON.stringify([...names]) },
  );
  return foreign?.name ?? null;
}
