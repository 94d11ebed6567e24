import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { planEvals, wantedEvals } from '../../evaluate/calls.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { evalCosts, testsToEvaluate } from './calls.ts';
import {
  type Cost,
  costsQuery,
  evalCost,
  evaluateBody,
  evaluated,
  type EvaluateManyBody,
  evaluateManyBody,
} from './evaluate-contract.ts';
import type { ToEvaluate } from './tests-to-evaluate.ts';

export interface EvaluateRouteDeps extends StoreCalls {
  /** Called after evals were planned. */
  onEnqueued: () => void;
}

/** Number of tests whose traces are read at the same time. */
const AT_ONCE = 8;

const exampleCost: Cost = {
  day: '2026-03-31',
  evalDefinitionId: null,
  name: null,
  evals: 12,
  inputTokens: 9600,
  outputTokens: 1440,
  cost: 0.0048,
  unpricedEvals: 0,
};

const WHAT_HAPPENS =
  'Applies all definitions that are linked now. An eval is created again if something it depends on has changed: the definition, the expected output, or what the evaluator reads of the trace. Meanwhile a test is in phase `evaluating`.';

export const evaluateRoutes = (deps: EvaluateRouteDeps): Route[] => [
  evaluateRoute(deps, 'test', {
    operationId: 'evaluateTest',
    group: 'Tests',
    summary: 'Evaluate a test again',
    which: 'The test must be complete.',
    force: false,
  }),
  evaluateRoute(deps, 'run', {
    operationId: 'evaluateRun',
    group: 'Runs',
    summary: 'Evaluate the tests of a run again',
    which: 'Includes its complete tests, at most 1000 a call, the newest first.',
    force: false,
  }),
  evaluateRoute(deps, 'task', {
    operationId: 'evaluateTask',
    group: 'Tasks',
    summary: 'Evaluate the tests of a task again',
    which:
      'Includes the complete tests of the last 30 days that count in its metrics, at most 1000 a call, the newest first.',
    force: true,
  }),
  costsRoute(deps),
];

const evaluateRoute = (
  deps: EvaluateRouteDeps,
  of: ToEvaluate['of'],
  about: Pick<Route, 'operationId' | 'group' | 'summary'> & { which: string; force: boolean },
): Route =>
  route({
    method: 'POST',
    path: `/v0/${of}s/{id}/evaluate`,
    operationId: about.operationId,
    group: about.group,
    summary: about.summary,
    description: `${about.which} ${WHAT_HAPPENS}`,
    scope: 'write',
    params: z.object({ id: uuid }),
    body: of === 'test' ? evaluateBody : evaluateManyBody,
    response: z.object({ data: evaluated }),
    example: {
      body: { force: about.force },
      response: { data: { tests: 1, evals: 1, tracesDeleted: 0, next: null } },
    },
    errors: of === 'test' ? ['not_found', 'conflict'] : ['not_found'],
    handler: async ({ principal: { application }, params: { id }, body }) => {
      const { force, after, limit = 1 }: Partial<EvaluateManyBody> & { force: boolean } = body;
      return { data: await evaluate(deps, { application, of, id, after, limit }, force) };
    },
  });

async function evaluate(
  { read, write, now, onEnqueued }: EvaluateRouteDeps,
  which: Omit<ToEvaluate, 'now'>,
  force: boolean,
): Promise<z.input<typeof evaluated>> {
  const { application } = which;
  const { ids: testIds, next } = await read(testsToEvaluate, { ...which, now: now() });
  const plan = async (testId: string): Promise<number> => {
    const target = { testId };
    const evals = await read(wantedEvals, { application, target, hashes: !force });
    if (evals.some((one) => one.isWithoutEvidence)) tracesDeleted += 1;
    return write(planEvals, { application, target, evals, force, at: now() });
  };
  let planned = 0;
  let tracesDeleted = 0;
  for (let from = 0; from < testIds.length; from += AT_ONCE) {
    const counts = await Promise.all(testIds.slice(from, from + AT_ONCE).map(plan));
    planned += counts.reduce((sum, count) => sum + count, 0);
  }
  if (planned > 0) onEnqueued();
  return { tests: testIds.length, evals: planned, tracesDeleted, next };
}

const costsRoute = ({ read, now }: EvaluateRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/evals/costs',
    operationId: 'getEvalCosts',
    group: 'Evals',
    summary: 'Get the cost of judge models and scorers',
    description:
      'By day, the latest first, or by definition, the most expensive first; at most 1000 entries.',
    scope: 'read',
    query: costsQuery,
    response: z.object({ data: z.array(evalCost) }),
    example: { response: { data: [exampleCost] } },
    handler: async ({ principal: { application }, query }) => ({
      data: await read(evalCosts, { application, query, now: now() }),
    }),
  });
