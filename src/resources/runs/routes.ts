import PQueue from 'p-queue';
import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Read } from '../../storage/calls.ts';
import { requireShownTests } from '../../traces/withheld/require-shown.ts';
import { compareRuns, findOpenWork, getRun, listRuns } from './calls.ts';
import { compareBody, comparison, MAX_COMPARED_TESTS } from './compare-contract.ts';
import { run, runsQuery } from './contract.ts';
import { exampleComparison, exampleRun } from './example.ts';
import { type EndpointLimits, waitsOf } from './wait.ts';

interface RunDeps extends EndpointLimits {
  read: Read;
  now: () => number;
}

/** Most waiting comparisons of all applications. */
const MAX_WAITING = 32;

export function runRoutes({ read, now, ...limits }: RunDeps): Route[] {
  const runs = readRoutes({
    path: '/v0/runs',
    group: 'Runs',
    record: run,
    key: 'run',
    example: { ...exampleRun, repeats: { groups: 1, k: 3, passPowK: 30, passAtK: 100, flakiness: 100 } },
  });
  return [
    runs.list({
      operationId: 'listRuns',
      summary: 'List runs',
      description: 'A run is the tests that one trigger started for one task.',
      query: runsQuery,
      example: page([exampleRun]),
      handler: (args) => read(listRuns, { ...args, now: now() }),
    }),
    runs.get({
      operationId: 'getRun',
      summary: 'Get a run',
      handler: async (args) => {
        const found = await read(getRun, { ...args, now: now() });
        const { application } = args.owner;
        const work = await read(findOpenWork, { application, runId: args.id });
        const pendingTests = found.tests.pending;
        const waitsFor = waitsOf(limits, { application, pendingTests, work, now: now() });
        return waitsFor.length === 0 ? found : { ...found, waitsFor };
      },
    }),
  ];
}

/** Runs comparisons one at a time: each may take seconds, during which the other readers serve all other queries. */
export function compareRoutes({ read, now }: { read: Read; now: () => number }): Route[] {
  const queue = new PQueue({ concurrency: 1 });
  return [
    route({
      method: 'POST',
      path: '/v0/runs/compare',
      operationId: 'compareRuns',
      group: 'Runs',
      summary: 'Compare runs or variants',
      description: `Reports how much more often the tests of each candidate pass than those of the baseline, over the tasks and input examples that both were tested with, and how certain the difference is. At most ${MAX_COMPARED_TESTS} tests in all. Tests of one example, and examples of one task, are not independent: by default a task is one observation, or an example where there is one task only. Advisory definitions do not count unless requested. Rejected with 409 for a reviewer from whom verdicts on these tests are withheld.`,
      scope: 'read',
      body: compareBody,
      response: z.object({ data: comparison }),
      example: {
        body: {
          baseline: { runIds: [ID.run] },
          candidates: [{ variantId: ID.variant }],
          definitionId: ID.definition,
        },
        response: { data: exampleComparison },
      },
      errors: ['not_found', 'conflict', 'too_large'],
      handler: async ({ principal, body }) => {
        const { application } = principal;
        const ids = [body.baseline, ...body.candidates].flatMap(
          ({ runIds, variantId }) => runIds ?? [variantId],
        );
        await requireShownTests(read, { principal, ids, now: now() });
        if (queue.size >= MAX_WAITING)
          throw new AppError('unavailable', 'too many comparisons wait; retry later');
        return { data: await queue.add(() => read(compareRuns, { application, body, now: now() })) };
      },
    }),
  ];
}
