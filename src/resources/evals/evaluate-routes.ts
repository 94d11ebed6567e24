import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { EvaluateCommands, evaluateQueries } from '../../evaluate/operations.ts';
import type { Call } from '../../storage/operations.ts';
import { cost, costsQuery, evaluateBody, evaluated } from './evaluate-contract.ts';
import type { evalQueries } from './store.ts';
import type { ToEvaluate } from './tests-to-evaluate.ts';

export interface EvaluateRouteDeps {
  read: Call<typeof evalQueries & typeof evaluateQueries>;
  write: Call<Pick<EvaluateCommands, 'planEvals'>>;
  now: () => number;
  /** Told after evals were planned. */
  onPlanned: () => void;
}

/** Tests whose traces are read at the same time. */
const AT_ONCE = 8;

const WHAT_HAPPENS =
  'By all definitions that apply now. An eval is made anew when what it depends on is no longer what it was: the definition, what is expected, or what the evaluator reads of the trace. While it is judged a test is in phase `evaluating`.';

export function evaluateRoutes({ read, write, now, onPlanned }: EvaluateRouteDeps): Route[] {
  const evaluate = async (
    which: Omit<ToEvaluate, 'now'>,
    force: boolean,
  ): Promise<z.input<typeof evaluated>> => {
    const { application } = which;
    const testIds = await read('testsToEvaluate', { ...which, now: now() });
    const plan = async (testId: string): Promise<number> => {
      const target = { testId };
      const evals = await read('wantedEvals', { application, target, hashes: !force });
      return write('planEvals', { application, target, evals, force, at: now() });
    };
    let planned = 0;
    for (let from = 0; from < testIds.length; from += AT_ONCE) {
      const counts = await Promise.all(testIds.slice(from, from + AT_ONCE).map(plan));
      planned += counts.reduce((sum, count) => sum + count, 0);
    }
    if (planned > 0) onPlanned();
    return { tests: testIds.length, evals: planned };
  };
  const evaluateRoute = (of: ToEvaluate['of'], summary: string, which: string): Route =>
    route({
      method: 'POST',
      path: `/v0/${of}s/{id}/evaluate`,
      summary,
      description: `${which} ${WHAT_HAPPENS}`,
      scope: 'write',
      params: z.object({ id: uuid }),
      body: evaluateBody,
      response: z.object({ data: evaluated }),
      status: 200,
      errors: of === 'test' ? ['not_found', 'conflict'] : ['not_found'],
      handler: async ({ scope: { application }, params: { id }, body: { force } }) => ({
        data: await evaluate({ application, of, id }, force),
      }),
    });

  return [
    evaluateRoute('test', 'Judge a test again', 'One that is complete.'),
    evaluateRoute(
      'run',
      'Judge the tests of a run again',
      'Those that are complete, at most the newest 1000.',
    ),
    evaluateRoute(
      'task',
      'Judge the tests of a task again',
      'Those of the last 30 days that count for its figures and are complete, at most the newest 1000.',
    ),

    route({
      method: 'GET',
      path: '/v0/evals/costs',
      summary: 'Get what judge models took',
      description: 'By day, the latest first, or by definition, the dearest first; at most 1000 lines.',
      scope: 'read',
      query: costsQuery,
      response: z.object({ data: z.array(cost) }),
      status: 200,
      handler: async ({ scope: { application }, query }) => ({
        data: await read('evalCosts', { application, query, now: now() }),
      }),
    }),
  ];
}
