import { randomBytes } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { jsonField, lesser, valuesOf, withJsonField } from '../storage/dialect.ts';
import type { FieldsOf, NewOf, WrittenOf } from '../storage/record.ts';
import { parseId } from '../traces/ids.ts';
import { hasDeletedTrace } from '../traces/traces-of-test.ts';
import { countsOf } from './counts.ts';
import { newTests, runs, tests } from './record.ts';
import { isOver } from './states.ts';
import { hasQuote, withoutQuote } from './message-quote.ts';
import { saveOutcome } from './outcome/outcome-store.ts';
import { addEntry, entriesOf } from './timeline.ts';
import { stateAfter, type TestEvent } from './transitions.ts';

const inFlight = tests.pick(
  'id',
  'taskId',
  'runId',
  'runType',
  'experimentVariantId',
  'status',
  'phase',
  'failure',
  'deliveredAt',
  'unknownSince',
  'lastSpanAt',
  'traceDeleted',
  'finishedEvals',
  'passedEvals',
);
const checks = tests.pick('id', 'checkAt');
const prompts = newTests.pick('id', 'prompt', 'promptObject', 'exampleId', 'exampleVersion', 'exampleIndex');
const texts = newTests.pick(
  'id',
  'prompt',
  'promptObject',
  'exampleId',
  'exampleVersion',
  'exampleIndex',
  'metadata',
);
const counts = tests.pick('id', 'finishedEvals', 'passedEvals', 'countedEvals', 'countedPassed', 'hasError');

/** Fields of a test that describe its progress. */
export type TestInFlight = FieldsOf<typeof inFlight> & { application: number };

export interface TestKey {
  application: number;
  testId: string;
}

export function findTest(database: Database, { application, testId }: TestKey): TestInFlight | undefined {
  const test = inFlight.find(database, application, testId);
  return test && { ...test, application };
}

export interface DueTests {
  tests: TestInFlight[];
  /** Time of the next check of any test, in Unix milliseconds; null when none is due. */
  nextAt: number | null;
}

/** Tests to check now, those that have waited longest first. */
export function dueTests(database: Database, { now, limit }: { now: number; limit: number }): DueTests {
  const due = database
    .all<{ application: number }>(
      `SELECT application, ${inFlight.selected} FROM test WHERE check_at <= :now ORDER BY check_at LIMIT :limit`,
      { now, limit },
    )
    .map(({ application, ...row }) => ({ ...inFlight.decode(row), application }));
  if (due.length === limit) return { tests: due, nextAt: now };
  const next = database.get<{ nextAt: number | null }>(
    'SELECT min(check_at) AS "nextAt" FROM test WHERE check_at > :now',
    { now },
  );
  return { tests: due, nextAt: next?.nextAt ?? null };
}

/** Most tests that one command corrects. */
const MAX_TESTS = 500;

/** Times of a test that its next check is computed from. */
const TIMES = ['delivered_at', 'unknown_since', 'last_span_at'];

/**
 * Corrects tests in flight with times after `now` (Unix milliseconds): they were stored before the clock was set back, and
 * the test would wait until the clock reaches them. Such tests are checked at once. Returns whether there may be more.
 */
export function correctFutureTimes(database: Database, { now }: { now: number }): boolean {
  const isFuture = ['modified_at', ...TIMES].map((time) => `${time} > :now`).join(' OR ');
  const corrected = database.all<{ id: string }>(
    `UPDATE test SET check_at = :now, ${TIMES.map((time) => `${time} = ${lesser(time, ':now')}`).join(', ')}
     WHERE id IN (SELECT id FROM test WHERE check_at > :now AND (${isFuture}) LIMIT :limit) RETURNING id`,
    { now, limit: MAX_TESTS },
  );
  return corrected.length === MAX_TESTS;
}

/** A test that has ended or was reopened. */
export interface ChangedTest extends TestKey {
  taskId: string;
  /** Id of the experiment variant; null when the test is part of no experiment. */
  experimentVariantId: string | null;
  /** Time of the change, in Unix milliseconds. */
  at: number;
}

type OnTest = (database: Database, test: ChangedTest) => void;

/** Hooks of higher modules. They run inside the command that stores the event and must not throw. */
export interface TestHooks {
  onTestEnded: readonly OnTest[];
  onTestReopened: readonly OnTest[];
}

