import type { Database } from '../storage/sqlite/database.ts';
import { NOT_JUDGED, type TestState } from './test-state.ts';
import {
  addEvent,
  type AdvanceTest,
  advanceTest,
  detailOf,
  type EndedTest,
  findLivingTest,
  type LivingTest,
  type OnTestEnded,
  partsOf,
  touchRun,
} from './test-store.ts';

/** Plans the evals of a test whose trace is complete, within the command that stores that; how many. */
export type OnTestComplete = (
  database: Database,
  test: Pick<EndedTest, 'application' | 'testId' | 'taskId' | 'at'>,
) => number;

/** Has it looked whether spans that came late change the evals of a test. */
export type OnLateSpans = (
  database: Database,
  test: Pick<EndedTest, 'application' | 'testId' | 'at'>,
) => void;

/** What rooms above are told of, within the command in which it happens. */
export interface TestHooks {
  onTestEnded: OnTestEnded;
  onTestComplete: OnTestComplete;
  onLateSpans: OnLateSpans;
}

/** Stores the next state of a test that was looked at, unless something happened to it meanwhile; whether it did. */
export function followTest(
  database: Database,
  { seen, next, at }: AdvanceTest,
  { onTestEnded, onTestComplete, onLateSpans }: TestHooks,
): boolean {
  if (next.complete === undefined || !isAsSeen(database, seen))
    return advanceTest(database, { seen, next, at }, onTestEnded);
  const test = { ...partsOf(database, seen), at };
  if (next.complete === 'again') onLateSpans(database, test);
  const isJudged = next.complete === 'first' && onTestComplete(database, test) > 0;
  const state: TestState = isJudged
    ? { ...next.state, status: 'IN_PROGRESS', phase: 'evaluating' }
    : next.state;
  return advanceTest(database, { seen, next: { ...next, state }, at }, onTestEnded);
}

function isAsSeen(database: Database, seen: LivingTest): boolean {
  const test = findLivingTest(database, seen.application, seen.id);
  return test !== undefined && test.status === seen.status && test.phase === seen.phase;
}

/** Takes a test that was over up again, because evals of it are made anew. */
export function reopenTest(
  database: Database,
  { application, testId, evals, at }: { application: number; testId: string; evals: number; at: number },
): void {
  const seen = findLivingTest(database, application, testId);
  if (seen?.status !== 'COMPLETED' && seen?.failure?.code !== NOT_JUDGED.code) return;
  const state: TestState = { ...seen, status: 'IN_PROGRESS', phase: 'evaluating', failure: null };
  changeState(database, seen, state, at, `It is judged again, by ${evals} of its definitions.`);
}

/** Ends a test that has no eval left to wait for. */
export function endEvaluation(
  database: Database,
  {
    application,
    testId,
    isGivenUp,
    at,
  }: { application: number; testId: string; isGivenUp: boolean; at: number },
  onTestEnded: OnTestEnded,
): void {
  const seen = findLivingTest(database, application, testId);
  if (seen?.phase !== 'evaluating') return;
  const state: TestState = isGivenUp
    ? { ...seen, status: 'FAILED', phase: 'done', failure: NOT_JUDGED }
    : { ...seen, status: 'COMPLETED', phase: 'done' };
  changeState(database, seen, state, at);
  onTestEnded(database, { ...partsOf(database, seen), at });
}

/** Stores a state without a word of when to look again. */
function changeState(
  database: Database,
  seen: LivingTest,
  state: TestState,
  at: number,
  detail = detailOf(seen, state),
): void {
  database.run(
    'UPDATE test SET status = ?, phase = ?, failure = ?, modified_at = ? WHERE application = ? AND id = ?',
    state.status,
    state.phase,
    state.failure && JSON.stringify(state.failure),
    at,
    seen.application,
    seen.id,
  );
  addEvent(database, seen.application, seen.id, at, state.phase, detail);
  touchRun(database, seen, at);
}
