import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { deleteSchedule, getSchedule, putSchedule } from './calls.ts';
import { exampleSchedule } from './example.ts';
import { scheduleBody, taskSchedule } from './schedule-contract.ts';

type ScheduleDeps = StoreCalls;

const byTask = z.object({ id: uuid });

export const scheduleRoutes = ({ read, write, now }: ScheduleDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/tasks/{id}/schedule',
    operationId: 'getTaskSchedule',
    group: 'Tasks',
    summary: 'Get the schedule of a task',
    scope: 'read',
    params: byTask,
    response: taskSchedule,
    example: { response: exampleSchedule },
    errors: ['not_found'],
    handler: ({ principal, params }) => read(getSchedule, { owner: ownerOf(principal), taskId: params.id }),
  }),

  route({
    method: 'PUT',
    path: '/v0/tasks/{id}/schedule',
    operationId: 'putTaskSchedule',
    group: 'Tasks',
    summary: 'Create or update the schedule of a task',
    description:
      'Absent fields keep their values. A `cron` that does not match the criticality is rejected with 400, an archived task with 409. The schedule of a draft takes effect when the task becomes active.',
    scope: 'write',
    params: byTask,
    body: scheduleBody,
    response: taskSchedule,
    example: {
      body: { criticality: 'HIGH', cron: '30 9 * * *', timezone: 'Europe/Berlin' },
      response: exampleSchedule,
    },
    errors: ['bad_request', 'not_found', 'conflict'],
    handler: ({ principal, params, body: given }) =>
      write(putSchedule, { owner: ownerOf(principal), taskId: params.id, given, at: now() }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/tasks/{id}/schedule',
    operationId: 'deleteTaskSchedule',
    group: 'Tasks',
    summary: 'Delete the schedule of a task',
    scope: 'write',
    params: byTask,
    response: null,
    errors: ['not_found'],
    handler: async ({ principal, params }) => {
      await write(deleteSchedule, { owner: ownerOf(principal), taskId: params.id });
      return undefined;
    },
  }),
];
