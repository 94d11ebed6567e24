import type { Owner } from '../contract/owner.ts';
import type { ListOf } from '../contract/paging.ts';
import type { Actor } from '../contract/scope.ts';
import type { Database } from '../storage/database.ts';
import { findOperation, locking, lockingAsInner, type Operations } from '../storage/operations.ts';
import { valuesOf } from '../storage/dialect.ts';
import { createdWithin, oneOfEach, type SqlFragment } from '../storage/sql.ts';
import type { AuditEntry, AuditQuery } from './audit-contract.ts';
import { auditEntries, newAuditEntries } from './records.ts';

/** A change that someone made: who, which operation, to which record, in which request. */
export interface AuditedChange {
  application: number;
  at: number;
  actor: Actor;
  /**
   * The `operationId` of the route, or a name of its own for what no route did: an attempt that failed (`signInFailed`), a
   * command of the operator (`backup`).
   */
  action: string;
  resourceId: string | null;
  requestId: string;
  detail?: string | null;
}

export function recordChange(database: Database, { application, at, actor, ...change }: AuditedChange): void {
  const by = { actorType: actor.type, actorId: actor.id, actorName: actor.name };
  newAuditEntries.insert(database, { application, at }, { ...by, ...change });
}

/** A change of an account, which belongs to no application. */
export interface AccountChange extends Omit<AuditedChange, 'application' | 'resourceId'> {
  userId: string;
}

const MAX_APPLICATIONS = 100;

/** Records a change of an account in the applications that the user is a member of. */
export function recordAccountChange(database: Database, { userId, ...change }: AccountChange): void {
  const rows = database.all<{ application: number }>(
    'SELECT application FROM membership WHERE user_id = :userId ORDER BY application LIMIT :limit',
    { userId, limit: MAX_APPLICATIONS },
  );
  for (const { application } of rows) recordChange(database, { ...change, application, resourceId: userId });
}

interface Audited {
  application: number;
  change: Omit<AuditedChange, 'application'>;
  /** The command that makes the change, and its arguments. */
  command: string;
  args: unknown;
}

interface AuditedResult {
  value: unknown;
  /** False if the command has changed no row. */
  isRecorded: boolean;
}

/** Returns the command that runs one of `commands` and records what it changes in the same transaction. */
export const auditCommands = (commands: Operations) => ({
  ...lockingAsInner({
    audited: (
      database: Database,
      { application, change, command, args }: Audited,
      bytes?: Uint8Array,
    ): AuditedResult => {
      const run = findOperation(commands, command);
      if (!run) throw new Error(`no command ${command}`);
      const before = database.changeCount();
      const value = run(database, args, bytes);
      const isRecorded = database.changeCount() > before;
      if (isRecorded) recordChange(database, { application, ...change });
      return { value, isRecorded };
    },
  }),
  ...locking('application', { recordChange }),
});

/** Actions that copy texts out of the store: a command, and the routes that stream files. */
export const COPYING_ACTIONS = {
  backup: 'BACKUP',
  downloadTraces: 'EXPORT',
  downloadTests: 'EXPORT',
  downloadExamples: 'EXPORT',
  downloadResults: 'EXPORT',
  downloadEvidence: 'EXPORT',
} as const;

interface CopyInAudit {
  kind: (typeof COPYING_ACTIONS)[keyof typeof COPYING_ACTIONS];
  name: string;
  createdAt: string;
  createdBy: string;
}

/** Returns the backups and exports of which there are entries, the newest first, and their number. */
export function copiesInAudit(
  database: Database,
  { application, limit }: { application: number; limit: number },
): { total: number; data: CopyInAudit[] } {
  const args = { application, actions: JSON.stringify(Object.keys(COPYING_ACTIONS)) };
  const areCopies = `action IN ${valuesOf(':actions')}`;
  const count = `SELECT count(*) AS n FROM audit_entry WHERE application = :application AND ${areCopies}`;
  const entries = auditEntries.all(
    database,
    application,
    `${areCopies} ORDER BY created_at DESC, id DESC LIMIT :limit`,
    { actions: args.actions, limit },
  );
  return {
    total: database.get<{ n: number }>(count, args)?.n ?? 0,
    data: entries.map(({ action, detail, createdAt, actorName }) => ({
      kind: COPYING_ACTIONS[action as keyof typeof COPYING_ACTIONS],
      name: detail ?? action,
      createdAt,
      createdBy: actorName,
    })),
  };
}

/** Replaces the id of a session in the entries of calls about it by its SHA-256, in hex. */
export const hashSessionInAudit = (
  database: Database,
  { application, id, hash }: { application: number; id: string; hash: string },
): number =>
  database.run(
    `UPDATE audit_entry SET resource_id = :hash
     WHERE application = :application AND resource_id = :id AND action LIKE '%Session'`,
    { application, id, hash },
  );

interface PurgeAudit {
  application: number;
  /** Unix milliseconds: entries before this time are deleted. */
  before: number;
  /** Entries beyond this number are deleted too, the oldest first. */
  most: number;
  limit: number;
}

/** Deletes some of the entries that are no longer kept; returns how many. */
function purgeAudit(database: Database, { application, before, most, limit }: PurgeAudit): number {
  const newest = database.get<{ createdAt: number }>(
    `SELECT created_at AS "createdAt" FROM audit_entry WHERE application = :application
     ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :most`,
    { application, most },
  );
  const until = Math.max(before, newest?.createdAt ?? 0);
  return auditEntries.deleteSome(database, application, 'created_at < :until', { until, limit });
}

/** Condition for the entries of a record and of the records below it, which are looked up first. */
const ofRecord = (application: number, id: string): SqlFragment => ({
  // A slash separates the ids of a path; 0 is the next character.
  sql: `id IN (
    SELECT id FROM audit_entry WHERE application = ? AND resource_id = ? UNION ALL
    SELECT id FROM audit_entry WHERE application = ? AND resource_id >= ? AND resource_id < ?)`,
  values: [application, id, application, `${id}/`, `${id}0`],
});

const ORDER = { createdAt: 'created_at' } as const;

function listAudit(
  database: Database,
  { owner, query }: { owner: Owner; query: AuditQuery },
): ListOf<AuditEntry> {
  const { actorId, action, resourceId } = query;
  const where = [...oneOfEach({ actor_id: actorId, action }), ...createdWithin(query)];
  if (resourceId !== undefined) where.push(ofRecord(owner.application, resourceId));
  const { data, pagination } = auditEntries.list(database, owner, { where, page: query, order: ORDER });
  return {
    data: data.map(({ actorType, actorId: id, actorName: name, ...entry }) => ({
      ...entry,
      actor: { type: actorType, id, name },
    })),
    pagination,
  };
}

export const auditPurgeCommands = { purgeAudit };
export const auditQueries = { listAudit };
