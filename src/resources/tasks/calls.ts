import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { scheduleCommands, scheduleQueries } from './schedule-store.ts';
import type { taskCommands, taskQueries } from './store.ts';

export const { putSchedule, deleteSchedule } = commandsOf<typeof scheduleCommands>();
export const { getSchedule } = queriesOf<typeof scheduleQueries>();
export const { createTask, updateTask, deleteTask } = commandsOf<typeof taskCommands>();
export const { getTask, listTasks, listTaskIds } = queriesOf<typeof taskQueries>();
