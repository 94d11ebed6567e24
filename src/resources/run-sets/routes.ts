import { requireShownTests } from '../../traces/withheld/require-shown.ts';
import type { Principal } from '../../contract/scope.ts';
import PQueue from 'p-queue';
import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  cancelRunSet,
  createRunSet,
  decideRunSet,
  gatesToFix,
  getRunSet,
  getRunSetSnapshot,
  listRunSets,
  recordDecision,
  startNextBatch,
} from './calls.ts';
import { createRunSetBody, runSet, runSetSnapshot, runSetsQuery } from './contract.ts';
import { decision, type Decision, decisionQuery, type DecisionQuery } from './decision-contract.ts';
import { exampleDecision, exampleRunSet, exampleRunSetBody, exampleSnapshot } from './example.ts';

export interface RunSetRouteDeps extends StoreCalls {
  /** Model that writes the prompts of `NORMAL` tasks; null when none is configured. */
  promptModel: object | null;
  /** Called after tests were started. */
  onEnqueued: () => void;
  /** Called after a test was cancelled. */
  onCancelled: (testId: string) => void;
}

/** Most waiting decisions of all applications. */
const MAX_WAITING = 32;
const byId = z.object({ id: uuid });

export const runSetRoutes = (deps: RunSetRouteDeps): Route[] => [
  ...setRoutes(deps),
  cancelRoute(deps),
  continueRoute(deps),
  ...decisionRoutes(deps),
];

function setRoutes({ read, write, now, promptModel, onEnqueued }: RunSetRouteDeps): Route[] {
  const sets = recordRoutes({
    path: '/v0/run-sets',
    group: 'Run sets',
    record: runSet,
    example: exampleRunSet,
    now,
  });
  return [
    sets.create({
      operationId: 'createRunSet',
      summary: 'Start a run set',
      description:
        'Starts the tests of several tasks as one run set, at most 10000. Examples, definitions with what they expect, and the versions of judges are fixed at that moment: what is edited, unlinked or deleted meanwhile changes nothing. With more than 500 tests, the response is sent when the first ones were started.',
      body: createRunSetBody,
      example: { body: exampleRunSetBody },
      errors: ['not_found', 'conflict'],
      handler: async (args) => {
        const set = await write(createRunSet, {
          ...args,
          promptSeed: promptModel && args.fields.promptSeed,
          gates: await read(gatesToFix, { application: args.owner.application, now: now() }),
        });
        onEnqueued();
        return set;
      },
    }),
    sets.list({
      operationId: 'listRunSets',
      summary: 'List run sets',
      description: 'A run set is everything that one CI build or one person started together.',
      query: runSetsQuery,
      handler: (args) => read(listRunSets, args),
    }),
    sets.get({
      operationId: 'getRunSet',
      summary: 'Get a run set',
      handler: (args) => read(getRunSet, args),
    }),
    snapshotRoute({ read }),
  ];
}

const snapshotRoute = ({ read }: Pick<RunSetRouteDeps, 'read'>): Route =>
  route({
    method: 'GET',
    path: '/v0/run-sets/{id}/snapshot',
    operationId: 'getRunSetSnapshot',
    group: 'Run sets',
    summary: 'Get what a run set has fixed',
    description:
      'The examples, definitions and judges that were fixed when the run set was started: what is edited, unlinked or deleted meanwhile changes nothing.',
    scope: 'read',
    params: byId,
    response: z.object({ data: runSetSnapshot }),
    example: { response: { data: exampleSnapshot } },
    errors: ['not_found'],
    handler: async ({ principal, params: { id } }) => ({
      data: await read(getRunSetSnapshot, { owner: ownerOf(principal), id }),
    }),
  });

