import type { Database } from '../storage/database.ts';
import { NOT_JUDGED } from './failures.ts';
import { applyEvent, findTest, type TestHooks, type TestKey } from './store.ts';

/** Reopens a completed test because some of its evals run again. */
export function reopenTest(
  database: Database,
  { evals, at, ...key }: TestKey & { evals: number; at: number },
  hooks: TestHooks,
): void {
  const test = findTest(database, key);
  if (!test) return;
  const detail = `The test is evaluated again by ${evals} of its definitions.`;
  applyEvent(database, { test, event: { type: 'reopen' }, at, detail }, hooks);
}

/** Ends a test that waits for no more evals. */
export function endEvaluation(
  database: Database,
  { isGivenUp, at, ...key }: TestKey & { isGivenUp: boolean; at: number },
  hooks: TestHooks,
): void {
  const test = findTest(database, key);
  if (!test) return;
  const event = isGivenUp ? ({ type: 'giveUp', failure: NOT_JUDGED } as const) : ({ type: 'judge' } as const);
  applyEvent(database, { test, event, at }, hooks);
}
