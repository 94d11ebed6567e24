import { randomUUID } from 'node:crypto';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { reopenTest } from '../../tests/evaluation.ts';
import type { TestHooks } from '../../tests/store.ts';
import { definitionsToPlan, type PlannedDefinition } from '../applicable.ts';
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

/** Plans evals and reopens their test; returns the number of planned evals. */
export function planEvalsAgain(database: Database, args: PlanEvals, hooks: TestHooks): number {
  const { application, target, at } = args;
  const evals = planEvals(database, args);
  if (evals > 0 && 'testId' in target)
    reopenTest(database, { application, testId: target.testId, evals, at }, hooks);
  return evals;
}

/**
 * Plans evals, each of which supersedes the current one, and returns their number. Skips evals that wait already or
 * need no new version.
 */
export function planEvals(database: Database, { application, target, evals, force, at }: PlanEvals): number {
  const subject = evalSubject(database, application, target);
  if (!subject) return 0;
  const current = new Map(currentEvals(database, application, target).map((row) => [row.definitionId, row]));
  const wanted = evals.filter(({ definitionId, inputHash }) => {
    const row = current.get(definitionId);
    if (row === undefined) return true;
    return force ? !isWaiting(row) : row.status !== 'PENDING' && row.inputHash !== inputHash;
  });
  if (wanted.length === 0) return 0;
  saveEvals(database, { application, evals: wanted.map((one) => pendingEval(one, subject)), at });
  enqueueJob(database, { application, kind: EVALUATE, key: jobKey(application, target), dueAt: at, at });
  return wanted.length;
}

const pendingEval = (wanted: WantedEval, subject: EvalSubject) => ({
  ...wanted,
  ...subject,
  id: randomUUID(),
  status: 'PENDING' as const,
});

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
  const evals = definitionsToPlan(database, { application, taskId }).map(firstEval);
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
