import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { scheduleBody, taskSchedule } from './schedule-contract.ts';
import type { scheduleCommands, scheduleQueries } from './schedule-store.ts';

interface ScheduleDeps {
  read: Call<typeof scheduleQueries>;
  write: Call<typeof scheduleCommands>;
  now: () => number;
}

const byTask = z.object({ id: uuid });

export const scheduleRoutes = ({ read, write, now }: ScheduleDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/tasks/{id}/schedule',
    summary: 'Get the schedule of a task',
    scope: 'read',
    params: byTask,
    response: taskSchedule,
    status: 200,
    errors: ['not_found'],
    handler: ({ scope: { application }, params }) => read('getSchedule', { application, taskId: params.id }),
  }),

  route({
    method: 'PUT',
    path: '/v0/tasks/{id}/schedule',
    summary: 'Create or change the schedule of a task',
    description:
      'Fields that are left out stay as they are. A `cron` that does not fit the criticality is 400, an archived task 409. The schedule of a draft waits until the task is active.',
    scope: 'write',
    params: byTask,
    body: scheduleBody,
    response: taskSchedule,
    status: 200,
    errors: ['bad_request', 'not_found', 'conflict'],
    handler: ({ scope: { application }, params, body: given }) =>
      write('putSchedule', { application, taskId: params.id, given, at: now() }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/tasks/{id}/schedule',
    summary: 'Delete the schedule of a task',
    scope: 'write',
    params: byTask,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params }) => {
      await write('deleteSchedule', { application, taskId: params.id });
      return undefined;
    },
  }),
];
