import type { Database } from '../storage/database.ts';
import { catchUp, type Criticality, longestWaitMs, nextRun, type Rhythm } from './schedule.ts';
import { addRuns, type StartedRun, triggerTasks } from './trigger.ts';

/** Limits of one command: schedules it examines, and tests and characters after which it starts no further run. */
const MAX_DUE = 50;
const MAX_DUE_TESTS = 500;
const MAX_DUE_CHARACTERS = 4 * 1024 * 1024;
/** Most missed schedules that one command plans again. */
const MAX_MISSED = 1_000;
/** Most tests of a scheduled run. The run uses each input example of its task once. */
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

/** Returns when the next schedule is due, in Unix milliseconds; null when none is enabled. */
export function nextScheduleAt(database: Database, _args: null): number | null {
  const sql = `SELECT min(next_run_at) AS "nextAt" FROM task_schedule WHERE enabled = 1`;
  return database.get<{ nextAt: number | null }>(sql)?.nextAt ?? null;
}

/**
 * Runs some of the due schedules. A task is skipped until its next time when it is no longer active, has no examples
 * (or is `NORMAL` and there is no prompt model), or its last tests have not ended.
 */
export function runDueSchedules(
  database: Database,
  { now, hasPromptModel }: { now: number; hasPromptModel: boolean },
): StartedRun[] {
  const due = database.all<ScheduleRow & DueTask>(
    `SELECT ${COLUMNS}, task.status, task.type, coalesce(length(metadata), 0) AS metadataCharacters
     FROM task_schedule JOIN task ON task.id = task_id AND task.application = task_schedule.application
     WHERE enabled = 1 AND next_run_at <= :now ORDER BY next_run_at LIMIT :limit`,
    { now, limit: MAX_DUE },
  );
  const runs: StartedRun[] = [];
  let [tests, characters] = [0, 0];
  for (const schedule of due) {
    // The remaining schedules stay due.
    if (tests >= MAX_DUE_TESTS || characters >= MAX_DUE_CHARACTERS) break;
    const examples = examplesOf(database, schedule);
    const isNormal = schedule.type === 'NORMAL';
    const isRunnable =
      schedule.status === 'ACTIVE' &&
      (isNormal ? hasPromptModel : examples.count > 0) &&
      !hasOpenTests(database, schedule);
    moveOn(database, schedule, nextRun({ ...rhythmOf(schedule), after: now }));
    if (!isRunnable) continue;
    database.run('UPDATE task_schedule SET last_run_at = :now WHERE task_id = :taskId', {
      now,
      taskId: schedule.taskId,
    });
    // A model writes as many prompts as the task has examples.
    const repeat = isNormal ? Math.max(examples.count, 1) : examples.count;
    tests += repeat;
    characters += examples.characters + repeat * schedule.metadataCharacters;
    startTests(database, schedule, { repeat, now }, runs);
  }
  return runs;
}

interface DueTask {
  status: string;
  type: string;
  metadataCharacters: number;
}

/** Returns the number of the first examples of a task that a scheduled run tests, and the length of their prompts. */
const examplesOf = (
  database: Database,
  { application, taskId }: ScheduleRow,
): { count: number; characters: number } =>
  database.get(
    `SELECT count(*) AS count, coalesce(sum(length(prompt)), 0) AS characters FROM (
       SELECT prompt FROM example WHERE application = :application AND task_id = :taskId AND status = 'ACTIVE'
       ORDER BY position, id LIMIT :limit) AS beginning`,
    { application, taskId, limit: MAX_EXAMPLES },
  ) ?? { count: 0, characters: 0 };

/** Starts all tests of a scheduled run in one command, because no client would start the rest. */
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
    promptSeed: 0,
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
 * Plans runs that were missed while no process ran: each is made up for once, and they are spread over time. Handles
 * a limited number of schedules; returns whether there may be more.
 */
export function catchUpSchedules(database: Database, { startedAt }: { startedAt: number }): boolean {
  const missed = database.all<ScheduleRow>(
    `SELECT ${COLUMNS} FROM task_schedule WHERE enabled = 1 AND next_run_at <= :startedAt LIMIT :limit`,
    { startedAt, limit: MAX_MISSED },
  );
  for (const schedule of missed) {
    const { nextRunAt } = schedule;
    moveOn(database, schedule, catchUp({ ...rhythmOf(schedule), nextRunAt, startedAt }));
  }
  return missed.length === MAX_MISSED;
}

/**
 * Plans schedules again whose next run is further ahead than their period: they were planned while the clock was ahead,
 * and would be silent until that time. Handles a limited number of schedules; returns whether there may be more.
 */
export function replanSchedules(database: Database, { now }: { now: number }): boolean {
  const ahead = database.all<ScheduleRow>(
    `SELECT ${COLUMNS} FROM task_schedule
     WHERE enabled = 1 AND next_run_at > :high
       AND next_run_at > CASE criticality WHEN 'HIGH' THEN :high WHEN 'MEDIUM' THEN :medium ELSE :low END
     LIMIT :limit`,
    {
      high: now + longestWaitMs('HIGH'),
      medium: now + longestWaitMs('MEDIUM'),
      low: now + longestWaitMs('LOW'),
      limit: MAX_MISSED,
    },
  );
  for (const schedule of ahead) moveOn(database, schedule, nextRun({ ...rhythmOf(schedule), after: now }));
  return ahead.length === MAX_MISSED;
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
      `SELECT 1 FROM test WHERE application = :application AND task_id = :taskId AND status IN ('PENDING', 'IN_PROGRESS') LIMIT 1`,
      { application, taskId },
    ) !== undefined
  );
}
