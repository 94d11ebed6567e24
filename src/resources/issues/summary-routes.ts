import { z } from 'zod';
import { AT, ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { requireShownTests } from '../../traces/withheld/require-shown.ts';
import { listRunSetIssues, readPareto } from './calls.ts';
import { exampleIssue } from './example.ts';
import { issuePareto } from './pareto-contract.ts';
import { runSetIssue } from './run-set-issues-contract.ts';

/** Makes the route of the issues that a run set concerns. */
export const runSetIssuesRoute = ({ read, now }: StoreCalls): Route[] => [
  route({
    method: 'GET',
    path: '/v0/run-sets/{id}/issues',
    operationId: 'listRunSetIssues',
    group: 'Run sets',
    summary: 'List the issues that a run set concerns',
    description:
      'Issues whose regression examples were tested, to which failed tests are linked, or which a run opened again; at most 100, and those that failed first. Rejected with 409 for a reviewer from whom verdicts on its tests are withheld.',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: z.array(runSetIssue) }),
    example: {
      response: {
        data: [
          {
            id: ID.issue,
            number: exampleIssue.number,
            title: exampleIssue.title,
            status: 'OPEN',
            priority: 'MEDIUM',
            wasReopened: false,
            examples: { passed: 1, failed: 2, unknown: 0 },
            linkedTests: 2,
          },
        ],
      },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id } }) => {
      await requireShownTests(read, { principal, ids: [id], now: now() });
      return { data: await read(listRunSetIssues, { owner: ownerOf(principal), id }) };
    },
  }),
];

/** Makes the route of the issues of the newest random sample. */
export const issueParetoRoute = ({ read, now }: StoreCalls): Route[] => [
  route({
    method: 'GET',
    path: '/v0/issue-pareto',
    operationId: 'getIssuePareto',
    group: 'Issues',
    summary: 'Get how often each issue occurs in the newest random sample',
    description:
      'Null unless people have completed traces that a queue drew at random from everything. A trace with several issues counts for each of them.',
    scope: 'read',
    response: z.object({ data: issuePareto.nullable() }),
    example: {
      response: {
        data: {
          queueId: ID.queue,
          queueTitle: 'Support answers',
          drawnAt: AT,
          of: 102,
          issues: [
            {
              id: ID.issue,
              number: exampleIssue.number,
              title: exampleIssue.title,
              count: 10,
              rate: 9.8,
              low: 5.4,
              high: 17.1,
            },
          ],
          others: 0,
          none: { count: 92, rate: 90.2, low: 82.9, high: 94.6 },
        },
      },
    },
    handler: async ({ principal }) => ({
      data: await read(readPareto, { owner: ownerOf(principal), seenBy: seenBy(principal, now()) }),
    }),
  }),
];
