import type { Database } from '../../storage/database.ts';
import type { QuickstartStatus } from './contract.ts';
import { quickstarts } from './record.ts';
import { type ReviewActor, requireMove } from './states.ts';

interface MoveQuickstart {
  application: number;
  id: string;
  to: QuickstartStatus;
  actor: ReviewActor;
  /** Reason; for FAILED only. */
  reason?: string | null;
  at: number;
}

/** Changes the status of a quickstart. Throws `not_found`, and `conflict` when the change is not allowed. */
export function moveQuickstart(
  database: Database,
  { application, id, to, actor, reason = null, at }: MoveQuickstart,
): void {
  requireMove(statusOf(database, application, id), to, actor);
  quickstarts.update(database, { application, id, at }, { status: to, reason });
}

/** Returns the status of a quickstart; throws `not_found`. */
export const statusOf = (database: Database, application: number, id: string): QuickstartStatus =>
  quickstarts.require(database, application, id).status;
