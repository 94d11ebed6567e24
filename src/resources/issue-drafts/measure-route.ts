import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import { wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import { callSlots } from '../../runtime/call-slots.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { issueId } from '../issues/contract.ts';
import type { Measured } from '../issues/measured-contract.ts';
import { expectedOf, judgeAll, spentOf, subjectsOf, type TryDeps } from '../try-outs/judge-all.ts';
import type { TriedSubject } from '../try-outs/contract.ts';
import { triedDefinition } from '../try-outs/calls.ts';
import { measureSample, noteMeasured } from './calls.ts';
import { type MeasureResult, measureBody, measureResult } from './draft-contract.ts';

type MeasureDeps = StoreCalls & TryDeps;

const exampleMeasured: MeasureResult = {
  definitionId: ID.definition,
  cases: { shows: 9, passed: 12 },
  expected: {
    model: 'default',
    calls: 21,
    inputTokens: 13_000,
    outputTokens: 5_250,
    cost: 0.0051,
    leftToday: 4.87,
  },
  spent: { calls: 21, inputTokens: 9_800, outputTokens: 900, cost: 0.00201 },
  measured: {
    definitionId: ID.definition,
    version: 1,
    found: { count: 8, of: 9, low: 56.5, high: 98 },
    kept: { count: 12, of: 12, low: 75.8, high: 100 },
    unjudged: 0,
  },
  measurements: 1,
};

/** Returns the route that measures the evaluator of an issue on its holdout. */
export function measureRoute(deps: MeasureDeps): Route {
  const inSlot = callSlots({ ofApplication: 1, ofAll: 8, what: 'measurements' });
  return route({
    method: 'POST',
    path: '/v0/issues/{id}/measure-evaluator',
    operationId: 'measureEvaluator',
    group: 'Issues',
    summary: 'Measure the evaluator of an issue on its holdout',
    description:
      'Judges the traces of the holdout by the current version of the evaluator: at most 50 with notes of the issue, which it should fail, and at most 50 that people passed, which it should pass. Returns counts and no texts, and adds them to the activity of the issue. Otherwise only the cost is stored. The notes were chosen, so the counts are no rate of live traffic. Rejected with 409 without an evaluator or without a holdout.',
    scope: 'write',
    params: z.object({ id: issueId }),
    body: measureBody,
    response: z.object({ data: measureResult }),
    example: { body: { dryRun: false }, response: { data: exampleMeasured } },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: ({ principal, params: { id }, body: { dryRun }, revoked }) => {
      const { application, actor } = principal;
      const owner = ownerOf(principal);
      const measure = async (): Promise<{ data: MeasureResult }> => {
        const { read, write, judgeEstimates, now } = deps;
        const sample = await read(measureSample, { owner, id, seenBy: seenBy(principal, now()) });
        const { definitionId, version, definition: given } = sample;
        const of = { application, definitionId };
        const definition = {
          ...(await read(triedDefinition, { ...of, given })),
          definitionId,
          expected: undefined,
        };
        const load = async (candidates: typeof sample.shows) =>
          (await subjectsOf(deps, principal, { candidates, most: candidates.length, definition })).tried;
        const [shows, passed] = [await load(sample.shows), await load(sample.passed)];
        const { judge: model, ...expected } = expectedOf(judgeEstimates, [...shows, ...passed]);
        const { subjects: _, ...taken } = expected;
        const leftToday = await judgeEstimates.left(application);
        const shown = {
          definitionId,
          cases: { shows: shows.length, passed: passed.length },
          expected: { model, ...taken, leftToday },
        };
        if (dryRun) {
          const spent = spentOf([]);
          return { data: { ...shown, spent, measured: null, measurements: sample.measurements } };
        }
        if (shows.length === 0)
          throw new AppError('conflict', 'The holdout of the issue is empty; more notes put some into it');
        const judged = await judgeAll(deps, { application, tried: [...shows, ...passed], revoked });
        const measured = measuredOf({ definitionId, version }, judged, shows.length);
        await write(noteMeasured, { owner, id: sample.issueId, measured, actor, at: now() });
        return {
          data: { ...shown, spent: spentOf(judged), measured, measurements: sample.measurements + 1 },
        };
      };
      return dryRun ? measure() : inSlot(application, measure);
    },
  });
}

function measuredOf(
  of: Pick<Measured, 'definitionId' | 'version'>,
  judged: readonly TriedSubject[],
  shows: number,
): Measured {
  const verdicts = judged.map(({ now }) => (now?.status === 'COMPLETED' ? now.passed : null));
  const [found, kept] = [
    verdicts.slice(0, shows).filter((passed) => passed !== null),
    verdicts.slice(shows).filter((passed) => passed !== null),
  ];
  return {
    ...of,
    found: shareOf(found.filter((passed) => !passed).length, found.length),
    kept: shareOf(kept.filter(Boolean).length, kept.length),
    unjudged: verdicts.length - found.length - kept.length,
  };
}

function shareOf(count: number, of: number): Measured['found'] {
  if (of === 0) return { count, of, low: null, high: null };
  const { low, high } = wilsonInterval(count / of, of);
  return { count, of, low: percent(low), high: percent(high) };
}
