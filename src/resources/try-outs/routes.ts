import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { z } from 'zod';
import { reviewerOf } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { AppliedDefinition } from '../../evaluate/evaluator.ts';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import type { JudgeEstimate, JudgeEstimates } from '../../evaluate/judge/estimates.ts';
import { textOf } from '../../evaluate/subject.ts';
import { callSlots } from '../../runtime/call-slots.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { findWithheld } from '../../traces/withheld/calls.ts';
import { checkJudge, checkScorer } from '../definitions/check-given.ts';
import { isTriable, loadCandidate, triedDefinition, tryCandidates } from './calls.ts';
import type { TryCandidate } from './candidates.ts';
import { type TriedSubject, type TryBody, tryBody, type TryResult, tryResult } from './contract.ts';
import { judgeOnce, type TryJudgeDeps } from './judge-one.ts';
import type { LoadedCandidate } from './store.ts';

interface TryDeps extends StoreCalls, TryJudgeDeps {
  guard: Pick<AddressGuard, 'checkUrl'>;
  judgeEstimates: JudgeEstimates;
}

/** Verdicts of one call that are in progress at once. */
const AT_ONCE = 4;
/** Calls in progress: of one application, and of all. Further ones are rejected. */
const MAX_OF_APPLICATION = 2;
const MAX_CALLS = 16;
/** Milliseconds after which subjects without a verdict time out. */
const TIME_LIMIT_MS = 120_000;
const SHOWN_CHARACTERS = 2_000;

/** A subject that is tried. */
interface Tried extends LoadedCandidate {
  candidate: TryCandidate | null;
}

export function tryRoutes(deps: TryDeps): Route[] {
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
  deps: TryDeps,
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
  const { tried, leftOut } = await subjectsOf(deps, caller, body, definition);
  const expected = {
    ...expectedOf(judgeEstimates, tried),
    leftToday: await judgeEstimates.left(application),
  };
  const results = body.dryRun
    ? tried.map((one) => shownSubject(one, null))
    : await judgeAll(deps, { application, tried, revoked });
  return { expected, spent: spentOf(results), leftOut, results };
}

async function subjectsOf(
  { read, now }: TryDeps,
  caller: Principal,
  { sample, definitionId }: TryBody,
  definition: AppliedDefinition,
): Promise<{ tried: Tried[]; leftOut: number }> {
  const { application } = caller;
  if (sample.texts) return { tried: sample.texts.map((text) => givenText(text, definition)), leftOut: 0 };
  const { candidates, heldOut } = await read(tryCandidates, { application, sample, definitionId });
  const withheld = await read(findWithheld, {
    application,
    reviewer: reviewerOf(caller),
    now: now(),
    testIds: candidates.flatMap(({ testId }) => testId ?? []),
    traceIds: candidates.flatMap(({ traces }) => traces),
  });
  const hidden = new Set([...withheld.testIds, ...withheld.traceIds]);
  const shown = candidates.filter(
    ({ testId, traces }) => ![testId, ...traces].some((id) => hidden.has(id ?? '')),
  );
  const most = sample.pick === undefined ? shown.length : sample.count;
  const tried: Tried[] = [];
  for (const candidate of shown) {
    if (tried.length === most) break;
    const args = { application, definitionId: definitionId ?? null, definition, candidate };
    const loaded = await read(loadCandidate, args);
    if (loaded) tried.push({ ...loaded, candidate });
  }
  return { tried, leftOut: heldOut + candidates.length - shown.length };
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

function expectedOf(
  estimates: JudgeEstimates,
  tried: readonly Tried[],
): Omit<TryResult['expected'], 'leftToday'> {
  const found = tried.flatMap(({ definition, subject }): JudgeEstimate[] => {
    const evaluator = evaluatorOf(definition.type);
    const one = evaluator?.judgedBy === 'model' ? estimates.of(definition, subject, evaluator) : null;
    return one === null ? [] : [one];
  });
  const sum = (field: 'calls' | 'inputTokens' | 'outputTokens'): number =>
    found.reduce((total, one) => total + one[field], 0);
  return {
    subjects: tried.length,
    judge: found[0]?.judge ?? null,
    calls: sum('calls'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cost: found.some(({ cost }) => cost === null)
      ? null
      : found.reduce((total, { cost }) => total + (cost ?? 0), 0),
  };
}

/** Thrown in place of a request whose subject was deleted meanwhile. */
class DeletedError extends Error {}

const given = (status: 'FAILED' | 'SKIPPED', reason: string): NonNullable<TriedSubject['now']> => ({
  status,
  passed: null,
  score: null,
  reason,
  quotes: [],
  inputTokens: 0,
  outputTokens: 0,
  cost: null,
  latencyMs: 0,
});

/** Judges all subjects, some of them at once. Rejects once the caller may not make the call any longer. */
async function judgeAll(
  deps: TryDeps,
  { application, tried, revoked }: { application: number; tried: readonly Tried[]; revoked: AbortSignal },
): Promise<TriedSubject[]> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const signal = AbortSignal.any([revoked, limit]);
  const queue = new PQueue({ concurrency: AT_ONCE });
  const judge = async (one: Tried): Promise<TriedSubject> => {
    const { candidate, definition, subject, shown } = one;
    const traceId = candidate?.traces[0] ?? null;
    const beforeSend = async (): Promise<void> => {
      if (candidate && !(await deps.read(isTriable, { application, candidate }))) throw new DeletedError();
    };
    try {
      signal.throwIfAborted();
      const of = { application, definition, subject, testId: shown.testId, traceId };
      return shownSubject(one, await judgeOnce(deps, of, { signal, beforeSend }));
    } catch (error) {
      revoked.throwIfAborted();
      if (error instanceof DeletedError)
        return shownSubject(
          { ...one, subject: { ...subject, input: null, output: null } },
          given('SKIPPED', 'It was deleted.'),
        );
      if (limit.aborted)
        return shownSubject(one, given('FAILED', `no verdict within ${TIME_LIMIT_MS / 1_000} seconds`));
      throw error;
    }
  };
  try {
    return await queue.addAll(tried.map((one) => () => judge(one)));
  } finally {
    queue.clear();
  }
}

const shownSubject = ({ shown, subject }: Tried, now: TriedSubject['now']): TriedSubject => ({
  ...shown,
  input: textOf(subject.input)?.slice(0, SHOWN_CHARACTERS).toWellFormed() ?? null,
  output: textOf(subject.output)?.slice(0, SHOWN_CHARACTERS).toWellFormed() ?? null,
  now,
});

function spentOf(results: readonly TriedSubject[]): TryResult['spent'] {
  const judged = results.flatMap(({ now }) => (now && now.inputTokens + now.latencyMs > 0 ? [now] : []));
  const costs = judged.flatMap(({ cost }) => cost ?? []);
  return {
    calls: judged.filter(({ inputTokens }) => inputTokens > 0).length,
    inputTokens: judged.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: judged.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    cost: costs.length === 0 && judged.length > 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

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
