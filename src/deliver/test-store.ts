import { AppError } from '../errors.ts';
import type { Database } from '../storage/sqlite/database.ts';
import {
  CANCELLED,
  type Failure,
  type NextState,
  type TestPhase,
  type TestState,
  type TestStatus,
} from './test-state.ts';

export const DELIVER = 'deliver';

export function addEvent(
  database: Database,
  application: number,
  testId: string,
  at: number,
  phase: TestPhase,
  detail: string,
): void {
  database.run(
    'INSERT INTO test_event (application, test_id, at, phase, detail) VALUES (?, ?, ?, ?, ?)',
    application,
    testId,
    at,
    phase,
    detail,
  );
}

/** A test as its life goes on. */
export interface LivingTest extends TestState {
  id: string;
  application: number;
  /** When the last batch of spans that carries it came. */
  lastSpanAt: number | null;
}

interface LivingRow {
  id: string;
  application: number;
  status: TestStatus;
  phase: TestPhase;
  failure: string | null;
  deliveredAt: number | null;
  unknownSince: number | null;
  lastSpanAt: number | null;
}

const LIVING = `id, application, status, phase, failure, delivered_at AS deliveredAt, unknown_since AS unknownSince,
  last_span_at AS lastSpanAt`;

const living = (row: LivingRow): LivingTest => ({
  ...row,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
});

export interface DueTests {
  tests: LivingTest[];
  /** When the next one is to be looked at, Unix milliseconds; null = none is. */
  nextAt: number | null;
}

/** Tests that are to be looked at now. */
export function dueTests(database: Database, { now, limit }: { now: number; limit: number }): DueTests {
  const tests = database
    .all<LivingRow>(`SELECT ${LIVING} FROM test WHERE check_at <= ? ORDER BY check_at LIMIT ?`, now, limit)
    .map(living);
  if (tests.length === limit) return { tests, nextAt: now };
  const next = database.get<{ nextAt: number | null }>(
    'SELECT min(check_at) AS nextAt FROM test WHERE check_at > ?',
    now,
  );
  return { tests, nextAt: next?.nextAt ?? null };
}

export function findLivingTest(database: Database, application: number, id: string): LivingTest | undefined {
  const row = database.get<LivingRow>(
    `SELECT ${LIVING} FROM test WHERE application = ? AND id = ?`,
    application,
    id,
  );
  return row && living(row);
}

export interface AdvanceTest {
  /** As it was when the next state was worked out. */
  seen: LivingTest;
  next: NextState;
  at: number;
}

/** A test that is over, at least until a late trace takes it up again. */
export interface EndedTest {
  application: number;
  testId: string;
  taskId: string;
  /** null = it is part of no experiment. */
  experimentVariantId: string | null;
  at: number;
}

/** Called with each end of a test, within the command that stores it. Must not throw. */
export type OnTestEnded = (database: Database, test: EndedTest) => void;

/** Stores the next state of a test, unless something happened to it meanwhile; whether it did. */
export function advanceTest(
  database: Database,
  { seen, next, at }: AdvanceTest,
  onTestEnded: OnTestEnded,
): boolean {
  const { state, checkAt } = next;
  const isSame = state.status === seen.status && state.phase === seen.phase;
  const changed = database.run(
    `UPDATE test SET status = ?, phase = ?, failure = ?, delivered_at = ?, unknown_since = ?,
       check_at = CASE WHEN last_span_at IS ? THEN ? ELSE check_at END, modified_at = CASE WHEN ? THEN modified_at ELSE ? END
     WHERE application = ? AND id = ? AND status = ? AND phase = ?`,
    state.status,
    state.phase,
    state.failure && JSON.stringify(state.failure),
    state.deliveredAt,
    state.unknownSince,
    seen.lastSpanAt,
    checkAt,
    isSame ? 1 : 0,
    at,
    seen.application,
    seen.id,
    seen.status,
    seen.phase,
  );
  if (changed > 0 && !isSame) {
    addEvents(database, seen, state, at);
    touchRun(database, seen, at);
    if (isOver(state)) onTestEnded(database, { ...partsOf(database, seen), at });
  }
  return changed > 0;
}

const isOver = ({ status }: TestState): boolean => status === 'COMPLETED' || status === 'FAILED';

/** What a test is part of. */
export const partsOf = (database: Database, { application, id }: LivingTest): Omit<EndedTest, 'at'> =>
  database.get<Omit<EndedTest, 'at'>>(
    `SELECT application, id AS testId, task_id AS taskId, experiment_variant_id AS experimentVariantId
     FROM test WHERE application = ? AND id = ?`,
    application,
    id,
  ) as Omit<EndedTest, 'at'>;

export function touchRun(database: Database, { application, id }: LivingTest, at: number): void {
  database.run(
    `UPDATE run SET modified_at = ?1 WHERE application = ?2 AND id =
       (SELECT run_id FROM test WHERE application = ?2 AND id = ?3)`,
    at,
    application,
    id,
  );
}

/** One line for each phase, also for one that was over before anybody looked. */
function addEvents(database: Database, seen: LivingTest, state: TestState, at: number): void {
  const { application, id } = seen;
  const isComplete = state.status === 'COMPLETED' || state.phase === 'evaluating';
  if (isComplete && seen.phase !== 'trace_received')
    addEvent(database, application, id, seen.lastSpanAt ?? at, 'trace_received', TRACE_RECEIVED);
  addEvent(database, application, id, at, state.phase, detailOf(seen, state));
}

const TRACE_RECEIVED = 'Spans of the app arrived.';

/** What the timeline says of a change. */
export function detailOf(before: TestState, { status, phase, failure }: TestState): string {
  if (failure) return `${failure.code}: ${failure.message}`;
  if (status === 'COMPLETED')
    return before.phase === 'evaluating' ? 'All verdicts are there.' : 'The trace is complete.';
  if (phase === 'evaluating') return 'The trace is complete; it is judged.';
  if (before.status === 'FAILED') return 'A span came late; the test goes on.';
  return phase === 'trace_received' ? TRACE_RECEIVED : 'The webhook was answered 200.';
}

/** Ends a test that is not over; throws `not_found`, or `conflict` when it is. */
export function cancelTest(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
  onTestEnded: OnTestEnded,
): void {
  const seen = findLivingTest(database, application, id);
  if (!seen) throw new AppError('not_found', 'test not found');
  if (isOver(seen)) throw new AppError('conflict', `The test is ${seen.status} already`);
  const state: TestState = {
    ...seen,
    status: 'FAILED',
    phase: 'done',
    failure: CANCELLED,
    unknownSince: null,
  };
  advanceTest(database, { seen, next: { state, checkAt: null }, at }, onTestEnded);
  database.run('DELETE FROM job WHERE kind = ? AND key = ?', DELIVER, id);
}
