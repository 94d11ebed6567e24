import { randomUUID } from 'node:crypto';
import { promptObjectOf } from '../../../deliver/payload.ts';
import { DELIVER } from '../../../deliver/delivery-store.ts';
import { enqueueJob } from '../../../jobs/store.ts';
import type { Database } from '../../../storage/database.ts';
import { valuesOf } from '../../../storage/dialect.ts';
import { withHooks } from '../../../storage/operations.ts';
import { type Failure, TEXTS_ERASED } from '../../../tests/failures.ts';
import { runs } from '../../../tests/record.ts';
import { applyEvent, findTest, isRunErased, storePrompt, type TestHooks } from '../../../tests/store.ts';
import { tasks } from '../../tasks/record.ts';
import { examples } from '../record.ts';
import { nextPosition } from '../store.ts';
import type { PromptBrief } from './question.ts';

/** Limits of the examples and the written prompts that a model is shown. */
const MAX_SHOWN = 20;
const MAX_SHOWN_CHARACTERS = 20_000;
const MAX_WRITTEN = 100;
/** Most tests that one command changes. */
const STEP_TESTS = 500;

interface OfRun {
  application: number;
  runId: string;
}

const briefed = tasks.pick('id', 'title', 'description', 'simulatedPromptSchema');
const prompts = examples.pick('id', 'prompt');

/** SQL for the tests of a run that have no prompt yet. */
const UNWRITTEN = `application = :application AND run_id = :runId AND status = 'PENDING' AND example_id IS NULL`;

/** Returns what the prompts of a run are written from; null if the run or its task no longer exists. */
function promptBrief(database: Database, { application, runId }: OfRun): PromptBrief | null {
  const run = runs.find(database, application, runId);
  const task = run && briefed.find(database, application, run.taskId);
  if (!task) return null;
  const { id: taskId, simulatedPromptSchema: schema, title, description } = task;
  const first = prompts.all(
    database,
    application,
    `task_id = :taskId AND status = 'ACTIVE' ORDER BY position, id LIMIT ${MAX_SHOWN}`,
    { taskId },
  );
  return {
    taskId,
    title,
    description,
    schema,
    examples: within(
      MAX_SHOWN_CHARACTERS,
      first.map(({ prompt }) => prompt),
    ),
    seed: run.promptSeed ?? 0,
    waiting: countUnwritten(database, { application, runId }),
  };
}

/** Returns as many of the first texts as have at most `limit` characters. */
function within(limit: number, texts: readonly string[]): string[] {
  let left = limit;
  return texts.filter((text) => (left -= text.length) >= 0);
}

const countUnwritten = (database: Database, run: OfRun): number =>
  database.get<{ n: number }>(`SELECT count(*) AS n FROM test WHERE ${UNWRITTEN}`, { ...run })?.n ?? 0;

interface OfPrefix {
  application: number;
  taskId: string;
  prefix: string;
}

/** SQL for the examples whose keys begin with `:prefix`, which ends with a colon. */
const OF_PREFIX = `task_id = :taskId AND key > :prefix AND key < :prefix || 'g'`;

/** Returns the latest prompts that were written with this prefix of their keys. */
function writtenPrompts(database: Database, { application, ...of }: OfPrefix): string[] {
  const found = prompts.all(
    database,
    application,
    `${OF_PREFIX} ORDER BY position DESC, id LIMIT ${MAX_WRITTEN}`,
    of,
  );
  return within(
    MAX_SHOWN_CHARACTERS,
    found.map(({ prompt }) => prompt),
  );
}

export interface WrittenPrompt {
  key: string;
  prompt: string;
  isObject: boolean;
}

interface StoreWritten extends OfRun {
  taskId: string;
  written: readonly WrittenPrompt[];
  at: number;
}

