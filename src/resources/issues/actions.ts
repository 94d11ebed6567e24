import { isoTime } from '../../contract/values.ts';
import type { ById } from '../../contract/owner.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import type { IssueRecord } from './contract.ts';
import { addIssueEvent, SYSTEM } from './events.ts';
import type { Evidence } from './evidence-contract.ts';
import { byIdOrNumber } from './find.ts';
import { issues } from './record.ts';
import type { Relapse } from './relapse-contract.ts';
import { getIssue } from './store.ts';

interface Acting extends ById {
  actor: Actor;
  at: number;
}

const states = issues.pick('id', 'number', 'status', 'mergedInto', 'parentId');

/**
 * Resolves an open issue. Throws `not_found`, and `conflict` when it is not open, or when evidence is missing and the caller does not
 * accept that.
 */
function resolveIssue(
  database: Database,
  {
    owner,
    id,
    reason,
    withoutEvidence,
    evidence,
    actor,
    at,
  }: Acting & { reason: string | null; withoutEvidence: boolean; evidence: Evidence[] },
): IssueRecord {
  const { application } = owner;
  const { status } = states.require(database, application, id);
  if (status !== 'OPEN')
    throw new AppError('conflict', `The issue is ${status}; only an open one can be resolved`);
  const missing = evidence.filter(({ isMet }) => !isMet);
  if (missing.length > 0 && !withoutEvidence)
    throw new AppError('conflict', `Evidence is missing: ${missing.map(({ message }) => message).join(' ')}`);
  const isMarked = missing.length > 0;
  const resolution = {
    at: isoTime(at),
    by: { type: actor.type, id: actor.id, name: actor.name },
    reason,
    withoutEvidence: isMarked,
    evidence,
  };
  issues.update(database, { application, id, at }, { status: 'RESOLVED', resolution });
  addIssueEvent(database, {
    application,
    issueId: id,
    kind: 'RESOLVED',
    actor,
    at,
    detail: { reason, withoutEvidence: isMarked },
  });
  return getIssue(database, { owner, id, now: at });
}

/** Opens an issue again. Throws `not_found`, and `conflict` when it is open or was merged. */
function reopenIssue(
  database: Database,
  { owner, id, reason, actor, at }: Acting & { reason: string | null },
): IssueRecord {
  const { application } = owner;
  const { status, mergedInto } = states.require(database, application, id);
  if (status === 'OPEN') throw new AppError('conflict', 'The issue is open already');
  if (mergedInto !== null)
    throw new AppError(
      'conflict',
      `The issue was merged into issue ${numberOf(database, application, mergedInto)}`,
    );
  const opened = { status: 'OPEN', reopenedAt: at, resolution: null, rejection: null } as const;
  issues.update(database, { application, id, at }, opened);
  addIssueEvent(database, { application, issueId: id, kind: 'REOPENED', actor, at, detail: { reason } });
  return getIssue(database, { owner, id, now: at });
}

export interface RelapsedIssue {
  application: number;
  id: string;
  /** Time at which the issue was resolved that relapsed, in Unix milliseconds. */
  resolvedAt: number;
  relapse: Relapse;
}

/**
 * Opens an issue again whose problem has come back; returns whether it did. An issue that was opened, rejected or resolved again meanwhile
 * stays as it is.
 */
function reopenRelapsed(
  database: Database,
  { application, id, resolvedAt, relapse, at }: RelapsedIssue & { at: number },
): boolean {
  const issue = issues.pick('id', 'status', 'resolution').find(database, application, id);
  if (issue?.status !== 'RESOLVED' || issue.resolution?.at !== isoTime(resolvedAt)) return false;
  issues.update(database, { application, id, at }, { status: 'OPEN', reopenedAt: at, resolution: null });
  addIssueEvent(database, {
    application,
    issueId: id,
    kind: 'REOPENED',
    actor: SYSTEM,
    at,
    detail: { relapse },
  });
  return true;
}

/** Rejects an issue. Throws `not_found`, and `conflict` when it is rejected already. */
function rejectIssue(
  database: Database,
  { owner, id, reason, actor, at }: Acting & { reason: string },
): IssueRecord {
  const { application } = owner;
  if (states.require(database, application, id).status === 'REJECTED')
    throw new AppError('conflict', 'The issue is rejected already');
  const rejection = { at: isoTime(at), by: { type: actor.type, id: actor.id, name: actor.name }, reason };
  issues.update(database, { application, id, at }, { status: 'REJECTED', resolution: null, rejection });
  addIssueEvent(database, { application, issueId: id, kind: 'REJECTED', actor, at, detail: { reason } });
  return getIssue(database, { owner, id, now: at });
}

const numberOf = (database: Database, application: number, id: string): number =>
  states.require(database, application, id).number;

export const issueActionCommands = {
  resolveIssue: byIdOrNumber(resolveIssue),
  reopenIssue: byIdOrNumber(reopenIssue),
  rejectIssue: byIdOrNumber(rejectIssue),
  reopenRelapsed,
};
