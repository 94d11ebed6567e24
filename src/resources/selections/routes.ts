import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { isObject } from '../../contract/is-object.ts';
import { ownerOf } from '../../contract/owner.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { triggerInSteps } from '../../deliver/trigger-in-steps.ts';
import { AppError } from '../../errors.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import { requestedFilter } from '../../filter/query.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { getPromptSchema } from '../examples/calls.ts';
import { requireValidInput } from '../examples/require-valid-input.ts';
import { createChosenItems } from '../human-annotation-queue-items/calls.ts';
import type { TestRouteDeps } from '../tests/routes.ts';
import { readTraceTexts } from '../trace-examples/calls.ts';
import type { TraceExample, TraceTexts } from '../trace-examples/store.ts';
import { makeTraceExamples, selectExamplesOfResults } from './calls.ts';
import {
  bulkItemsBody,
  examplesFromTracesBody,
  MAX_NAMED,
  runAgainBody,
  runAgainDone,
  selectionDone,
  type SelectionDone,
  type SkipReason,
} from './contract.ts';
import { stepsOf, tracesOfSelection } from './resolve.ts';

type SelectionDeps = StoreCalls &
  Pick<TestRouteDeps, 'promptModel' | 'onEnqueued'> & { checkInputs: CheckInputs };

type NewTraceExample = Omit<TraceExample, 'owner'>;

/** Most tasks of one trigger. */
const MAX_TASKS = 100;

const DONE: SelectionDone = { matched: 12, done: 12, skippedCount: 0, skipped: [], isComplete: true };

export const selectionRoutes = (deps: SelectionDeps): Route[] => [
  bulkItemsRoute(deps),
  examplesFromTracesRoute(deps),
  runAgainRoute(deps),
];

const bulkItemsRoute = (deps: SelectionDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/human-annotation-queue-items/bulk',
    operationId: 'createQueueItems',
    group: 'Human annotation',
    summary: 'Add many traces to an annotation queue',
    description:
      'Adds the traces of a selection as chosen by hand. Those that are pending in the queue stay as they are, so the request can be repeated.',
    scope: 'write',
    body: bulkItemsBody,
    response: z.object({ data: selectionDone }),
    example: {
      body: { queueId: ID.queue, selection: { traces: { q: 'verdict:fail last:24h' } } },
      response: { data: DONE },
    },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: async ({ principal, body: { queueId, selection }, revoked }) => {
      const owner = ownerOf(principal);
      const { traceIds, outcome } = await tracesOfSelection(deps, principal, selection);
      // A selection without any rows must still report an unknown queue.
      const steps = traceIds.length === 0 ? [[]] : stepsOf(traceIds);
      for (const step of steps) {
        revoked.throwIfAborted();
        const traces = step.map((traceId) => ({ id: randomUUID(), traceId }));
        const results = await deps.write(createChosenItems, { owner, queueId, traces, at: deps.now() });
        for (const [place, result] of results.entries())
          if (result === 'ADDED') outcome.add(1);
          else outcome.skip(step[place] ?? '', result);
      }
      return { data: outcome.result() };
    },
  });

const examplesFromTracesRoute = (deps: SelectionDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/tasks/{id}/examples/from-traces',
    operationId: 'createExamplesFromTraces',
    group: 'Examples',
    summary: 'Make examples of many traces',
    description:
      'The input of each trace of a selection becomes the input of an example of the task. Its key is `trace:` and the id of the trace; traces that have an active example in the task are skipped, so the request can be repeated.',
    scope: 'write',
    params: z.object({ id: uuid }),
    body: examplesFromTracesBody,
    response: z.object({ data: selectionDone }),
    example: {
      body: {
        selection: { results: { side: [`run:${ID.run}`], outcome: ['FAILED'] } },
        expected: 'CORRECTED',
      },
      response: { data: DONE },
    },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: async ({ principal, params: { id: taskId }, body, revoked }) => {
      const owner = ownerOf(principal);
      const { application } = owner;
      const schema = await deps.read(getPromptSchema, { application, taskId });
      const { traceIds, outcome } = await tracesOfSelection(deps, principal, body.selection);
      for (const step of stepsOf(traceIds)) {
        const made: NewTraceExample[] = [];
        for (const id of step) {
          revoked.throwIfAborted();
          const trace = await deps.read(readTraceTexts, { application, traceIds: traceIdCandidates(id) });
          const reason = trace === null ? 'NOT_FOUND' : await faultOf(trace);
          if (trace === null || reason !== null) outcome.skip(id, reason ?? 'NOT_FOUND');
          else made.push(exampleOf(trace));
        }
        const reasons = await deps.write(makeTraceExamples, { owner, traces: made });
        for (const [place, reason] of reasons.entries())
          if (reason === null) outcome.add(1);
          else outcome.skip(made[place]?.trace.id ?? '', reason);
      }
      return { data: outcome.result() };

      async function faultOf({ input }: TraceTexts): Promise<SkipReason | null> {
        if (input === null || input === '') return 'NO_INPUT';
        if (!isObject(input)) return null;
        try {
          await requireValidInput(deps.checkInputs, { application, schema, input });
          return null;
        } catch (error) {
          if (error instanceof AppError && error.code === 'invalid') return 'INVALID';
          throw error;
        }
      }

      function exampleOf({ id, input, output, correctedOutput }: TraceTexts): NewTraceExample {
        const expected = { CORRECTED: correctedOutput, OUTPUT: output, NONE: null }[body.expected];
        return {
          trace: { id, input },
          taskId,
          isOwnTask: false,
          expected,
          replaces: 'never',
          split: body.split,
          at: deps.now(),
        };
      }
    },
  });

const runAgainRoute = (deps: SelectionDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/results/run-again',
    operationId: 'runResultsAgain',
    group: 'Runs',
    summary: 'Test the examples of results again',
    description:
      'Starts a run of each task with the examples of all results that meet the filters. Results of examples that are deleted or archived are skipped. If nothing can be tested, no run is started.',
    scope: 'write',
    body: runAgainBody,
    response: z.object({ data: runAgainDone }),
    example: {
      body: { results: { side: [`run:${ID.run}`], outcome: ['FAILED'] } },
      response: { data: { ...DONE, runs: [{ runId: ID.run, taskId: ID.task, tests: 12 }] } },
    },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: async ({ principal, body: { results, repeat } }) => {
      const owner = ownerOf(principal);
      const filter = {
        ...results,
        seenBy: seenBy(principal, deps.now()),
        q: requestedFilter(results.q, 'results', deps.now()),
      };
      const { matched, exampleIds, taskIds, skipped } = await deps.read(selectExamplesOfResults, {
        owner,
        filter,
      });
      if (taskIds.length > MAX_TASKS)
        throw new AppError(
          'conflict',
          `The results are of ${taskIds.length} tasks, and one request starts at most ${MAX_TASKS}; narrow the filter.`,
        );
      const started =
        exampleIds.length === 0
          ? []
          : await triggerInSteps(deps.write, {
              application: owner.application,
              taskIds,
              repeat,
              examples: { ids: exampleIds },
              promptSeed: deps.promptModel && 0,
              type: 'MANUAL',
              experiment: null,
              at: deps.now(),
            });
      if (started.length > 0) deps.onEnqueued();
      return {
        data: {
          matched,
          done: matched - skipped.length,
          skippedCount: skipped.length,
          skipped: skipped.slice(0, MAX_NAMED),
          isComplete: true,
          runs: started.map(({ runId, taskId, testIds }) => ({ runId, taskId, tests: testIds.length })),
        },
      };
    },
  });
