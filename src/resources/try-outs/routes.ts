import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { AppliedDefinition } from '../../evaluate/evaluator.ts';
import { callSlots } from '../../runtime/call-slots.ts';
import { checkJudge, checkScorer } from '../definitions/check-given.ts';
import { triedDefinition, tryCandidates } from './calls.ts';
import { type TryBody, tryBody, type TryResult, tryResult } from './contract.ts';
import {
  expectedOf,
  judgeAll,
  shownSubject,
  spentOf,
  subjectsOf,
  type Tried,
  type TryDeps,
} from './judge-all.ts';

interface TryRouteDeps extends TryDeps {
  guard: Pick<AddressGuard, 'checkUrl'>;
}

/** Calls in progress: of one application, and of all. Further ones are rejected. */
const MAX_OF_APPLICATION = 2;
const MAX_CALLS = 16;

export function tryRoutes(deps: TryRouteDeps): Route[] {
  const inSlot = callSlots({ ofApplication: MAX_OF_APPLICATION, ofAll: MAX_CALLS, what: 'try-outs' });
  return [
    route({
      method: 'POST',
      path: '/v0/definitions/try',
      operationId: 'tryDefinition',
      group: 'Evaluation definitions',
      summary: 'Try an evaluation definition',
      description:
        'Judges a few tests, traces or texts by a definition that is not stored, and returns the verdicts. Nothing is stored but the cost, which counts for the limits of the judges. With `dryRun`, returns what that is expected to cost. At most 2 calls of an application run at once (503); after 2 minutes, what has no verdict is `FAILED`.',
      scope: 'write',
      body: tryBody,
      response: z.object({ data: tryResult }),
      example: { body: exampleTry, response: { data: exampleResult } },
      errors: ['not_found', 'conflict', 'unavailable'],
      handler: ({ principal, body, revoked }) =>
        inSlot(principal.application, async () => ({ data: await tryOut(deps, principal, body, revoked) })),
    }),
  ];
}

async function tryOut(
  deps: TryRouteDeps,
  caller: Principal,
  body: TryBody,
  revoked: AbortSignal,
): Promise<TryResult> {
  const { read, judges, guard, judgeEstimates } = deps;
  const { application } = caller;
  const { definition: given, definitionId } = body;
  checkJudge(judges, given.globalConfig);
  checkScorer(guard, given.type, given.globalConfig ?? {});
  const of = { application, definitionId: definitionId ?? null };
  const definition: AppliedDefinition = {
    ...(await read(triedDefinition, { ...of, given })),
    definitionId: definitionId ?? randomUUID(),
    expected: undefined,
  };
  const { tried, leftOut } = await triedOf(deps, caller, body, definition);
  const expected = {
    ...expectedOf(judgeEstimates, tried),
    leftToday: await judgeEstimates.left(application),
  };
  const results = body.dryRun
    ? tried.map((one) => shownSubject(one, null))
    : await judgeAll(deps, { application, tried, revoked });
  return { expected, spent: spentOf(results), leftOut, results };
}

async function triedOf(
  deps: TryDeps,
  caller: Principal,
  { sample, definitionId }: TryBody,
  definition: AppliedDefinition,
): Promise<{ tried: Tried[]; leftOut: number }> {
  const { application } = caller;
  if (sample.texts) return { tried: sample.texts.map((text) => givenText(text, definition)), leftOut: 0 };
  const { candidates, heldOut } = await deps.read(tryCandidates, { application, sample, definitionId });
  const most = sample.pick === undefined ? candidates.length : sample.count;
  const { tried, hidden } = await subjectsOf(deps, caller, {
    candidates,
    most,
    definition,
    definitionId: definitionId ?? null,
  });
  return { tried, leftOut: heldOut + hidden };
}

type GivenText = NonNullable<TryBody['sample']['texts']>[number];

const givenText = ({ input, output, expected }: GivenText, definition: AppliedDefinition): Tried => ({
  candidate: null,
  definition: { ...definition, expected },
  subject: {
    input: input ?? null,
    output,
    documents: [],
    turns: [],
    toolCalls: [],
    spans: [],
    latencyMs: null,
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    cost: null,
    isTruncated: false,
  },
  shown: { testId: null, traceId: null, human: null, stored: null },
});

const exampleTry: z.input<typeof tryBody> = {
  definition: {
    type: 'CUSTOM',
    globalConfig: { criterion: 'The answer says how many days a customer has to return a product.' },
  },
  sample: { texts: [{ input: 'How long may I return it?', output: 'Within 30 days.' }] },
};

const exampleResult: TryResult = {
  expected: {
    subjects: 1,
    judge: 'default',
    calls: 1,
    inputTokens: 640,
    outputTokens: 250,
    cost: 0.000246,
    leftToday: 4.87,
  },
  spent: { calls: 1, inputTokens: 412, outputTokens: 18, cost: 0.0000726 },
  leftOut: 0,
  results: [
    {
      testId: null,
      traceId: null,
      input: 'How long may I return it?',
      output: 'Within 30 days.',
      human: null,
      stored: null,
      now: {
        status: 'COMPLETED',
        passed: true,
        score: 1,
        reason: 'It says “Within 30 days”.',
        quotes: [{ text: 'Within 30 days', start: 0, end: 14 }],
        inputTokens: 412,
        outputTokens: 18,
        cost: 0.0000726,
        latencyMs: 812,
      },
    },
  ],
};
