import { type Route, route } from '../../contract/route.ts';
import { ownerOf } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import { applicationLinkBody, linkBody, unlinkBody } from './contract.ts';
import { linkInSteps, unlinkInSteps } from './link-in-steps.ts';
import type { definitionLinkCommands } from './link-store.ts';

interface DefinitionLinkDeps {
  write: Call<typeof definitionLinkCommands>;
  now: () => number;
}

export const definitionLinkRoutes = ({ write, now }: DefinitionLinkDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/definitions/link-application',
    summary: 'Link evaluation definitions to the application',
    description: 'From then on they judge the tests of all its tasks.',
    scope: 'write',
    body: applicationLinkBody,
    response: null,
    status: 204,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body: { evalIds } }) => {
      await write('linkDefinitionsToApplication', { owner: ownerOf(scope), evalIds, at: now() });
      return undefined;
    },
  }),

  route({
    method: 'POST',
    path: '/v0/definitions/unlink-application',
    summary: 'Unlink evaluation definitions from the application',
    description: 'Their links to topics and tasks stay.',
    scope: 'write',
    body: applicationLinkBody,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope, body: { evalIds } }) => {
      await write('unlinkDefinitionsFromApplication', { owner: ownerOf(scope), evalIds });
      return undefined;
    },
  }),

  route({
    method: 'POST',
    path: '/v0/definitions/link',
    summary: 'Link evaluation definitions to tasks and topics',
    description:
      'Each of them to each of these. They judge the tests of the tasks, and those of all tasks of the topics. Linking again changes the config. At most 100 definitions can be linked to one task or topic, and one definition to at most 1000 topics.',
    scope: 'write',
    body: linkBody,
    response: null,
    status: 204,
    errors: ['bad_request', 'not_found', 'conflict'],
    handler: async ({ scope: { application }, body }) => {
      requireTarget(body);
      await linkInSteps(write, { ...body, application, at: now() });
      return undefined;
    },
  }),

  route({
    method: 'POST',
    path: '/v0/definitions/unlink',
    summary: 'Unlink evaluation definitions from tasks and topics',
    description: 'Each of them from each of these. What is not linked stays so.',
    scope: 'write',
    body: unlinkBody,
    response: null,
    status: 204,
    errors: ['bad_request', 'not_found'],
    handler: async ({ scope: { application }, body }) => {
      requireTarget(body);
      await unlinkInSteps(write, { ...body, application });
      return undefined;
    },
  }),
];

function requireTarget({ taskIds, topicIds }: { taskIds: string[]; topicIds: string[] }): void {
  if (taskIds.length + topicIds.length === 0)
    throw new AppError('bad_request', 'taskIds or topicIds must name a task or a topic');
}
