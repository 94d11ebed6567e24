import type { Database } from '../../storage/database.ts';
import type { QuickstartStatus } from './contract.ts';
import { quickstarts } from './record.ts';
import { type Actor, requireMove } from './states.ts';

interface MoveQuickstart {
  application: number;
  id: string;
  to: QuickstartStatus;
  actor: Actor;
  /** Reason, with FAILED only. */
  reason?: string | null;
  at: number;
}

/** Takes a quickstart to another status. Throws `not_found`, and `conflict` when it may not be moved so. */
export function moveQuickstart(
  database: Database,
  { application, id, to, actor, reason = null, at }: MoveQuickstart,
): void {
  requireMove(statusOf(database, application, id), to, actor);
  quickstarts.update(database, { application, id, at }, { status: to, reason });
}

/** Throws `not_found`. */
export const statusOf = (database: Database, application: number, id: string): QuickstartStatus =>
  quickstarts.require(database, application, id).status;
