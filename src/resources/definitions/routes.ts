import { z } from 'zod';
import { pageWithCount } from '../../contract/example-values.ts';
import { paginationWithCount } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { Judges } from '../../evaluate/judge/judges.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  checkSchemas as checkSchemasQuery,
  createDefinition,
  deleteDefinition,
  getDefinition,
  getReliability,
  listDefinitions,
} from './calls.ts';
import { checkJudge, checkScorer } from './check-given.ts';
import { createDefinitionBody, definition, definitionsQuery, updateDefinitionBody } from './contract.ts';
import { exampleDefinition, exampleNewDefinition, exampleReliability } from './example.ts';
import { reliability, reliabilityQuery } from './reliability-contract.ts';
import type { definitionCommands, definitionQueries } from './store.ts';
import { updateInSteps } from './update-in-steps.ts';

interface DefinitionDeps extends StoreCalls {
  judges: Pick<Judges, 'queues'>;
  guard: Pick<AddressGuard, 'checkUrl'>;
}

export const definitionRoutes = (deps: DefinitionDeps): Route[] => [
  ...singleRoutes(deps),
  reliabilityRoute(deps),
];

function singleRoutes({ read, write, now, judges, guard }: DefinitionDeps): Route[] {
  const definitions = recordRoutes({
    path: '/v0/definitions',
    group: 'Evaluation definitions',
    record: definition,
    example: exampleDefinition,
    now,
  });
  return [
    definitions.create({
      operationId: 'createDefinition',
      summary: 'Create an evaluation definition',
      description:
        'The definition does not apply to any test until it is linked to the application, a topic or a task.',
      body: createDefinitionBody,
      example: { body: exampleNewDefinition, response: { ...exampleDefinition, topics: [] } },
      errors: ['not_found'],
      handler: async (args) => {
        checkJudge(judges, args.fields.globalConfig);
        checkScorer(guard, args.fields.type, args.fields.globalConfig);
        await checkSchemas(read, { ...args, id: null, given: args.fields });
        return write(createDefinition, args);
      },
    }),
    definitions.list({
      operationId: 'listDefinitions',
      summary: 'List evaluation definitions',
      description: 'Only `ACTIVE` definitions are listed unless `definitionStatus` requests others.',
      query: definitionsQuery,
      response: z.object({ data: z.array(definition), pagination: paginationWithCount }),
      example: pageWithCount([exampleDefinition]),
      handler: (args) => read(listDefinitions, args),
    }),
    definitions.get({
      operationId: 'getDefinition',
      summary: 'Get an evaluation definition',
      handler: (args) => read(getDefinition, args),
    }),
    definitions.update({
      operationId: 'updateDefinition',
      summary: 'Update an evaluation definition',
      description: 'Archiving a definition removes all its links; an archived definition cannot be changed.',
      body: updateDefinitionBody,
      example: { repeats: 3 },
      errors: ['conflict'],
      handler: async (args) => {
        await checkUpdate({ read, judges, guard }, args);
        return updateInSteps(write, args);
      },
    }),
    definitions.remove({
      operationId: 'deleteDefinition',
      summary: 'Delete an evaluation definition',
      description: 'Also deletes all its links. A definition that has evals is archived instead.',
      handler: async (args) => {
        while (await write(deleteDefinition, args));
      },
    }),
  ];
}

/** Throws `invalid` for a change after which no eval could be judged. */
async function checkUpdate(
  { read, judges, guard }: Pick<DefinitionDeps, 'read' | 'judges' | 'guard'>,
  args: Parameters<typeof definitionCommands.updateDefinition>[1],
): Promise<void> {
  const { type, globalConfig } = args.given;
  checkJudge(judges, globalConfig);
  if (globalConfig || type) {
    const before = await read(getDefinition, args);
    checkScorer(guard, type ?? before.type, globalConfig ?? before.globalConfig);
  }
  await checkSchemas(read, args);
}

/** Compiles the JSON Schemas of a new or changed definition (`id` is null for a new one). Throws `invalid`. */
async function checkSchemas(
  read: DefinitionDeps['read'],
  { owner, id, given }: Parameters<typeof definitionQueries.checkSchemas>[1],
): Promise<void> {
  const isReconfigured = given.type !== undefined || given.globalConfig !== undefined;
  if (id === null ? given.type === 'ASSERT' : isReconfigured)
    await read(checkSchemasQuery, { owner, id, given });
}

const reliabilityRoute = ({ read, now }: DefinitionDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/definitions/{id}/reliability',
    operationId: 'getDefinitionReliability',
    group: 'Evaluation definitions',
    summary: 'Get the agreement of a definition with people',
    description:
      'Compares its evals with the human annotations of the same traces, or of the traces of the same tests. The human verdict counts as the truth.',
    scope: 'read',
    params: z.object({ id: uuid }),
    query: reliabilityQuery,
    response: z.object({ data: reliability }),
    example: { response: { data: exampleReliability } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id }, query: { version = null } }) => ({
      data: await read(getReliability, { application, id, version, now: now() }),
    }),
  });
