import type { Database } from '../../storage/database.ts';
import { experiments } from './record.ts';
import { type ExperimentEvent, type ExperimentStatus, experimentAfter } from './states.ts';

export interface MoveExperiment {
  application: number;
  experiment: { id: string; status: ExperimentStatus };
  event: ExperimentEvent;
  at: number;
}

/** Stores what has happened to an experiment; throws `conflict` when it can't happen now. */
export function moveExperiment(
  database: Database,
  { application, experiment: { id, status }, event, at }: MoveExperiment,
): void {
  experiments.update(database, { application, id, at }, { status: experimentAfter(status, event) });
}
