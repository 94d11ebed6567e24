import { randomUUID } from 'node:crypto';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { reopenTest } from '../../tests/evaluation.ts';
import { leaveSnapshot, type TestHooks } from '../../tests/store.ts';
import { definitionsToPlan, type PlannedDefinition, snapshotToPlan } from '../applicable.ts';
import { snapshotOf } from '../example-expectation.ts';
import { DELETED_REASON, isEvidenceDeleted } from '../deleted-evidence.ts';
import type { EvalSubject } from '../eval-record.ts';
import { saveEvals } from '../eval-store.ts';
import { EVALUATE, jobKey, type Target } from '../target.ts';
import { currentEvals, evalSubject, isWaiting } from './rows.ts';

/** An eval to plan. */
export interface WantedEval {
  definitionId: string;
  definitionVersion: number;
  definitionType: string;
  /** Hash of the input; empty while it is unknown. */
  inputHash: string;
  /** True if a trace that the verdict depends on was deleted. */
  isWithoutEvidence?: true;
}

export interface PlanEvals {
  application: number;
  target: Target;
  evals: readonly WantedEval[];
  /** True to judge again even if the input is unchanged. */
  force: boolean;
  /** Time of the plan, in Unix milliseconds. */
  at: number;
}

/**
 * Plans evals and reopens their test, which is judged by the definitions of today from now on; returns the number of planned
 * evals.
 */
export function planEvalsAgain(database: Database, args: PlanEvals, hooks: TestHooks): number {
  const { application, target, at } = args;
  const plan = planOf(database, args);
  // Reopened first, so that the evals change the metrics of a test that is over only once.
  if (plan && plan.wanted.length > 0 && 'testId' in target) {
    leaveSnapshot(database, { application, testId: target.testId });
    reopenTest(database, { application, testId: target.testId, evals: plan.wanted.length, at }, hooks);
  }
  return storePlan(database, args, plan);
}

/**
 * Plans evals, each of which supersedes the current one, and returns their number. Skips evals that wait already or
 * need no new version. Where the evidence was deleted, evals stay as they are, with `force` as well, and those that are missing
 * are stored as skipped.
 */
export const planEvals = (database: Database, args: PlanEvals): number =>
  storePlan(database, args, planOf(database, args));

interface Plan {
  subject: EvalSubject;
  wanted: readonly WantedEval[];
  /** Evals that cannot be judged, because their evidence was deleted. */
  skipped: readonly WantedEval[];
}

/** Returns the evals to store; null when there are none. */
function planOf(database: Database, { application, target, evals, force }: PlanEvals): Plan | null {
  const subject = evalSubject(database, application, target);
  if (!subject) return null;
  const current = new Map(currentEvals(database, application, target).map((row) => [row.definitionId, row]));
  const isDeleted = isEvidenceDeleted(database, { application, target });
  // A deleted trace gets no further evals.
  if (isDeleted && !('testId' in target)) return null;
  const isWithoutEvidence = (one: WantedEval): boolean => isDeleted || one.isWithoutEvidence === true;
  const skipped = evals.filter((one) => isWithoutEvidence(one) && !current.has(one.definitionId));
  const wanted = evals.filter((one) => {
    if (isWithoutEvidence(one)) return false;
    const row = current.get(one.definitionId);
    if (row === undefined) return true;
    return force ? !isWaiting(row) : row.status !== 'PENDING' && row.inputHash !== one.inputHash;
  });
  return wanted.length + skipped.length === 0 ? null : { subject, wanted, skipped };
}

function storePlan(database: Database, { application, target, at }: PlanEvals, plan: Plan | null): number {
  if (!plan) return 0;
  const { subject, wanted, skipped } = plan;
  const evals = [
    ...wanted.map((one) => ({ ...newEval(one, subject), status: 'PENDING' as const })),
    ...skipped.map((one) => ({
      ...newEval(one, subject),
      status: 'SKIPPED' as const,
      reason: DELETED_REASON,
    })),
  ];
  saveEvals(database, { application, evals, at });
  if (wanted.length > 0)
    enqueueJob(database, { application, kind: EVALUATE, key: jobKey(application, target), dueAt: at, at });
  return wanted.length;
}

function newEval(wanted: WantedEval, subject: EvalSubject) {
  const { definitionId, definitionVersion, definitionType, inputHash } = wanted;
  return { definitionId, definitionVersion, definitionType, inputHash, ...subject, id: randomUUID() };
}

/** Returns the first eval of a definition, whose input is still unknown. */
export const firstEval = ({ definitionId, version, type }: PlannedDefinition): WantedEval => {
  return { definitionId, definitionVersion: version, definitionType: type, inputHash: '' };
};

interface CompleteTest {
  application: number;
  testId: string;
  taskId: string;
  at: number;
}

/** Plans the evals of a test whose trace is complete; returns their number. */
export function planCompleteTest(
  database: Database,
  { application, testId, taskId, at }: CompleteTest,
): number {
  const snapshotId = snapshotOf(database, { application, testId });
  const definitions =
    snapshotId === null
      ? definitionsToPlan(database, { application, taskId })
      : snapshotToPlan(database, { application, snapshotId, taskId });
  const evals = definitions.map(firstEval);
  return planEvals(database, { application, target: { testId }, evals, force: false, at });
}

/** Enqueues a check for whether late spans have changed the input of a test's evals. */
export function checkEvals(
  database: Database,
  { application, testId, at }: Omit<CompleteTest, 'taskId'>,
): void {
  if (currentEvals(database, application, { testId }).length > 0)
    enqueueJob(database, { application, kind: EVALUATE, key: testId, dueAt: at, at });
}
