import type { DerivedRows } from '../../storage/derived-rows.ts';

interface TaskKey {
  application: number;
  id: string;
}

const CRITICALITY = `(SELECT criticality FROM task_schedule
  WHERE task_schedule.application = task.application AND task_schedule.task_id = task.id)`;

/** The criticality of its schedule in the row of a task. */
const criticality: DerivedRows<TaskKey> = {
  what: 'criticalities of tasks',
  find: (database, limit) =>
    database.all<TaskKey>(
      `SELECT application, id FROM task WHERE schedule_criticality IS DISTINCT FROM ${CRITICALITY} LIMIT :limit`,
      { limit },
    ),
  describe: ({ id }) => ({ of: `task ${id}`, fault: 'its criticality is not that of its schedule' }),
  repair: (database, { application, id }) =>
    void database.run(
      `UPDATE task SET schedule_criticality = ${CRITICALITY} WHERE application = :application AND id = :id`,
      { application, id },
    ),
};

export const DERIVED_OF_TASKS = [criticality] as DerivedRows[];
