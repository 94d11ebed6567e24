import type { Database } from '../../storage/database.ts';
import { experiments } from './record.ts';
import { type ExperimentEvent, type ExperimentStatus, experimentAfter } from './states.ts';

export interface MoveExperiment {
  application: number;
  experiment: { id: string; status: ExperimentStatus };
  event: ExperimentEvent;
  at: number;
}

/** Applies an event to an experiment; throws `conflict` when the current status does not allow it. */
export function moveExperiment(
  database: Database,
  { application, experiment: { id, status }, event, at }: MoveExperiment,
): void {
  experiments.update(database, { application, id, at }, { status: experimentAfter(status, event) });
}
