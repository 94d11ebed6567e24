import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  beginMerge,
  createIssue,
  deleteIssue,
  getIssue,
  listIssueActivity,
  listIssues,
  moveLinks,
  readEvidence,
  rejectIssue,
  reopenIssue,
  resolveIssue,
  updateIssue,
} from './calls.ts';
import { checkMatch } from './check-match.ts';
import {
  activityQuery,
  createIssueBody,
  issue,
  issueCounts,
  issueEvent,
  issueId,
  issuesQuery,
  mergeBody,
  rejectBody,
  reopenBody,
  resolveBody,
  updateIssueBody,
} from './contract.ts';
import { evidence } from './evidence-contract.ts';
import { exampleEvent, exampleEvidence, exampleIssue } from './example.ts';

type IssueDeps = StoreCalls;

export const issueRoutes = (deps: IssueDeps): Route[] => [
  ...changeRoutes(deps),
  ...stateRoutes(deps),
  mergeRoute(deps),
  ...readIssueRoutes(deps),
];

function changeRoutes(deps: IssueDeps): Route[] {
  const { read, write, now } = deps;
  const issues = recordRoutes({
    path: '/v0/issues',
    group: 'Issues',
    record: issue,
    example: exampleIssue,
    now,
    id: issueId,
  });
  return [
    issues.create({
      operationId: 'createIssue',
      summary: 'Create an issue',
      description:
        'An issue is a problem of the application. It gets the next number. The trace that it names, that of its test or that of its annotation is linked as its first occurrence.',
      body: createIssueBody,
      example: {
        body: { source: 'API', title: exampleIssue.title, testId: ID.test },
        response: { ...exampleIssue, linkCount: 1 },
      },
      errors: ['not_found', 'conflict'],
      handler: async (args, principal) => {
        checkMatch(args.fields.match);
        const { id } = await write(createIssue, { ...args, actor: principal.actor });
        return seenIssue(deps, principal, id);
      },
    }),
    issues.list({
      operationId: 'listIssues',
      summary: 'List issues',
      description:
        '`counts` are those of all statuses, with the other filters. Traces that the caller reviews in a blind queue count in no issue.',
      query: issuesQuery,
      response: z.object({ data: z.array(issue), pagination, counts: issueCounts }),
      example: { ...page([exampleIssue]), counts: { open: 1, resolved: 0, rejected: 0, openHigh: 0 } },
      handler: (args, principal) => read(listIssues, { ...args, seenBy: seenBy(principal, now()) }),
    }),
    issues.get({
      operationId: 'getIssue',
      summary: 'Get an issue',
      handler: ({ id }, principal) => seenIssue(deps, principal, id),
    }),
    issues.update({
      operationId: 'updateIssue',
      summary: 'Update an issue',
      description: 'Its status is changed by the calls for it.',
      body: updateIssueBody,
      example: { priority: 'HIGH' },
      errors: ['conflict'],
      handler: async (args, principal) => {
        checkMatch(args.given.match);
        const { id } = await write(updateIssue, { ...args, actor: principal.actor });
        return seenIssue(deps, principal, id);
      },
    }),
    issues.remove({
      operationId: 'deleteIssue',
      summary: 'Delete an issue',
      description: 'Its traces and notes stay. Its number is not used again.',
      handler: async (args) => {
        while (await write(deleteIssue, args));
      },
    }),
  ];
}

/** Returns an issue as its caller sees it. */
const seenIssue = (
  { read, now }: IssueDeps,
  principal: Principal,
  id: string,
): Promise<z.input<typeof issue>> =>
  read(getIssue, { owner: ownerOf(principal), id, now: now(), seenBy: seenBy(principal, now()) });

const params = z.object({ id: issueId });
const shownIssue = z.object({ data: issue });
const shownExample = { data: exampleIssue };

const stateRoutes = (deps: IssueDeps): Route[] => [resolveRoute(deps), reopenRoute(deps), rejectRoute(deps)];

