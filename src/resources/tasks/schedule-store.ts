import { isoTime } from '../../contract/values.ts';
import { frequencyFault, nextRun } from '../../deliver/schedule.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { requireRow } from '../../storage/require-row.ts';
import { withGiven } from '../../contract/with-given.ts';
import type { ScheduleBody, TaskSchedule } from './schedule-contract.ts';

interface OfTask {
  application: number;
  taskId: string;
}

type ScheduleFields = Pick<TaskSchedule, 'criticality' | 'cron' | 'timezone' | 'enabled'>;
const DEFAULTS = { cron: null, timezone: 'UTC', enabled: true };

/** Fields that are left out stay as they were. Throws `not_found`, `conflict` and `bad_request`. */
function putSchedule(
  database: Database,
  { application, taskId, given, at }: OfTask & { given: ScheduleBody; at: number },
): TaskSchedule {
  if (taskStatus(database, { application, taskId }) === 'ARCHIVED')
    throw new AppError('conflict', 'An archived task has no schedule');
  const before = findSchedule(database, { application, taskId }) ?? DEFAULTS;
  const { criticality, cron, timezone, enabled } = withGiven<ScheduleFields>(
    { ...before, criticality: given.criticality },
    given,
  );
  const fault = cron === null ? null : frequencyFault(criticality, cron);
  if (fault) throw new AppError('bad_request', `With criticality ${criticality}, cron ${fault}`);
  database.run(
    `INSERT INTO task_schedule (task_id, application, criticality, cron, timezone, enabled)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (task_id) DO UPDATE SET criticality = ?3, cron = ?4, timezone = ?5, enabled = ?6
       WHERE application = ?2`,
    taskId,
    application,
    criticality,
    cron,
    timezone,
    Number(enabled),
  );
  setCriticality(database, { application, taskId }, criticality);
  planNextRun(database, { application, taskId, at });
  return getSchedule(database, { application, taskId });
}

/**
 * Plans the next run of a task after `at`, none when its schedule is off or the task not active. To be called after
 * either has changed, so that `next_run_at` tells all there is to know about what is due.
 */
export function planNextRun(database: Database, { application, taskId, at }: OfTask & { at: number }): void {
  const schedule = findSchedule(database, { application, taskId });
  if (!schedule) return;
  const isActive = schedule.enabled && taskStatus(database, { application, taskId }) === 'ACTIVE';
  database.run(
    'UPDATE task_schedule SET next_run_at = ? WHERE application = ? AND task_id = ?',
    isActive ? nextRun({ ...schedule, after: at }) : null,
    application,
    taskId,
  );
}

/** Throws `not_found`. */
function deleteSchedule(database: Database, { application, taskId }: OfTask): void {
  taskStatus(database, { application, taskId });
  const sql = 'DELETE FROM task_schedule WHERE application = ? AND task_id = ?';
  if (database.run(sql, application, taskId) === 0) throw notFound();
  setCriticality(database, { application, taskId }, null);
}

/** The task carries it too, for the filter of lists. */
function setCriticality(
  database: Database,
  { application, taskId }: OfTask,
  criticality: TaskSchedule['criticality'] | null,
): void {
  database.run(
    'UPDATE task SET schedule_criticality = ? WHERE application = ? AND id = ?',
    criticality,
    application,
    taskId,
  );
}

/** Throws `not_found`. */
function getSchedule(database: Database, { application, taskId }: OfTask): TaskSchedule {
  taskStatus(database, { application, taskId });
  const schedule = findSchedule(database, { application, taskId });
  if (!schedule) throw notFound();
  return schedule;
}

const notFound = (): AppError => new AppError('not_found', 'schedule not found');

type Row = Omit<TaskSchedule, 'enabled' | 'nextRunAt' | 'lastRunAt'> & {
  enabled: number;
  nextRunAt: number | null;
  lastRunAt: number | null;
};

export function findSchedule(database: Database, { application, taskId }: OfTask): TaskSchedule | null {
  const row = database.get<Row>(
    `SELECT task_id AS taskId, criticality, cron, timezone, enabled, next_run_at AS nextRunAt, last_run_at AS lastRunAt
     FROM task_schedule WHERE application = ? AND task_id = ?`,
    application,
    taskId,
  );
  if (!row) return null;
  const { enabled, nextRunAt, lastRunAt } = row;
  return {
    ...row,
    enabled: enabled === 1,
    nextRunAt: nextRunAt === null ? null : isoTime(nextRunAt),
    lastRunAt: lastRunAt === null ? null : isoTime(lastRunAt),
  };
}

/** Throws `not_found` when the application has no such task. */
function taskStatus(database: Database, { application, taskId }: OfTask): string {
  return requireRow<{ status: string }>(
    database,
    { application, table: 'task', noun: 'task', id: taskId },
    'status',
  ).status;
}

export const scheduleCommands = { putSchedule, deleteSchedule };
export const scheduleQueries = { getSchedule };
