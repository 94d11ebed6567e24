import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { requestedFilter } from '../../filter/query.ts';
import { cancelTest } from '../../deliver/calls.ts';
import { triggerInSteps } from '../../deliver/trigger-in-steps.ts';
import type { OpenStream } from '../../runtime/event-streams.ts';
import { pauseUnless } from '../../runtime/open-calls.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import type { LastUnauthorized } from '../applications/health-contract.ts';
import { diagnoseTest, getTest, getTestNews, listTests } from './calls.ts';
import { listedTest, startedRun, type Test, test, testsQuery, triggerBody } from './contract.ts';
import { diagnosis, exampleDiagnosis } from './diagnosis-contract.ts';
import { exampleCancelledTest, exampleListedTest, exampleTest } from './example.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { createWithhold } from '../../traces/withheld/withhold.ts';
import type { TestNews } from './store.ts';
import { type Look, TEST_STREAMS, testEvents } from './stream.ts';

export interface TestRouteDeps extends StoreCalls {
  /** Model that writes the prompts of `NORMAL` tasks; null when none is configured. */
  promptModel: object | null;
  /** Called after tests were started. */
  onEnqueued: () => void;
  /** Called after a test was cancelled. */
  onCancelled: (testId: string) => void;
  lastUnauthorized: LastUnauthorized;
  openStream: OpenStream;
}

export const testRoutes = (deps: TestRouteDeps): Route[] => [
  triggerRoute(deps),
  ...shownRoutes(deps),
  cancelRoute(deps),
  streamRoute(deps),
  diagnosisRoute(deps),
];

const triggerRoute = ({ write, now, promptModel, onEnqueued }: TestRouteDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/tasks/trigger',
    operationId: 'triggerTasks',
    group: 'Tasks',
    summary: 'Start tests of tasks',
    description:
      'The response is sent once all tests are stored; its header `x-run-ids` lists the ids of their runs. With `Prefer: return=representation` it has status 200 and the ids of the tests.',
    scope: 'write',
    body: triggerBody,
    response: z.object({ data: z.array(startedRun) }).optional(),
    example: {
      body: { taskIds: [ID.task], repeat: 1 },
      response: { data: [{ runId: ID.run, taskId: ID.task, testIds: [ID.test] }] },
    },
    status: 204,
    furtherStatuses: [200],
    errors: ['not_found', 'conflict'],
    requestHeaders: { prefer: '`return=representation`: respond with 200 and the ids of the tests.' },
    responseHeaders: { 'x-run-ids': 'Ids of the runs, in the order of `taskIds`, separated by commas.' },
    handler: async ({ principal, body: { promptSeed: seed, ...body }, headers, setHeader, setStatus }) => {
      const { application } = principal;
      const promptSeed = promptModel && seed;
      const args = { application, ...body, promptSeed, type: 'MANUAL' as const, experiment: null, at: now() };
      const data = await triggerInSteps(write, args);
      onEnqueued();
      setHeader('x-run-ids', data.map(({ runId }) => runId).join(','));
      if (!wantsRepresentation(headers['prefer'])) return undefined;
      setHeader('preference-applied', 'return=representation');
      setStatus(200);
      return { data };
    },
  });

function shownRoutes({ read, now, lastUnauthorized }: TestRouteDeps): Route[] {
  const tests = readRoutes({
    path: '/v0/tests',
    group: 'Tests',
    record: test,
    key: 'test',
    example: exampleTest,
  });
  return [
    tests.list({
      operationId: 'listTests',
      summary: 'List tests',
      description: 'Timelines and traces are omitted, and prompts truncated.',
      query: testsQuery,
      response: z.object({ data: z.array(listedTest), pagination }),
      example: page([exampleListedTest]),
      handler: ({ owner, query: { q, ...query } }, principal) =>
        read(listTests, {
          owner,
          query: {
            ...query,
            seenBy: seenBy(principal, now()),
            q: requestedFilter(q, 'tests', now()),
          },
        }),
    }),
    tests.get({
      operationId: 'getTest',
      summary: 'Get a test',
      async handler({ owner, id }) {
        const found = await read(getTest, { owner, id });
        const at = now();
        if (!isWaitingForSpans(found, at)) return found;
        const { cause, cure } = await read(diagnoseTest, {
          owner,
          id,
          at,
          lastUnauthorized: lastUnauthorized(owner.applicationId),
        });
        return { ...found, advice: { cause, cure } };
      },
    }),
  ];
}

