import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { DeliverCommands } from '../../deliver/operations.ts';
import type { Log } from '../../runtime/log.ts';
import type { Call } from '../../storage/operations.ts';
import { type Authenticate, isKeyValid } from '../api-keys/key-check.ts';
import { triggerInSteps } from '../../deliver/trigger-in-steps.ts';
import { listedTest, startedRun, test, testsQuery, triggerBody } from './contract.ts';
import type { testQueries } from './store.ts';
import { type Look, testStreams } from './stream.ts';

export interface TestRouteDeps {
  read: Call<typeof testQueries>;
  write: Call<Pick<DeliverCommands, 'triggerTasks' | 'cancelTest'>>;
  now: () => number;
  log: Log;
  /** Told after tests were started. */
  onTriggered: () => void;
  /** Told after a test was cancelled. */
  onCancelled: (testId: string) => void;
  /** Whether the server is about to end. */
  isClosing: () => boolean;
  authenticate: Authenticate;
}

const byId = z.object({ id: uuid });
const one = z.object({ test });

export function testRoutes({
  read,
  write,
  now,
  log,
  onTriggered,
  onCancelled,
  isClosing,
  authenticate,
}: TestRouteDeps): Route[] {
  const openStream = testStreams({ isClosing, log });
  return [
    route({
      method: 'POST',
      path: '/v0/tasks/trigger',
      summary: 'Start tests of tasks',
      description:
        'Answered once all tests are stored, with the ids of their runs in the header `x-run-ids`. With `Prefer: return=representation`, 200 and the ids of the tests too.',
      scope: 'write',
      body: triggerBody,
      response: z.object({ data: z.array(startedRun) }).optional(),
      status: 204,
      furtherStatuses: [200],
      errors: ['not_found', 'conflict'],
      requestHeaders: { prefer: '`return=representation`: answer 200 and the ids of the tests.' },
      answerHeaders: { 'x-run-ids': 'The ids of the runs, in the order of `taskIds`, with commas.' },
      handler: async ({ scope, body, headers, setHeader, setStatus }) => {
        const { application } = scope;
        const args = { application, ...body, type: 'MANUAL' as const, experiment: null, at: now() };
        const data = await triggerInSteps(write, args);
        onTriggered();
        setHeader('x-run-ids', data.map(({ runId }) => runId).join(','));
        if (!wantsRepresentation(headers['prefer'])) return undefined;
        setHeader('preference-applied', 'return=representation');
        setStatus(200);
        return { data };
      },
    }),

    route({
      method: 'GET',
      path: '/v0/tests',
      summary: 'List tests',
      description: 'Without their timelines and traces; prompts are cut short.',
      scope: 'read',
      query: testsQuery,
      response: z.object({ data: z.array(listedTest), pagination }),
      status: 200,
      handler: ({ scope, query }) => read('listTests', { owner: ownerOf(scope), query }),
    }),

    route({
      method: 'GET',
      path: '/v0/tests/{id}',
      summary: 'Get a test',
      scope: 'read',
      params: byId,
      response: one,
      status: 200,
      errors: ['not_found'],
      handler: async ({ scope, params: { id } }) => ({
        test: await read('getTest', { owner: ownerOf(scope), id }),
      }),
    }),

    route({
      method: 'POST',
      path: '/v0/tests/{id}/cancel',
      summary: 'Cancel a test that is not over',
      scope: 'write',
      params: byId,
      response: one,
      status: 200,
      errors: ['not_found', 'conflict'],
      handler: async ({ scope, params: { id } }) => {
        await write('cancelTest', { application: scope.application, id, at: now() });
        onCancelled(id);
        return { test: await read('getTest', { owner: ownerOf(scope), id }) };
      },
    }),

    route({
      method: 'GET',
      path: '/v0/tests/{id}/stream',
      summary: 'Watch a test',
      description:
        'Server-Sent Events: `test` with the test as it is now, another one for each change, and `end` when it is over. A stream lasts 15 minutes at most, and ends when its API key is revoked or expires. An application may have 25 streams open.',
      scope: 'read',
      params: byId,
      response: 'events',
      documents: { response: test },
      status: 200,
      errors: ['not_found', 'rate_limited', 'unavailable'],
      handler: async ({ scope, params: { id }, headers }) => {
        const owner = ownerOf(scope);
        const look: Look = (seen) => read('getTestNews', { owner, id, seen });
        const first = await read('getTestNews', { owner, id, seen: null });
        const isAllowed = (): Promise<boolean> => isKeyValid(authenticate, headers);
        return openStream({ application: scope.application, first, look, isAllowed });
      },
    }),
  ];
}

/** RFC 7240. */
function wantsRepresentation(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .some((value) => /(?:^|[,;\s])return\s*=\s*"?representation"?(?:$|[,;\s])/i.test(value));
}
