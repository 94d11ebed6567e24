import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import {
  createDefinitionBody,
  definition,
  definitionPage,
  definitionsQuery,
  updateDefinitionBody,
} from './contract.ts';
import type { reliabilityQueries } from './reliability.ts';
import { reliability, reliabilityQuery } from './reliability-contract.ts';
import type { definitionCommands, definitionQueries } from './store.ts';

interface DefinitionDeps {
  read: Call<typeof definitionQueries & typeof reliabilityQueries>;
  write: Call<typeof definitionCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: definition });

export const definitionRoutes = ({ read, write, now }: DefinitionDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/definitions',
    summary: 'Create an evaluation definition',
    description: 'It judges nothing until it is linked to the application, a topic or a task.',
    scope: 'write',
    body: createDefinitionBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body: fields }) => {
      const owner = ownerOf(scope);
      if (fields.type === 'ASSERT') await read('checkSchemas', { owner, id: null, given: fields });
      return { data: await write('createDefinition', { owner, id: randomUUID(), fields, at: now() }) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/definitions',
    summary: 'List evaluation definitions',
    description: 'Only those that are `ACTIVE`, unless `definitionStatus` asks for others.',
    scope: 'read',
    query: definitionsQuery,
    response: definitionPage,
    status: 200,
    handler: ({ scope, query }) => read('listDefinitions', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/definitions/{id}',
    summary: 'Get an evaluation definition',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getDefinition', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/definitions/{id}',
    summary: 'Change an evaluation definition',
    description:
      'Fields that are left out stay as they are. Archiving it unlinks it from everything, and an archived one can be changed no more. It cannot be made a gate while its judge agrees too little with people.',
    scope: 'write',
    params: byId,
    body: updateDefinitionBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => {
      const owner = ownerOf(scope);
      const isJudgedAnew = given.type !== undefined || given.globalConfig !== undefined;
      if (isJudgedAnew) await read('checkSchemas', { owner, id, given });
      const args = { owner, id, given, at: now() };
      let data = await write('updateDefinition', args);
      while (data === null) data = await write('updateDefinition', args);
      return { data };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/definitions/{id}/reliability',
    summary: 'Tell how far a definition agrees with people',
    description:
      'Its evals against the annotations of the same traces, or of the traces of the same tests: what people say is taken as the truth.',
    scope: 'read',
    params: byId,
    query: reliabilityQuery,
    response: z.object({ data: reliability }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id }, query: { version = null } }) => ({
      data: await read('getReliability', { application, id, version }),
    }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/definitions/{id}',
    summary: 'Delete an evaluation definition',
    description: 'With all its links. One that has evals is archived instead.',
    scope: 'write',
    params: byId,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => {
      while (await write('deleteDefinition', { owner: ownerOf(scope), id, at: now() }));
      return undefined;
    },
  }),
];