const cancelRoute = ({ read, write, now, onCancelled }: RunSetRouteDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/run-sets/{id}/cancel',
    operationId: 'cancelRunSet',
    group: 'Run sets',
    summary: 'Cancel a run set',
    description:
      'Starts no further tests and cancels those that have not ended. The others keep their results.',
    scope: 'write',
    params: byId,
    response: z.object({ data: runSet }),
    example: { response: { data: { ...exampleRunSet, status: 'CANCELLED' } } },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id } }) => {
      const { application } = principal;
      for (let isFirst = true, hasMore = true; hasMore; isFirst = false) {
        const step = await write(cancelRunSet, { application, id, at: now(), isFirst });
        for (const testId of step.testIds) onCancelled(testId);
        ({ hasMore } = step);
      }
      return { data: await read(getRunSet, { owner: ownerOf(principal), id }) };
    },
  });

const continueRoute = ({ read, write, now, onEnqueued }: RunSetRouteDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/run-sets/{id}/continue',
    operationId: 'continueRunSet',
    group: 'Run sets',
    summary: 'Start the next batch of a run set',
    description:
      'For a run set with `untilSure` whose last batch has ended. Examples come in a random order that was fixed at the start.',
    scope: 'write',
    params: byId,
    response: z.object({ data: runSet }),
    example: {
      response: { data: { ...exampleRunSet, status: 'RUNNING', untilSure: { batch: 20, tested: 40 } } },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id } }) => {
      await write(startNextBatch, { application: principal.application, id, at: now() });
      onEnqueued();
      return { data: await read(getRunSet, { owner: ownerOf(principal), id }) };
    },
  });

/** Runs decisions one at a time: each may take seconds, during which the other readers serve all other queries. */
function decisionRoutes({ read, write, now }: RunSetRouteDeps): Route[] {
  const queue = new PQueue({ concurrency: 1 });
  const decideOn = async (principal: Principal, id: string, query: DecisionQuery): Promise<Decision> => {
    const owner = ownerOf(principal);
    await requireShownTests(read, { principal, ids: [id], now: now() });
    if (queue.size >= MAX_WAITING) throw new AppError('unavailable', 'too many decisions wait; retry later');
    const { baseline, margin = null, ...rule } = query;
    const args = { owner, id, baseline, rule: { ...rule, margin }, now: now() };
    const decided = await queue.add(() => read(decideRunSet, args));
    await requireShownTests(read, { principal, ids: decided.baselineRunIds, now: now() });
    return decided;
  };
  const shared = {
    path: '/v0/run-sets/{id}/decision',
    group: 'Run sets',
    params: byId,
    query: decisionQuery,
    response: z.object({ data: decision }),
    example: { response: { data: exampleDecision } },
    errors: ['not_found', 'bad_request', 'conflict', 'too_large', 'unavailable'],
  } as const;
  return [
    route({
      ...shared,
      method: 'GET',
      operationId: 'getDecision',
      summary: 'Get the decision on a run set',
      description:
        'Decides as `touchstone test` does, which calls this: whether the pass rate is high enough and, with a margin, whether the run set is worse than its baseline. Rejected with 409 for a reviewer from whom verdicts on its tests, or on those of the baseline, are withheld.',
      scope: 'read',
      handler: async ({ principal, params: { id }, query }) => ({
        data: await decideOn(principal, id, query),
      }),
    }),
    route({
      ...shared,
      method: 'POST',
      operationId: 'recordDecision',
      summary: 'Record the decision on a run set',
      description:
        'Decides as `GET` does, and records the decision in the run set. A run set that decided, and one that was its baseline, are pinned against retention.',
      scope: 'write',
      handler: async ({ principal, params: { id }, query }) => {
        const data = await decideOn(principal, id, query);
        const { outcome, rule, baselineId, baselineRunIds } = data;
        const advisoryIds = data.advisory.map((one) => one.id);
        const kept = {
          outcome,
          rule,
          baselineId,
          baselineRunIds,
          advisoryIds,
          rate: data.rate?.rate ?? null,
        };
        await write(recordDecision, { application: principal.application, id, decision: kept, at: now() });
        return { data };
      },
    }),
  ];
}
