import type { Database } from '../storage/database.ts';
import { arrayLength } from '../storage/dialect.ts';
import { catchUp, type Criticality, nextRun, type Rhythm } from './schedule.ts';
import { addRuns, type StartedRun, triggerTasks } from './trigger.ts';

/** Schedules looked at by one command, and tests, and characters of these, after which it starts no further run. */
const MAX_DUE = 50;
const MAX_DUE_TESTS = 500;
const MAX_DUE_CHARACTERS = 4 * 1024 * 1024;
/** Missed schedules moved by one command. */
const MAX_MISSED = 1_000;
/** A scheduled run takes each input example of its task once, and no more of them than this. */
const MAX_EXAMPLES = 100;

interface ScheduleRow {
  taskId: string;
  application: number;
  criticality: Criticality;
  cron: string | null;
  timezone: string;
  nextRunAt: number;
}

const COLUMNS = `task_schedule.task_id AS taskId, task_schedule.application, criticality, cron, timezone,
  next_run_at AS nextRunAt`;

/** Time when the next schedule is due, in Unix milliseconds; null when none is enabled. */
export function nextScheduleAt(database: Database, _args: null): number | null {
  const sql = `SELECT min(next_run_at) AS "nextAt" FROM task_schedule WHERE enabled = 1`;
  return database.get<{ nextAt: number | null }>(sql)?.nextAt ?? null;
}

/**
 * Runs what is due, some at a time. A task whose last tests are not over yet, or that is no longer active, is left out
 * until its next time.
 */
export function runDueSchedules(database: Database, { now }: { now: number }): StartedRun[] {
  const due = database.all<ScheduleRow & DueTask>(
    `SELECT ${COLUMNS}, task.status, ${arrayLength('input_examples')} AS examples,
       length(input_examples) AS exampleCharacters, coalesce(length(metadata), 0) AS metadataCharacters
     FROM task_schedule JOIN task ON task.id = task_id AND task.application = task_schedule.application
     WHERE enabled = 1 AND next_run_at <= ? ORDER BY next_run_at LIMIT ?`,
    now,
    MAX_DUE,
  );
  const runs: StartedRun[] = [];
  let [tests, characters] = [0, 0];
  for (const schedule of due) {
    // The others are still due.
    if (tests >= MAX_DUE_TESTS || characters >= MAX_DUE_CHARACTERS) break;
    const isRunnable = schedule.status === 'ACTIVE' && !hasOpenTests(database, schedule);
    moveOn(database, schedule, nextRun({ ...rhythmOf(schedule), after: now }));
    if (!isRunnable) continue;
    database.run('UPDATE task_schedule SET last_run_at = ? WHERE task_id = ?', now, schedule.taskId);
    const repeat = Math.min(Math.max(schedule.examples, 1), MAX_EXAMPLES);
    tests += repeat;
    characters += schedule.exampleCharacters + repeat * schedule.metadataCharacters;
    startTests(database, schedule, { repeat, now }, runs);
  }
  return runs;
}

interface DueTask {
  status: string;
  examples: number;
  exampleCharacters: number;
  metadataCharacters: number;
}

/** Starts all tests of a scheduled run at once: there is nobody who would start the rest. */
function startTests(
  database: Database,
  { application, taskId }: ScheduleRow,
  { repeat, now }: { repeat: number; now: number },
  runs: StartedRun[],
): void {
  const args = {
    application,
    taskIds: [taskId],
    repeat,
    type: 'SCHEDULED',
    experiment: null,
    at: now,
  } as const;
  let { runs: started, next } = triggerTasks(database, args);
  addRuns(runs, started);
  while (next) {
    ({ runs: started, next } = triggerTasks(database, { ...args, from: next }));
    addRuns(runs, started);
  }
}

/**
 * Spreads what was missed while no process ran, so that it is made up for once and not all at the same moment. Some
 * schedules at a time: returns whether there may be more.
 */
export function catchUpSchedules(database: Database, { startedAt }: { startedAt: number }): boolean {
  const missed = database.all<ScheduleRow>(
    `SELECT ${COLUMNS} FROM task_schedule WHERE enabled = 1 AND next_run_at <= ? LIMIT ?`,
    startedAt,
    MAX_MISSED,
  );
  for (const schedule of missed) {
    const { nextRunAt } = schedule;
    moveOn(database, schedule, catchUp({ ...rhythmOf(schedule), nextRunAt, startedAt }));
  }
  return missed.length === MAX_MISSED;
}

function rhythmOf({ taskId, criticality, cron, timezone }: ScheduleRow): Rhythm {
  return { taskId, criticality, cron, timezone };
}

function moveOn(database: Database, { application, taskId }: ScheduleRow, nextRunAt: number): void {
  database.run(
    'UPDATE task_schedule SET next_run_at = :nextRunAt WHERE application = :application AND task_id = :taskId',
    { nextRunAt, application, taskId },
  );
}

function hasOpenTests(database: Database, { application, taskId }: ScheduleRow): boolean {
  return (
    database.get(
      `SELECT 1 FROM test WHERE application = ? AND task_id = ? AND status IN ('PENDING', 'IN_PROGRESS') LIMIT 1`,
      application,
      taskId,
    ) !== undefined
  );
}