/** Milliseconds after the delivery of a test within which its spans usually arrive. */
const USUAL_WAIT_MS = 15_000;

/** Reports whether a test was delivered and has waited unusually long for its first span. */
function isWaitingForSpans({ status, phase, timeline }: Test, at: number): boolean {
  const since = timeline.findLast((event) => event.phase === 'delivered')?.at;
  const isWaiting = status === 'IN_PROGRESS' && phase === 'delivered' && since !== undefined;
  return isWaiting && at - Date.parse(since) >= USUAL_WAIT_MS;
}

const byId = z.object({ id: uuid });

const diagnosisRoute = ({ read, now, lastUnauthorized }: TestRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/tests/{id}/diagnosis',
    operationId: 'diagnoseTest',
    group: 'Tests',
    summary: 'Diagnose a test',
    description:
      'Shows how far the test came and what arrived meanwhile, with the likely cause of its state and what to do about it.',
    scope: 'read',
    params: byId,
    response: z.object({ data: diagnosis }),
    example: { response: { data: exampleDiagnosis } },
    errors: ['not_found'],
    handler: async ({ principal, params: { id } }) => ({
      data: await read(diagnoseTest, {
        owner: ownerOf(principal),
        id,
        at: now(),
        lastUnauthorized: lastUnauthorized(principal.applicationId),
      }),
    }),
  });

const cancelRoute = ({ read, write, now, onCancelled }: TestRouteDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/tests/{id}/cancel',
    operationId: 'cancelTest',
    group: 'Tests',
    summary: 'Cancel an unfinished test',
    scope: 'write',
    params: byId,
    response: z.object({ test }),
    example: { response: { test: exampleCancelledTest } },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id } }) => {
      await write(cancelTest, { application: principal.application, id, at: now() });
      onCancelled(id);
      return { test: await read(getTest, { owner: ownerOf(principal), id }) };
    },
  });

const streamRoute = ({ read, now, openStream }: TestRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/tests/{id}/stream',
    operationId: 'streamTest',
    group: 'Tests',
    summary: 'Stream a test',
    description:
      'Server-Sent Events: `test` with the current test, another `test` for each change, and `end` when the test has ended. A stream lasts at most 15 minutes, and ends when its caller may no longer read tests. An application may have 25 open streams.',
    scope: 'read',
    params: byId,
    response: 'events',
    documents: { response: test },
    example: {
      response: `event: test\ndata: ${JSON.stringify(exampleTest)}\n\nevent: end\ndata: {}\n\n`,
    },
    errors: ['not_found', 'rate_limited', 'unavailable'],
    handler: async ({ principal, params: { id }, revoked }) => {
      const owner = ownerOf(principal);
      const withhold = createWithhold(read, now);
      const news = async (seen: number | null): Promise<TestNews> =>
        withhold(principal, await read(getTestNews, { owner, id, seen }));
      const look: Look = news;
      const first = await news(null);
      const clock = (): number => performance.now();
      const pause = (milliseconds: number): Promise<void> => pauseUnless(revoked, milliseconds);
      const caller = { application: principal.application, revoked };
      return openStream(TEST_STREAMS, caller, (isStopped) =>
        testEvents({ first, look, isStopped, clock, pause }),
      );
    },
  });

/** Reports whether the caller requests a representation (RFC 7240). */
function wantsRepresentation(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .some((value) => /(?:^|[,;\s])return\s*=\s*"?representation"?(?:$|[,;\s])/i.test(value));
}
