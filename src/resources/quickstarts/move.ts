import type { Database } from '../../storage/sqlite/database.ts';
import { requireRow } from '../../storage/require-row.ts';
import type { QuickstartStatus } from './contract.ts';
import { type Mover, requireMove } from './states.ts';

interface MoveQuickstart {
  application: number;
  id: string;
  to: QuickstartStatus;
  mover: Mover;
  /** With FAILED only. */
  reason?: string;
  at: number;
}

/** Takes a quickstart to another status. Throws `not_found`, and `conflict` when it may not be moved so. */
export function moveQuickstart(
  database: Database,
  { application, id, to, mover, reason, at }: MoveQuickstart,
): void {
  requireMove(statusOf(database, application, id), to, mover);
  database.run(
    'UPDATE quickstart SET status = ?, reason = ?, modified_at = ? WHERE application = ? AND id = ?',
    to,
    reason ?? null,
    at,
    application,
    id,
  );
}

/** Throws `not_found`. */
export function statusOf(database: Database, application: number, id: string): QuickstartStatus {
  return requireRow<{ status: QuickstartStatus }>(
    database,
    { application, table: 'quickstart', noun: 'quickstart', id },
    'status',
  ).status;
}
