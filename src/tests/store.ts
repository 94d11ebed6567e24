import { randomBytes } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { countsOf } from './counts.ts';
import type { Failure } from './failures.ts';
import { runs, tests } from './record.ts';
import { isOver, type RunType, type TestState } from './states.ts';
import { addEntry, entriesOf } from './timeline.ts';
import { stateAfter, type TestEvent } from './transitions.ts';

/** A test as far as its progress is concerned. */
export interface TestInFlight extends TestState {
  id: string;
  application: number;
  taskId: string;
  runId: string;
  runType: RunType;
  /** null when it is part of no experiment. */
  experimentVariantId: string | null;
  /** When the last batch of its spans arrived. */
  lastSpanAt: number | null;
  finishedEvals: number;
  passedEvals: number;
}

type Row = Omit<TestInFlight, 'failure'> & { failure: string | null };

const COLUMNS = `id, application, task_id AS "taskId", run_id AS "runId", run_type AS "runType", status, phase, failure,
  experiment_variant_id AS "experimentVariantId", delivered_at AS "deliveredAt", unknown_since AS "unknownSince",
  last_span_at AS "lastSpanAt", finished_evals AS "finishedEvals", passed_evals AS "passedEvals"`;

const inFlight = (row: Row): TestInFlight => ({
  ...row,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
});

export interface TestKey {
  application: number;
  testId: string;
}

export function findTest(database: Database, { application, testId }: TestKey): TestInFlight | undefined {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM test WHERE application = :application AND id = :testId`,
    {
      application,
      testId,
    },
  );
  return row && inFlight(row);
}

export interface DueTests {
  tests: TestInFlight[];
  /** When the next one is to be checked, Unix milliseconds; null when none is. */
  nextAt: number | null;
}

/** Tests that are to be checked now, those that have waited longest first. */
export function dueTests(database: Database, { now, limit }: { now: number; limit: number }): DueTests {
  const due = database
    .all<Row>(`SELECT ${COLUMNS} FROM test WHERE check_at <= :now ORDER BY check_at LIMIT :limit`, {
      now,
      limit,
    })
    .map(inFlight);
  if (due.length === limit) return { tests: due, nextAt: now };
  const next = database.get<{ nextAt: number | null }>(
    'SELECT min(check_at) AS "nextAt" FROM test WHERE check_at > :now',
    { now },
  );
  return { tests: due, nextAt: next?.nextAt ?? null };
}

/** A test that has ended, or was reopened. */
export interface ChangedTest extends TestKey {
  taskId: string;
  /** null when it is part of no experiment. */
  experimentVariantId: string | null;
  /** Unix milliseconds. */
  at: number;
}

/** What modules above do within the command that stores the event. Must not throw. */
export interface TestHooks {
  onTestEnded: (database: Database, test: ChangedTest) => void;
  onTestReopened: (database: Database, test: ChangedTest) => void;
}

export interface ApplyEvent {
  /** As it is stored: read by the same command. */
  test: TestInFlight;
  event: TestEvent;
  /** Unix milliseconds. */
  at: number;
  /** When to check it next; null for not before something happens; as before when undefined. */
  checkAt?: number | null | undefined;
  /** What the timeline shows, where the event alone does not say it. */
  detail?: string;
}

/** Stores what an event makes of a test, and all that follows from it; returns whether it can happen to the test now. */
export function applyEvent(
  database: Database,
  { test, event, at, checkAt, detail }: ApplyEvent,
  hooks: TestHooks,
): boolean {
  const state = stateAfter(test, event);
  if (state === null) return false;
  const { id, application, taskId, runId, experimentVariantId } = test;
  tests.update(database, { application, id, at }, { ...state, ...countsOf(state, test), checkAt });
  for (const entry of entriesOf(test, state, event, { at, detail }))
    addEntry(database, { application, testId: id }, entry);
  database.run('UPDATE run SET modified_at = :at WHERE application = :application AND id = :runId', {
    at,
    application,
    runId,
  });
  const changed = { application, testId: id, taskId, experimentVariantId, at };
  if (isOver(state)) hooks.onTestEnded(database, changed);
  else if (isOver(test)) hooks.onTestReopened(database, changed);
  return true;
}

/** Sets when to check a test next. */
export function setCheck(
  database: Database,
  { application, id }: TestInFlight,
  checkAt: number | null,
): void {
  database.run('UPDATE test SET check_at = :checkAt WHERE application = :application AND id = :id', {
    application,
    id,
    checkAt,
  });
}

/** How soon after its first spans a test is checked again, when more may arrive. */
const CHECK_AGAIN_MS = 1_000;

/** Notes that spans of a test have arrived. An id that is no test matches nothing. */
export function noteSpans(database: Database, { application, testId }: TestKey, at: number): void {
  database.run(
    `UPDATE test SET last_span_at = :at, check_at = CASE WHEN last_span_at IS NULL THEN :at ELSE :again END
     WHERE application = :application AND id = :testId`,
    { application, testId, at, again: at + CHECK_AGAIN_MS },
  );
}

/** Stores how many current evals of a test are finished; returns whether that may change pass rates. */
export function storeEvalCounts(
  database: Database,
  key: TestKey,
  evals: { finishedEvals: number; passedEvals: number },
): boolean {
  const test = findTest(database, key);
  if (!test) return false;
  const { hasError, ...counts } = countsOf(test, evals);
  database.run(
    `UPDATE test SET finished_evals = :finishedEvals, passed_evals = :passedEvals,
       counted_evals = :countedEvals, counted_passed = :countedPassed, has_error = :hasError
     WHERE application = :application AND id = :testId`,
    { ...key, ...evals, ...counts, hasError: Number(hasError) },
  );
  return isOver(test) || test.runType === 'MONITORING';
}

export interface NewRun {
  application: number;
  id: string;
  taskId: string;
  type: RunType;
  experimentVariantId: string | null;
  /** Unix milliseconds. */
  at: number;
}

export function insertRun(database: Database, { application, at, ...run }: NewRun): void {
  runs.insert(database, { application, at }, run);
}

export interface NewTest {
  application: number;
  id: string;
  taskId: string;
  runId: string;
  runType: RunType;
  prompt: string;
  /** These three as JSON text. */
  promptObject: string | null;
  metadata: string | null;
  experiment: string | null;
  exampleIndex: number | null;
  experimentId: string | null;
  experimentVariantId: string | null;
  /** Unix milliseconds. */
  at: number;
}

/** Stores a test that waits to be delivered, in a trace of its own. */
export function insertTest(database: Database, { application, at, ...test }: NewTest): void {
  tests.insert(database, { application, at }, { ...BEGINNING, ...test, traceId: randomBytes(16) });
  addEntry(
    database,
    { application, testId: test.id },
    { at, phase: 'queued', detail: 'The test was started.' },
  );
}

const BEGINNING = {
  status: 'PENDING',
  phase: 'queued',
  failure: null,
  deliveredAt: null,
  unknownSince: null,
  lastSpanAt: null,
  checkAt: null,
  finishedEvals: 0,
  passedEvals: 0,
  countedEvals: 0,
  countedPassed: 0,
  hasError: false,
} as const;
