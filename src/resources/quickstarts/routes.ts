import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import {
  confirmStyleScores,
  countPolicies,
  countSteps,
  createQuickstart,
  getQuickstart,
  listConversations,
  listQuickstarts,
  updateQuickstart,
} from './calls.ts';
import {
  confirmedQuickstart,
  confirmStyleScoresBody,
  createQuickstartBody,
  oneQuickstart,
  policyCounts,
  quickstart,
  quickstartsQuery,
  quickstartStep,
  updateQuickstartBody,
} from './contract.ts';
import { conversation, conversationsQuery } from './conversation-contract.ts';
import {
  exampleConversation,
  exampleListedQuickstart,
  exampleNewQuickstart,
  exampleQuickstart,
} from './example.ts';
import { type QuickstartDeps, uploadRoutes } from './upload-routes.ts';

export const quickstartRoutes = (deps: QuickstartDeps): Route[] => [
  ...singleRoutes(deps),
  ...contentRoutes(deps),
  confirmRoute(deps),
  ...uploadRoutes(deps),
];

function singleRoutes({ read, write, now }: QuickstartDeps): Route[] {
  const quickstarts = recordRoutes({
    path: '/v0/quickstarts',
    group: 'Quickstarts',
    record: oneQuickstart,
    example: exampleQuickstart,
    now,
  });
  return [
    quickstarts.create({
      operationId: 'createQuickstart',
      summary: 'Create a quickstart',
      description:
        'It starts in `UPLOADING`. Uploads create its drafts; you can also create topics, tasks, evaluation definitions and documents with its `quickstartId`.',
      body: createQuickstartBody,
      example: { body: { name: 'Support bot' }, response: exampleNewQuickstart },
      errors: ['not_found'],
      handler: (args) => write(createQuickstart, args),
    }),
    quickstarts.list({
      operationId: 'listQuickstarts',
      summary: 'List quickstarts',
      description: 'The `counts` of each quickstart are omitted.',
      query: quickstartsQuery,
      response: z.object({ data: z.array(quickstart), pagination }),
      example: page([exampleListedQuickstart]),
      handler: (args) => read(listQuickstarts, args),
    }),
    quickstarts.get({
      operationId: 'getQuickstart',
      summary: 'Get a quickstart',
      handler: (args) => read(getQuickstart, args),
    }),
    quickstarts.update({
      operationId: 'updateQuickstart',
      summary: 'Update a quickstart',
      description:
        '`status` can change from `UPLOADING` to the reviews of tasks and topics, knowledge base, policies and style in this order, from each review back to the one before, and from `FAILED` back to `STYLE_REVIEW`. Any other change is rejected with 409: the service makes it.',
      body: updateQuickstartBody,
      example: { status: 'STYLE_REVIEW' },
      errors: ['conflict'],
      handler: (args) => write(updateQuickstart, args),
    }),
  ];
}

const byId = z.object({ id: uuid });

const contentRoutes = ({ read }: Pick<QuickstartDeps, 'read'>): Route[] => [
  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}/conversations',
    operationId: 'listConversations',
    group: 'Quickstarts',
    summary: 'List the conversations of a quickstart',
    description: 'Returns the conversations from uploads of `conversations`, each with all its turns.',
    scope: 'read',
    params: byId,
    query: conversationsQuery,
    response: z.object({ data: z.array(conversation), pagination }),
    example: { response: page([exampleConversation]) },
    errors: ['not_found'],
    handler: ({ principal, params, query }) =>
      read(listConversations, { owner: ownerOf(principal), quickstartId: params.id, query }),
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}/policy-counts',
    operationId: 'getPolicyCounts',
    group: 'Quickstarts',
    summary: 'Count the policies of a quickstart',
    description: 'Counts the `DRAFT` and `ACTIVE` evaluation definitions that this quickstart created.',
    scope: 'read',
    params: byId,
    response: z.object({ data: policyCounts }),
    example: {
      response: {
        data: {
          topicsCount: 1,
          applicationEvalCount: 2,
          topicEvalCounts: [{ topicId: ID.topic, evalCount: 4 }],
        },
      },
    },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id } }) => ({
      data: await read(countPolicies, { application, id }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}/steps',
    operationId: 'listQuickstartSteps',
    group: 'Quickstarts',
    summary: 'Count what is reviewed in each step of a quickstart',
    description:
      'Returns the steps in their order. `total` less `accepted` and `rejected` is what is left to review; it becomes active with the others when the style scores are confirmed.',
    scope: 'read',
    params: byId,
    response: z.object({ data: z.array(quickstartStep) }),
    example: {
      response: {
        data: [
          { step: 'UPLOAD', total: 1, accepted: 1, rejected: 0 },
          { step: 'TASKS_TOPICS', total: 18, accepted: 6, rejected: 1 },
          { step: 'KNOWLEDGE_BASE', total: 12, accepted: 0, rejected: 0 },
          { step: 'POLICIES', total: 6, accepted: 0, rejected: 0 },
          { step: 'STYLE', total: 3, accepted: 0, rejected: 0 },
        ],
      },
    },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id } }) => ({
      data: await read(countSteps, { application, id }),
    }),
  }),
];

const confirmRoute = ({ write, now, onEnqueued }: Omit<QuickstartDeps, 'read'>): Route =>
  route({
    method: 'POST',
    path: '/v0/quickstarts/confirm-style-scores',
    operationId: 'confirmStyleScores',
    group: 'Quickstarts',
    summary: 'Confirm the style scores of a quickstart',
    description:
      'Allowed in `STYLE_REVIEW` only, otherwise rejected with 409. The quickstart becomes `COMPLETING`: its style guide is approved, its drafts become active, and its evaluation definitions without a topic are linked to the application. Then it becomes `COMPLETE`, or `FAILED` with a `reason`.',
    scope: 'write',
    body: confirmStyleScoresBody,
    response: z.object({ data: confirmedQuickstart }),
    example: {
      body: { quickstartId: ID.quickstart },
      response: { data: { quickstartId: ID.quickstart, applicationId: ID.application } },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, body: { quickstartId: id } }) => {
      const data = await write(confirmStyleScores, { owner: ownerOf(principal), id, at: now() });
      onEnqueued();
      return { data };
    },
  });
