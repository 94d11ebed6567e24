import { isOneOf } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import type { TestStatus } from '../../tests/states.ts';
import type { ChangedTest } from '../../tests/store.ts';
import { moveExperiment } from './move.ts';
import { variants } from './variant-record.ts';
import { testsToStart } from './variant-start.ts';
import { EXPERIMENT_STATES, type ExperimentStatus, VARIANT_STATES, type VariantStatus } from './states.ts';

interface Row {
  status: VariantStatus;
  isBaseline: number;
  experimentId: string;
  experimentStatus: ExperimentStatus;
}

/**
 * Ends a variant when its last test has ended; called whenever a test ends. The variant is completed if one of its
 * tests is, else failed. A late trace may still complete a failed variant.
 */
export function endVariantOf(
  database: Database,
  {
    application,
    experimentVariantId: id,
    at,
  }: Pick<ChangedTest, 'application' | 'experimentVariantId' | 'at'>,
): void {
  if (id === null) return;
  const row = database.get<Row>(
    `SELECT variant.status, parent_id IS NULL AS isBaseline, experiment_id AS experimentId,
       experiment.status AS experimentStatus
     FROM experiment_variant AS variant JOIN experiment ON experiment.id = experiment_id
     WHERE variant.application = :application AND variant.id = :id AND experiment.application = :application`,
    { application, id },
  );
  // A variant ends with its last test, so not before all tests have been started.
  if (!row || testsToStart(database, { application, id }) > 0) return;
  if (hasTests(database, { application, id, statuses: ['PENDING', 'IN_PROGRESS'] })) return;
  const isCompleted = hasTests(database, { application, id, statuses: ['COMPLETED'] });
  const status = VARIANT_STATES[row.status][isCompleted ? 'completed' : 'failed'];
  if (!status) return;
  variants.update(database, { application, id, at }, { status });
  const ofBaseline = isCompleted ? 'baselineCompleted' : 'baselineFailed';
  const event = row.isBaseline === 1 ? ofBaseline : 'variantEnded';
  const experiment = { id: row.experimentId, status: row.experimentStatus };
  // When a late trace completes a failed variant, another variant may be running, or the experiment may have ended.
  const isAwaited = row.isBaseline === 1 || row.status === 'RUNNING';
  if (isAwaited && EXPERIMENT_STATES[experiment.status][event])
    moveExperiment(database, { application, experiment, event, at });
}

function hasTests(
  database: Database,
  { application, id, statuses }: { application: number; id: string; statuses: readonly TestStatus[] },
): boolean {
  const { sql, values } = isOneOf('status', statuses);
  return (
    database.get(
      `SELECT 1 FROM test WHERE application = ? AND experiment_variant_id = ? AND ${sql} LIMIT 1`,
      application,
      id,
      ...values,
    ) !== undefined
  );
}
