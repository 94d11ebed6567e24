import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { page } from '../../contract/example-values.ts';
import { reviewerOf } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import { findWithheld } from '../../traces/withheld/calls.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import { AppError } from '../../errors.ts';
import type { Read, StoreCalls } from '../../storage/calls.ts';
import {
  createExample,
  deleteExample,
  getExample,
  getPromptSchema,
  listExampleVersions,
  listExamples,
  updateExample,
} from './calls.ts';
import {
  createExampleBody,
  example,
  exampleList,
  examplesQuery,
  exampleHistory,
  updateExampleBody,
} from './contract.ts';
import { exampleExample, exampleVersionList } from './example.ts';
import { requireValidInput } from './require-valid-input.ts';

interface ExampleDeps extends StoreCalls {
  checkInputs: CheckInputs;
}

const LIST = '/v0/tasks/{id}/examples';
const ONE = '/v0/tasks/{id}/examples/{exampleId}';
const byTask = z.object({ id: uuid.describe('The id of the task.') });
const byId = byTask.extend({ exampleId: uuid });
const one = z.object({ data: example });
const group = 'Examples';
const response = { data: exampleExample };

export const exampleRoutes = (deps: ExampleDeps): Route[] => [
  listRoute(deps),
  createRoute(deps),
  getRoute(deps),
  updateRoute(deps),
  deleteRoute(deps),
  versionsRoute(deps),
];

const listRoute = ({ read }: ExampleDeps): Route =>
  route({
    method: 'GET',
    path: LIST,
    operationId: 'listExamples',
    group,
    summary: 'List the examples of a task',
    description: 'Archived examples are listed only if `status` requests them.',
    scope: 'read',
    params: byTask,
    query: examplesQuery,
    response: exampleList,
    example: { response: page([exampleExample]) },
    errors: ['not_found', 'too_large'],
    handler: ({ principal, params: { id: taskId }, query }) =>
      read(listExamples, { owner: ownerOf(principal), taskId, query }),
  });

const createRoute = ({ read, write, now, checkInputs }: ExampleDeps): Route =>
  route({
    method: 'POST',
    path: LIST,
    operationId: 'createExample',
    group,
    summary: 'Add an example to a task',
    scope: 'write',
    params: byTask,
    body: createExampleBody,
    response: one,
    example: {
      body: { input: exampleExample.input, expected: exampleExample.expected, split: 'test' },
      response: { data: { ...exampleExample, key: null, tags: [] } },
    },
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id: taskId }, body: fields }) => {
      const { application } = principal;
      const schema = await read(getPromptSchema, { application, taskId });
      await requireValidInput(checkInputs, { application, schema, input: fields.input });
      const args = { owner: ownerOf(principal), taskId, id: randomUUID(), fields, at: now() };
      return { data: await write(createExample, args) };
    },
  });

const getRoute = ({ read }: ExampleDeps): Route =>
  route({
    method: 'GET',
    path: ONE,
    operationId: 'getExample',
    group,
    summary: 'Get an example',
    scope: 'read',
    params: byId,
    response: one,
    example: { response },
    errors: ['not_found'],
    handler: async ({ principal, params: { id: taskId, exampleId: id } }) => ({
      data: await read(getExample, { owner: ownerOf(principal), taskId, id }),
    }),
  });

const updateRoute = ({ read, write, now, checkInputs }: ExampleDeps): Route =>
  route({
    method: 'PUT',
    path: ONE,
    operationId: 'updateExample',
    group,
    summary: 'Update an example',
    description:
      'Absent fields keep their values. The version before is kept. A new `expected` applies to earlier tests with the same input when they are evaluated again. Rejected with 409 if `expected` is null for a reviewer from whom it is withheld.',
    scope: 'write',
    params: byId,
    body: updateExampleBody,
    readOnlyFields: Object.keys(example.shape),
    response: one,
    example: {
      body: { expected: '60 days' },
      response: { data: { ...exampleExample, expected: '60 days', version: 2 } },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id: taskId, exampleId: id }, body: given }) => {
      const { application } = principal;
      const at = now();
      if (given.expected === null && (await isExpectedWithheld(read, { principal, id, at })))
        throw withheldExpected();
      if (given.input !== undefined) {
        const schema = await read(getPromptSchema, { application, taskId });
        await requireValidInput(checkInputs, { application, schema, input: given.input });
      }
      return {
        data: await write(updateExample, { owner: ownerOf(principal), taskId, id, given, at }),
      };
    },
  });

const deleteRoute = ({ write, now }: ExampleDeps): Route =>
  route({
    method: 'DELETE',
    path: ONE,
    operationId: 'deleteExample',
    group,
    summary: 'Delete an example',
    description: 'An example that has tests is archived instead.',
    scope: 'write',
    params: byId,
    response: null,
    errors: ['not_found'],
    handler: async ({ principal, params: { id: taskId, exampleId: id } }) => {
      await write(deleteExample, { owner: ownerOf(principal), taskId, id, at: now() });
      return undefined;
    },
  });

const versionsRoute = ({ read, now }: ExampleDeps): Route =>
  route({
    method: 'GET',
    path: `${ONE}/versions`,
    operationId: 'listExampleVersions',
    group,
    summary: 'List the versions of an example',
    scope: 'read',
    params: byId,
    response: exampleHistory,
    example: { response: { data: exampleVersionList } },
    errors: ['not_found'],
    handler: async ({ principal, params: { id: taskId, exampleId: id } }) => {
      const data = await read(listExampleVersions, { owner: ownerOf(principal), taskId, id });
      const isWithheld = await isExpectedWithheld(read, { principal, id, at: now() });
      return { data: isWithheld ? data.map((version) => ({ ...version, expected: null })) : data };
    },
  });

/** Reports whether the expected output of an example is withheld from the caller, who reviews its trace blind. */
async function isExpectedWithheld(
  read: Read,
  { principal, id, at }: { principal: Principal; id: string; at: number },
): Promise<boolean> {
  const of = { application: principal.application, reviewer: reviewerOf(principal), now: at };
  const { groupIds } = await read(findWithheld, { ...of, traceIds: [], testIds: [], groupIds: [id] });
  return groupIds.length > 0;
}

/** Error of a record that is sent back as it was read, without what was withheld. */
const withheldExpected = (): AppError =>
  new AppError(
    'conflict',
    'The expected output of this example is withheld from you while you review its trace in a blind queue; leave `expected` out to keep it',
  );
