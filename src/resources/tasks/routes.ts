import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { requireValidInputExamples } from '../examples/require-valid-input.ts';
import { createTask, deleteTask, getTask, listTaskIds, listTasks, updateTask } from './calls.ts';
import { createTaskBody, task, taskIdsQuery, tasksQuery, updateTaskBody } from './contract.ts';
import { exampleTask, exampleTaskBody } from './example.ts';
import type { taskCommands } from './store.ts';

interface TaskDeps extends StoreCalls {
  checkInputs: CheckInputs;
}

export function taskRoutes({ read, write, now, checkInputs }: TaskDeps): Route[] {
  const tasks = recordRoutes({
    path: '/v0/tasks',
    group: 'Tasks',
    record: task,
    key: 'task',
    example: exampleTask,
    now,
  });
  return [
    tasks.create({
      operationId: 'createTask',
      summary: 'Create a task',
      body: createTaskBody,
      example: { body: exampleTaskBody, response: { ...exampleTask, isVerified: false, taskSchedule: null } },
      errors: ['not_found', 'conflict'],
      handler: async (args) => {
        const { inputExamples: prompts, simulatedPromptSchema: schema } = args.fields;
        const { application } = args.owner;
        await requireValidInputExamples(checkInputs, { application, schema, prompts });
        return write(createTask, args);
      },
    }),
    tasks.list({
      operationId: 'listTasks',
      summary: 'List tasks',
      description: 'Archived tasks are listed only if `taskStatus` requests them.',
      query: tasksQuery,
      errors: ['too_large'],
      handler: (args, principal) => read(listTasks, { ...args, seenBy: seenBy(principal, now()) }),
    }),
    listIdsRoute({ read, now }),
    tasks.get({
      operationId: 'getTask',
      summary: 'Get a task',
      handler: (args) => read(getTask, { ...args, at: now() }),
    }),
    tasks.update({
      operationId: 'updateTask',
      summary: 'Update a task',
      body: updateTaskBody,
      example: { isVerified: true },
      errors: ['conflict'],
      handler: async (args) => {
        await requireValidChange({ read, checkInputs }, args);
        return write(updateTask, args);
      },
    }),
    tasks.remove({
      operationId: 'deleteTask',
      summary: 'Delete a task',
      description:
        'Also deletes its schedule; its tags and evaluation definitions remain. A task that has tests is archived instead. A task of an experiment that is neither concluded nor archived is kept: 409 names the experiment.',
      errors: ['conflict'],
      handler: async (args) => {
        while (!(await write(deleteTask, args)));
      },
    }),
  ];
}

/** Throws `invalid` for new `inputExamples` that do not match the schema. Those that the task has already may stay. */
async function requireValidChange(
  { read, checkInputs }: Pick<TaskDeps, 'read' | 'checkInputs'>,
  { owner, id, given, at }: Parameters<(typeof taskCommands)['updateTask']>[1],
): Promise<void> {
  const { inputExamples: prompts, simulatedPromptSchema } = given;
  if (!prompts) return;
  const before = await read(getTask, { owner, id, at });
  const schema = simulatedPromptSchema === undefined ? before.simulatedPromptSchema : simulatedPromptSchema;
  const isSame = isDeepStrictEqual(schema, before.simulatedPromptSchema);
  const known = isSame ? before.inputExamples : [];
  await requireValidInputExamples(checkInputs, { application: owner.application, schema, prompts, known });
}

const listIdsRoute = ({ read, now }: Pick<TaskDeps, 'read' | 'now'>): Route =>
  route({
    method: 'GET',
    path: '/v0/tasks/ids',
    operationId: 'listTaskIds',
    group: 'Tasks',
    summary: 'List the ids of tasks',
    description: 'Returns all tasks that match the filters, on one page, newest first.',
    scope: 'read',
    query: taskIdsQuery,
    response: z.object({ taskIds: z.array(uuid) }),
    example: { response: { taskIds: [ID.task] } },
    handler: async ({ principal, query: filter }) => {
      const { application } = principal;
      return { taskIds: await read(listTaskIds, { application, filter, seenBy: seenBy(principal, now()) }) };
    },
  });
