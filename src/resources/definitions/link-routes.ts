import { type Route, route } from '../../contract/route.ts';
import { ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Write } from '../../storage/calls.ts';
import { linkDefinitionsToApplication, unlinkDefinitionsFromApplication } from './calls.ts';
import { applicationLinkBody, linkBody, unlinkBody } from './contract.ts';
import { linkInSteps, unlinkInSteps } from './link-in-steps.ts';

interface DefinitionLinkDeps {
  write: Write;
  now: () => number;
}

export const definitionLinkRoutes = (deps: DefinitionLinkDeps): Route[] => [
  linkDefinitionsToApplicationRoute(deps),
  unlinkDefinitionsFromApplicationRoute(deps),
  linkDefinitionsRoute(deps),
  unlinkDefinitionsRoute(deps),
];

const linkDefinitionsToApplicationRoute = ({ write, now }: DefinitionLinkDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/definitions/link-application',
    operationId: 'linkDefinitionsToApplication',
    group: 'Evaluation definitions',
    summary: 'Link evaluation definitions to the application',
    description: 'The definitions then apply to the tests of all tasks of the application.',
    scope: 'write',
    body: applicationLinkBody,
    response: null,
    example: { body: { evalIds: [ID.definition] } },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, body: { evalIds } }) => {
      await write(linkDefinitionsToApplication, { owner: ownerOf(principal), evalIds, at: now() });
      return undefined;
    },
  });

const unlinkDefinitionsFromApplicationRoute = ({ write }: DefinitionLinkDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/definitions/unlink-application',
    operationId: 'unlinkDefinitionsFromApplication',
    group: 'Evaluation definitions',
    summary: 'Unlink evaluation definitions from the application',
    description: 'Links to topics and tasks remain.',
    scope: 'write',
    body: applicationLinkBody,
    response: null,
    example: { body: { evalIds: [ID.definition] } },
    errors: ['not_found'],
    handler: async ({ principal, body: { evalIds } }) => {
      await write(unlinkDefinitionsFromApplication, { owner: ownerOf(principal), evalIds });
      return undefined;
    },
  });

const linkDefinitionsRoute = ({ write, now }: DefinitionLinkDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/definitions/link',
    operationId: 'linkDefinitions',
    group: 'Evaluation definitions',
    summary: 'Link evaluation definitions to tasks and topics',
    description:
      'Links every definition to every task and topic. A linked definition applies to the tests of the task, or of all tasks of the topic. Linking again updates the config. A task or topic can have at most 100 linked definitions, and a definition at most 1000 linked topics.',
    scope: 'write',
    body: linkBody,
    response: null,
    example: { body: { evalIds: [ID.definition], taskIds: [ID.task], config: { expected: '30 days' } } },
    errors: ['bad_request', 'not_found', 'conflict'],
    handler: async ({ principal: { application }, body }) => {
      requireTarget(body);
      await linkInSteps(write, { ...body, application, at: now() });
      return undefined;
    },
  });

const unlinkDefinitionsRoute = ({ write }: DefinitionLinkDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/definitions/unlink',
    operationId: 'unlinkDefinitions',
    group: 'Evaluation definitions',
    summary: 'Unlink evaluation definitions from tasks and topics',
    description: 'Unlinks every definition from every task and topic. Links that do not exist are ignored.',
    scope: 'write',
    body: unlinkBody,
    response: null,
    example: { body: { evalIds: [ID.definition], topicIds: [ID.topic] } },
    errors: ['bad_request', 'not_found'],
    handler: async ({ principal: { application }, body }) => {
      requireTarget(body);
      await unlinkInSteps(write, { ...body, application });
      return undefined;
    },
  });

function requireTarget({ taskIds, topicIds }: { taskIds: string[]; topicIds: string[] }): void {
  if (taskIds.length + topicIds.length === 0)
    throw new AppError('bad_request', 'taskIds or topicIds must contain a task or a topic');
}
