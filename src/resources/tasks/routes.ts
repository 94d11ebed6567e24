import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { createTaskBody, task, taskIdsQuery, tasksQuery, updateTaskBody } from './contract.ts';
import type { taskCommands, taskQueries } from './store.ts';

interface TaskDeps {
  read: Call<typeof taskQueries>;
  write: Call<typeof taskCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ task });

export const taskRoutes = ({ read, write, now }: TaskDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/tasks',
    summary: 'Create a task',
    scope: 'write',
    body: createTaskBody,
    response: one,
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body: fields }) => ({
      task: await write('createTask', { owner: ownerOf(scope), id: randomUUID(), fields, at: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/tasks',
    summary: 'List tasks',
    description: 'Without archived ones, unless `taskStatus` asks for them.',
    scope: 'read',
    query: tasksQuery,
    response: z.object({ data: z.array(task), pagination }),
    status: 200,
    errors: ['too_large'],
    handler: ({ scope, query }) => read('listTasks', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/tasks/ids',
    summary: 'List the ids of tasks',
    description: 'All that the same filters leave of the list of tasks, on one page, the newest first.',
    scope: 'read',
    query: taskIdsQuery,
    response: z.object({ taskIds: z.array(uuid) }),
    status: 200,
    handler: async ({ scope: { application }, query: filter }) => ({
      taskIds: await read('listTaskIds', { application, filter }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/tasks/{id}',
    summary: 'Get a task',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      task: await read('getTask', { owner: ownerOf(scope), id, at: now() }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/tasks/{id}',
    summary: 'Change a task',
    description: 'Fields that are left out stay as they are.',
    scope: 'write',
    params: byId,
    body: updateTaskBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      task: await write('updateTask', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/tasks/{id}',
    summary: 'Delete a task',
    description:
      'With its schedule; its tags and evaluation definitions stay. A task that has tests is archived instead.',
    scope: 'write',
    params: byId,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => {
      await write('deleteTask', { owner: ownerOf(scope), id, at: now() });
      return undefined;
    },
  }),
];
