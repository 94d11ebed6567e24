import { frequencyFault, nextRun } from '../../deliver/schedule.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import { tasks } from './record.ts';
import type { ScheduleBody, TaskSchedule } from './schedule-contract.ts';
import { schedules } from './schedule-record.ts';

interface OfTask {
  application: number;
  taskId: string;
}

type ScheduleFields = Pick<TaskSchedule, 'criticality' | 'cron' | 'timezone' | 'enabled'>;
const DEFAULTS = { cron: null, timezone: 'UTC', enabled: true };

/** Columns of a task that its schedule needs. */
const statuses = tasks.pick('id', 'status');

/** Fields that are left out stay as they were. Throws `not_found`, `conflict` and `bad_request`. */
function putSchedule(
  database: Database,
  { application, taskId, given, at }: OfTask & { given: ScheduleBody; at: number },
): TaskSchedule {
  if (statuses.require(database, application, taskId).status === 'ARCHIVED')
    throw new AppError('conflict', 'An archived task has no schedule');
  const before = schedules.find(database, application, taskId) ?? DEFAULTS;
  const fields = applyPatch<ScheduleFields>({ ...before, criticality: given.criticality }, given);
  const { criticality, cron } = fields;
  const fault = cron === null ? null : frequencyFault(criticality, cron);
  if (fault) throw new AppError('bad_request', `With criticality ${criticality}, cron ${fault}`);
  const { timezone, enabled } = fields;
  schedules.save(database, { application, at }, { taskId, criticality, cron, timezone, enabled });
  setCriticality(database, { application, taskId }, criticality);
  planNextRun(database, { application, taskId, at });
  return getSchedule(database, { application, taskId });
}

/**
 * Plans the next run of a task after `at`; none when its schedule is disabled or the task not active. Must be called after
 * either has changed: schedules are due by `next_run_at` alone.
 */
export function planNextRun(database: Database, { application, taskId, at }: OfTask & { at: number }): void {
  const schedule = schedules.find(database, application, taskId);
  if (!schedule) return;
  const isActive = schedule.enabled && statuses.require(database, application, taskId).status === 'ACTIVE';
  const nextRunAt = isActive ? nextRun({ ...schedule, after: at }) : null;
  schedules.update(database, { application, id: taskId, at }, { nextRunAt });
}

/** Throws `not_found`. */
function deleteSchedule(database: Database, { application, taskId }: OfTask): void {
  tasks.requireAll(database, application, [taskId]);
  schedules.delete(database, { application, id: taskId });
  setCriticality(database, { application, taskId }, null);
}

/** The task carries it too, for the filter of lists. */
function setCriticality(
  database: Database,
  { application, taskId }: OfTask,
  criticality: TaskSchedule['criticality'] | null,
): void {
  database.run(
    'UPDATE task SET schedule_criticality = :criticality WHERE application = :application AND id = :taskId',
    { criticality, application, taskId },
  );
}

/** Throws `not_found`. */
function getSchedule(database: Database, { application, taskId }: OfTask): TaskSchedule {
  tasks.requireAll(database, application, [taskId]);
  return schedules.require(database, application, taskId);
}

/** The schedules of these tasks, by their ids. */
export function schedulesOf(
  database: Database,
  application: number,
  taskIds: readonly string[],
): Map<string, TaskSchedule> {
  const condition = `task_id IN ${valuesOf(':ids')}`;
  const found = schedules.all(database, application, condition, { ids: JSON.stringify(taskIds) });
  return new Map(found.map((schedule) => [schedule.taskId, schedule]));
}

export const scheduleCommands = { putSchedule, deleteSchedule };
export const scheduleQueries = { getSchedule };
