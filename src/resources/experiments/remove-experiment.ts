import { START_VARIANT } from './run-variant.ts';
import { cancelJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';

/** Deletes an experiment and its variants, if it exists. Its tests remain. */
export function removeExperiment(
  database: Database,
  { application, id }: { application: number; id: string },
): void {
  const variants = database.all<{ id: string }>(
    'SELECT id FROM experiment_variant WHERE application = :application AND experiment_id = :id',
    { application, id },
  );
  for (const variant of variants) {
    cancelJob(database, { kind: START_VARIANT, key: variant.id });
    database.run('DELETE FROM variant_start WHERE application = :application AND variant_id = :id', {
      application,
      id: variant.id,
    });
  }
  database.run('DELETE FROM experiment_variant WHERE application = :application AND experiment_id = :id', {
    application,
    id,
  });
  database.run('DELETE FROM experiment WHERE application = :application AND id = :id', { application, id });
}
