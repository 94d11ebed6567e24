import { frequencyFault } from '../../deliver/schedule.ts';
import {
  deleteScheduleOf,
  findSchedule,
  planNextRun,
  type Schedule,
  saveSchedule,
} from '../../deliver/schedule-store.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { notFound } from '../../storage/require-row.ts';
import type { Database } from '../../storage/database.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import { tasks } from './record.ts';
import { shownSchedule } from './shown-schedule.ts';
import type { ScheduleBody, TaskSchedule } from './schedule-contract.ts';

interface OfTask {
  owner: Owner;
  taskId: string;
}

type ScheduleFields = Pick<Schedule, 'criticality' | 'cron' | 'timezone' | 'enabled'>;
const DEFAULTS = { cron: null, timezone: 'UTC', enabled: true };

/** Columns of a task that its schedule needs. */
const statuses = tasks.pick('id', 'status');

/**
 * Creates or changes the schedule of a task; absent fields keep their values. Throws `not_found`, `conflict` and
 * `bad_request`.
 */
function putSchedule(
  database: Database,
  { owner, taskId, given, at }: OfTask & { given: ScheduleBody; at: number },
): TaskSchedule {
  const { application } = owner;
  const { status } = statuses.require(database, application, taskId);
  if (status === 'ARCHIVED') throw new AppError('conflict', 'An archived task has no schedule');
  const before = findSchedule(database, { application, taskId }) ?? DEFAULTS;
  const changes = { ...given, cron: given.cron === '' ? null : given.cron };
  const fields = applyPatch<ScheduleFields>({ ...before, criticality: given.criticality }, changes);
  const { criticality, cron } = fields;
  const fault = cron === null ? null : frequencyFault(criticality, cron);
  if (fault) throw new AppError('bad_request', `With criticality ${criticality}, cron ${fault}`);
  const { timezone, enabled } = fields;
  saveSchedule(database, { application, at, taskId, criticality, cron, timezone, enabled });
  setCriticality(database, { application, taskId }, criticality);
  planNextRun(database, { application, taskId, isActive: status === 'ACTIVE', at });
  return getSchedule(database, { owner, taskId });
}

/** Deletes the schedule of a task; throws `not_found`. */
function deleteSchedule(database: Database, { owner: { application }, taskId }: OfTask): void {
  tasks.requireAll(database, application, [taskId]);
  deleteScheduleOf(database, { application, taskId });
  setCriticality(database, { application, taskId }, null);
}

/** Stores the criticality with the task too, for the filter of lists. */
function setCriticality(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
  criticality: TaskSchedule['criticality'] | null,
): void {
  database.run(
    'UPDATE task SET schedule_criticality = :criticality WHERE application = :application AND id = :taskId',
    { criticality, application, taskId },
  );
}

/** Returns the schedule of a task; throws `not_found`. */
function getSchedule(database: Database, { owner, taskId }: OfTask): TaskSchedule {
  const { application } = owner;
  tasks.requireAll(database, application, [taskId]);
  const schedule = findSchedule(database, { application, taskId });
  if (!schedule) throw notFound('schedule');
  return shownSchedule(schedule, owner);
}

export const scheduleCommands = { putSchedule, deleteSchedule };
export const scheduleQueries = { getSchedule };