/** Stores prompts that a model wrote, except those that the task already has; returns their keys. */
function storeWritten(
  database: Database,
  { application, runId, taskId, written, at }: StoreWritten,
): string[] {
  // What the model was shown may have been erased since.
  if (isRunErased(database, { application, runId })) return [];
  if (!tasks.find(database, application, taskId)) return [];
  const texts = JSON.stringify(written.map(({ prompt }) => prompt));
  const known = prompts.all(
    database,
    application,
    `task_id = :taskId AND status = 'ACTIVE' AND prompt IN ${valuesOf(':texts')}`,
    { taskId, texts },
  );
  const taken = new Set(known.map(({ prompt }) => prompt));
  let position = nextPosition(database, { application, taskId });
  return written
    .filter(({ prompt }) => !taken.has(prompt))
    .filter((one) => {
      const fixed = { tags: [], weight: 1, status: 'WRITTEN', version: 1 } as const;
      const example = { ...one, ...fixed, id: randomUUID(), taskId, position };
      const isNew = examples.tryInsert(database, { application, at }, { ...example, tags: [] });
      if (isNew) position += 1;
      return isNew;
    })
    .map(({ key }) => key);
}

interface PromptToSend {
  id: string;
  prompt: string;
  isObject: number;
  position: number;
  version: number;
}

/**
 * Gives written prompts to tests of a run that have none, each prompt to one test, and has these delivered. Returns the
 * number of tests that still have none.
 */
function assignPrompts(
  database: Database,
  { application, runId, taskId, prefix, at }: OfRun & OfPrefix & { at: number },
): number {
  const run = { application, runId };
  const free = database.all<PromptToSend>(
    `SELECT id, prompt, is_object AS isObject, position, version FROM example
     WHERE application = :application AND ${OF_PREFIX} AND status <> 'ARCHIVED' AND NOT EXISTS (
       SELECT 1 FROM test WHERE test.application = :application AND example_id = example.id AND run_id = :runId)
     ORDER BY position, id LIMIT ${STEP_TESTS}`,
    { ...run, taskId, prefix },
  );
  const waiting = database.all<{ id: string }>(
    `SELECT id FROM test WHERE ${UNWRITTEN} ORDER BY created_at, id LIMIT ${free.length}`,
    run,
  );
  const schema = tasks.find(database, application, taskId)?.simulatedPromptSchema ?? null;
  for (const [index, { id }] of waiting.entries()) {
    const { prompt, isObject, ...example } = free[index] as PromptToSend;
    const object = isObject === 1 ? prompt : promptObjectOf(prompt, schema);
    storePrompt(database, {
      application,
      at,
      id,
      prompt,
      promptObject: object === null || typeof object === 'string' ? object : JSON.stringify(object),
      exampleId: example.id,
      exampleVersion: example.version,
      exampleIndex: example.position,
    });
    enqueueJob(database, { application, kind: DELIVER, key: id, dueAt: at, at });
  }
  return countUnwritten(database, run);
}

/** Fails some of the tests of a run that have no prompt; returns whether there may be more. */
function rejectUnwritten(
  database: Database,
  { application, runId, failure, at }: OfRun & { failure: Failure; at: number },
  hooks: TestHooks,
): boolean {
  const some = database.all<{ id: string }>(
    `SELECT id FROM test WHERE ${UNWRITTEN} ORDER BY id LIMIT ${STEP_TESTS}`,
    { application, runId },
  );
  for (const { id: testId } of some) {
    const test = findTest(database, { application, testId });
    if (test) applyEvent(database, { test, event: { type: 'reject', failure }, at, checkAt: null }, hooks);
  }
  return some.length === STEP_TESTS;
}

/** Ends some of the tests whose prompts a model writes from what a task shows it, which is erased; returns whether none is left. */
export function endUnwritten(
  database: Database,
  { application, taskIds, at }: { application: number; taskIds: readonly string[]; at: number },
  hooks: TestHooks,
): boolean {
  const some = database.all<{ id: string }>(
    `SELECT test.id FROM test JOIN run ON run.application = test.application AND run.id = run_id
     WHERE test.application = :application AND test.task_id IN ${valuesOf(':taskIds')}
       AND status = 'PENDING' AND example_id IS NULL AND prompt_seed IS NOT NULL LIMIT ${STEP_TESTS}`,
    { application, taskIds: JSON.stringify(taskIds) },
  );
  const event = { type: 'erase', failure: TEXTS_ERASED } as const;
  for (const { id: testId } of some) {
    const test = findTest(database, { application, testId });
    if (test) applyEvent(database, { test, event, at, checkAt: null }, hooks);
  }
  return some.length < STEP_TESTS;
}

export const writingCommands = (hooks: TestHooks) => ({
  storeWritten,
  assignPrompts,
  rejectUnwritten: withHooks(hooks)(rejectUnwritten),
});
export const writingQueries = { promptBrief, writtenPrompts };