export interface ApplyEvent {
  /** Stored state of the test, read by the same command. */
  test: TestInFlight;
  event: TestEvent;
  /** Time of the event, in Unix milliseconds. */
  at: number;
  /** Time of the next check; null to wait for an event; undefined to leave it unchanged. */
  checkAt?: number | null | undefined;
  /** Text for the timeline, if the event has no text of its own. */
  detail?: string;
}

/**
 * Applies an event to a test and stores all its consequences; returns whether the event is possible in the
 * current state.
 */
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
  runs.updateAll(database, { application, at }, {}, 'id = :runId', { runId });
  if (isOver(state) || isOver(test)) saveOutcome(database, { application, testId: id });
  const changed = { application, testId: id, taskId, experimentVariantId, at };
  if (isOver(state)) for (const onEnded of hooks.onTestEnded) onEnded(database, changed);
  else if (isOver(test)) for (const onReopened of hooks.onTestReopened) onReopened(database, changed);
  return true;
}

/** Sets the time of the next check of a test. */
export const setCheck = (
  database: Database,
  { application, id }: TestInFlight,
  { checkAt, at }: { checkAt: number | null; at: number },
): void => checks.update(database, { application, id, at }, { checkAt });

/** Time after its first spans at which a test is checked again, because more spans may arrive. */
const CHECK_AGAIN_MS = 1_000;

/** Stores that spans of a test have arrived. Ignores ids of unknown tests. */
export function noteSpans(database: Database, { application, testId }: TestKey, at: number): void {
  database.run(
    `UPDATE test SET last_span_at = CAST(:at AS BIGINT),
       check_at = CASE WHEN last_span_at IS NULL THEN CAST(:at AS BIGINT) ELSE CAST(:again AS BIGINT) END
     WHERE application = :application AND id = :testId`,
    { application, testId, at, again: at + CHECK_AGAIN_MS },
  );
}

const FAILURE_MESSAGE = jsonField('failure', 'message');

/**
 * Records that what the test did was deleted with a trace, and removes quotes of the app's response. A test that waits for its trace is
 * checked at once.
 */
export function noteTraceDeleted(
  database: Database,
  { application, testId, deletedAt }: TestKey & { deletedAt: number },
): true {
  database.run(
    `UPDATE test SET trace_deleted = 1, check_at = CASE WHEN check_at IS NULL THEN NULL ELSE CAST(:deletedAt AS BIGINT) END
     WHERE application = :application AND id = :testId AND trace_deleted = 0 AND ${hasDeletedTrace(':bytes')}`,
    { application, testId, deletedAt, bytes: parseId(testId) },
  );
  removeQuotes(database, { application, testId });
  return true;
}

/** Removes quotes of what the app responded from the failure and the history of a test. */
function removeQuotes(database: Database, ofTest: TestKey): void {
  database.run(
    `UPDATE test SET failure = ${withJsonField('failure', 'message', withoutQuote(FAILURE_MESSAGE))}
     WHERE application = :application AND id = :testId AND ${hasQuote(FAILURE_MESSAGE)}`,
    { ...ofTest },
  );
  database.run(
    `UPDATE test_event SET detail = ${withoutQuote('detail')}
     WHERE application = :application AND test_id = :testId AND ${hasQuote('detail')}`,
    { ...ofTest },
  );
}

/** Prompt of a test whose texts were erased. */
export const ERASED = '[erased]';

export const isErased = (database: Database, { application, testId }: TestKey): boolean =>
  database.get('SELECT 1 FROM test WHERE application = :application AND id = :testId AND prompt = :erased', {
    application,
    testId,
    erased: ERASED,
  }) !== undefined;

/** Reports whether tests of a run were erased, so that what was requested for it is no longer stored. */
export const isRunErased = (
  database: Database,
  { application, runId }: { application: number; runId: string },
): boolean =>
  database.get(
    `SELECT 1 FROM test WHERE application = :application AND run_id = :runId
       AND failure IS NOT NULL AND ${jsonField('failure', 'code')} = 'erased' LIMIT 1`,
    { application, runId },
  ) !== undefined;