const resolveRoute = (deps: IssueDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issues/{id}/resolve',
    operationId: 'resolveIssue',
    group: 'Issues',
    summary: 'Resolve an issue',
    description:
      'Rejected with 409 while evidence is missing, which the message lists, unless `withoutEvidence` is true: then it needs a `reason`, and the resolution stays marked. Only an open issue can be resolved (409).',
    scope: 'write',
    params,
    body: resolveBody,
    response: shownIssue,
    example: { body: { reason: 'Fixed in v16.', withoutEvidence: true }, response: shownExample },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id }, body }) => {
      const { read, write, now } = deps;
      const owner = ownerOf(principal);
      const found = await read(readEvidence, { owner, id, seenBy: seenBy(principal, now()) });
      const acting = { ...body, evidence: found, actor: principal.actor, at: now() };
      const resolved = await write(resolveIssue, { owner, id, ...acting });
      return { data: await seenIssue(deps, principal, resolved.id) };
    },
  });

const reopenRoute = (deps: IssueDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issues/{id}/reopen',
    operationId: 'reopenIssue',
    group: 'Issues',
    summary: 'Open an issue again',
    description: 'Rejected with 409 for an open issue, and for one that was merged.',
    scope: 'write',
    params,
    body: reopenBody,
    response: shownIssue,
    example: { body: { reason: 'It is back.' }, response: shownExample },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id }, body }) => {
      const acting = { owner: ownerOf(principal), ...body, actor: principal.actor, at: deps.now() };
      const opened = await deps.write(reopenIssue, { ...acting, id });
      return { data: await seenIssue(deps, principal, opened.id) };
    },
  });

const rejectRoute = (deps: IssueDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issues/{id}/reject',
    operationId: 'rejectIssue',
    group: 'Issues',
    summary: 'Reject an issue',
    description: 'Rejected with 409 if it is rejected already.',
    scope: 'write',
    params,
    body: rejectBody,
    response: shownIssue,
    example: { body: { reason: 'The policy allows it.' }, response: shownExample },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id }, body }) => {
      const acting = { owner: ownerOf(principal), ...body, actor: principal.actor, at: deps.now() };
      const rejected = await deps.write(rejectIssue, { ...acting, id });
      return { data: await seenIssue(deps, principal, rejected.id) };
    },
  });

const mergeRoute = (deps: IssueDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issues/{id}/merge',
    operationId: 'mergeIssue',
    group: 'Issues',
    summary: 'Merge an issue into another',
    description:
      'Moves its links and notes to the other issue, and rejects it with a pointer to that. The request can be repeated. Returns the issue that was merged.',
    scope: 'write',
    params,
    body: mergeBody,
    response: shownIssue,
    example: { body: { into: '12' }, response: shownExample },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id }, body: { into }, revoked }) => {
      const { write, now } = deps;
      const owner = ownerOf(principal);
      const ids = await write(beginMerge, { owner, id, into, actor: principal.actor, at: now() });
      while (await write(moveLinks, { application: owner.application, ...ids, at: now() }))
        revoked.throwIfAborted();
      return { data: await seenIssue(deps, principal, ids.id) };
    },
  });

const readIssueRoutes = ({ read, now }: IssueDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/issues/{id}/evidence',
    operationId: 'getIssueEvidence',
    group: 'Issues',
    summary: 'Get the evidence that an issue is resolved',
    description:
      'Evidence from tests or samples with traces that the caller reviews in a blind queue is `withheld`, and counts as missing.',
    scope: 'read',
    params,
    response: z.object({ data: z.array(evidence) }),
    example: { response: { data: [exampleEvidence] } },
    errors: ['not_found'],
    handler: async ({ principal, params: { id } }) => ({
      data: await read(readEvidence, { owner: ownerOf(principal), id, seenBy: seenBy(principal, now()) }),
    }),
  }),
  route({
    method: 'GET',
    path: '/v0/issues/{id}/activity',
    operationId: 'listIssueActivity',
    group: 'Issues',
    summary: 'List what happened to an issue',
    description:
      'The newest 1000 events are kept. Touchstone opens a resolved issue again when its problem has come back: `relapse` says why. It is withheld from those who review one of its traces blind.',
    scope: 'read',
    params,
    query: activityQuery,
    response: z.object({ data: z.array(issueEvent), pagination }),
    example: { response: page([exampleEvent]) },
    errors: ['not_found'],
    handler: ({ principal, params: { id }, query }) =>
      read(listIssueActivity, {
        owner: ownerOf(principal),
        id,
        query,
        seenBy: seenBy(principal, now()),
      }),
  }),
];
