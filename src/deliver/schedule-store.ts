import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
import type { NewOf, FieldsOf } from '../storage/record.ts';
import { nextRun } from './schedule.ts';
import { schedules } from './schedule-record.ts';

interface OfTask {
  application: number;
  taskId: string;
}

export type Schedule = FieldsOf<typeof schedules>;

/** Stores the schedule of a task, without planning its next run. */
export const saveSchedule = (
  database: Database,
  { application, at, ...fields }: { application: number; at: number } & NewOf<typeof schedules>,
): void => schedules.save(database, { application, at }, fields);

/**
 * Plans the next run of a task after `at`, or none when its schedule is disabled or the task is not active. Call it
 * after either has changed, because due schedules are found by `next_run_at` alone.
 */
export function planNextRun(
  database: Database,
  { application, taskId, isActive, at }: OfTask & { isActive: boolean; at: number },
): void {
  const schedule = schedules.find(database, application, taskId);
  if (!schedule) return;
  const nextRunAt = isActive && schedule.enabled ? nextRun({ ...schedule, after: at }) : null;
  schedules.update(database, { application, id: taskId, at }, { nextRunAt });
}

/** Removes the planned runs of tasks that are no longer active. */
export function stopSchedules(
  database: Database,
  { application, taskIds, at }: { application: number; taskIds: readonly string[]; at: number },
): void {
  const areTheirs = `task_id IN ${valuesOf(':taskIds')}`;
  const values = { taskIds: JSON.stringify(taskIds) };
  schedules.updateAll(database, { application, at }, { nextRunAt: null }, areTheirs, values);
}

/** Deletes the schedule of a task. Throws `not_found`. */
export const deleteScheduleOf = (database: Database, { application, taskId }: OfTask): void =>
  schedules.delete(database, { application, id: taskId });

/** Returns the schedule of a task if it has one. */
export const findSchedule = (database: Database, { application, taskId }: OfTask): Schedule | undefined =>
  schedules.find(database, application, taskId);

/** Returns the schedules of tasks, by task id. */
export function schedulesOf(
  database: Database,
  application: number,
  taskIds: readonly string[],
): Map<string, Schedule> {
  const condition = `task_id IN ${valuesOf(':ids')}`;
  const found = schedules.all(database, application, condition, { ids: JSON.stringify(taskIds) });
  return new Map(found.map((schedule) => [schedule.taskId, schedule]));
}