/** Removes the texts that a test copies from an erased trace, and quotes of what the app responded to them. */
export function eraseTestTexts(
  database: Database,
  { application, testId, at }: TestKey & { at: number },
): void {
  const erased = {
    prompt: ERASED,
    promptObject: null,
    exampleId: null,
    exampleVersion: null,
    exampleIndex: null,
    // Metadata of the example are in those of the test.
    metadata: null,
  };
  texts.update(database, { application, id: testId, at }, erased);
  removeQuotes(database, { application, testId });
  saveOutcome(database, { application, testId });
}

/** Most tests that one command changes. */
const STEP_REASONS = 200;
const UNWRITTEN = 'prompt_not_written';
/** Message of tests whose reason quoted prompts that were erased. */
const UNWRITTEN_MESSAGE = 'The prompt model wrote no prompt that could be used.';

/** Replaces the reasons of some tests of tasks for which no prompt was written, because they quote prompts; returns whether none is left. */
export function eraseWritingReasons(
  database: Database,
  { application, taskIds }: { application: number; taskIds: readonly string[] },
): boolean {
  const ids = database
    .all<{ id: string }>(
      `SELECT id FROM test WHERE application = :application AND task_id IN ${valuesOf(':taskIds')} AND failure IS NOT NULL
         AND ${jsonField('failure', 'code')} = '${UNWRITTEN}' AND ${jsonField('failure', 'message')} <> :message LIMIT ${STEP_REASONS}`,
      { application, taskIds: JSON.stringify(taskIds), message: UNWRITTEN_MESSAGE },
    )
    .map(({ id }) => id);
  const args = { application, ids: JSON.stringify(ids), message: UNWRITTEN_MESSAGE };
  database.run(
    `UPDATE test SET failure = ${withJsonField('failure', 'message', ':message')}
     WHERE application = :application AND id IN ${valuesOf(':ids')}`,
    args,
  );
  database.run(
    `UPDATE test_event SET detail = '${UNWRITTEN}: ' || :message
     WHERE application = :application AND test_id IN ${valuesOf(':ids')} AND detail LIKE '${UNWRITTEN}: %'`,
    args,
  );
  return ids.length < STEP_REASONS;
}

/** Stores the number of finished current evals of a test; returns whether that may change pass rates. */
export function storeEvalCounts(
  database: Database,
  { application, testId, at }: TestKey & { at: number },
  evals: { finishedEvals: number; passedEvals: number },
): boolean {
  const test = findTest(database, { application, testId });
  if (!test) return false;
  counts.update(database, { application, id: testId, at }, { ...evals, ...countsOf(test, evals) });
  if (isOver(test)) saveOutcome(database, { application, testId });
  return isOver(test) || test.runType === 'MONITORING';
}

export interface NewRun extends NewOf<typeof runs> {
  application: number;
  /** Time of the change, in Unix milliseconds. */
  at: number;
}

export function insertRun(database: Database, { application, at, ...run }: NewRun): void {
  runs.insert(database, { application, at }, run);
}

/** Stores the prompt of a test that was started without one. */
export const storePrompt = (
  database: Database,
  { application, at, ...prompt }: WrittenOf<typeof prompts> & { application: number; at: number },
): void => prompts.update(database, { application, id: prompt.id, at }, prompt);

export interface NewTest extends Omit<NewOf<typeof newTests>, 'status' | 'phase' | 'traceId'> {
  application: number;
  /** Creation time, in Unix milliseconds. */
  at: number;
}

/** Lets a test be judged by the definitions of today, and no longer by those that its run set has fixed. */
export const leaveSnapshot = (database: Database, { application, testId }: TestKey): void => {
  database.run(
    `UPDATE test SET snapshot_id = NULL WHERE application = :application AND id = :testId AND snapshot_id IS NOT NULL`,
    { application, testId },
  );
};

/** Stores a test that waits for delivery, in a trace of its own. */
export function insertTest(database: Database, { application, at, ...test }: NewTest): void {
  const beginning = { status: 'PENDING', phase: 'queued', traceId: randomBytes(16) } as const;
  newTests.insert(database, { application, at }, { ...test, ...beginning });
  addEntry(
    database,
    { application, testId: test.id },
    { at, phase: 'queued', detail: 'The test was started.' },
  );
}
