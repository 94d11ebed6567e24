import PQueue from 'p-queue';
import { reviewerOf } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import type { AppliedDefinition } from '../../evaluate/evaluator.ts';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import type { JudgeEstimate, JudgeEstimates } from '../../evaluate/judge/estimates.ts';
import { textOf } from '../../evaluate/subject.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { findWithheld } from '../../traces/withheld/calls.ts';
import { isTriable, loadCandidate } from './calls.ts';
import type { TryCandidate } from './candidates.ts';
import type { TriedSubject, TryResult } from './contract.ts';
import { judgeOnce, type TryJudgeDeps } from './judge-one.ts';
import type { LoadedCandidate } from './store.ts';

export interface TryDeps extends StoreCalls, TryJudgeDeps {
  judgeEstimates: JudgeEstimates;
}

/** Verdicts of one call that are in progress at once. */
const AT_ONCE = 4;
/** Milliseconds after which subjects without a verdict time out. */
const TIME_LIMIT_MS = 120_000;
const SHOWN_CHARACTERS = 2_000;

/** A subject that is tried. */
export interface Tried extends LoadedCandidate {
  candidate: TryCandidate | null;
}

/** Returns what can be judged of candidates, at most `most`, without those whose verdicts are withheld from the caller. */
export async function subjectsOf(
  { read, now }: TryDeps,
  caller: Principal,
  {
    candidates,
    most,
    definition,
    definitionId = null,
  }: {
    candidates: readonly TryCandidate[];
    most: number;
    definition: AppliedDefinition;
    definitionId?: string | null;
  },
): Promise<{ tried: Tried[]; hidden: number }> {
  const { application } = caller;
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
  const tried: Tried[] = [];
  for (const candidate of shown) {
    if (tried.length === most) break;
    const args = { application, definitionId, definition, candidate };
    const loaded = await read(loadCandidate, args);
    if (loaded) tried.push({ ...loaded, candidate });
  }
  return { tried, hidden: candidates.length - shown.length };
}

/** Returns what the verdicts on all subjects are expected to take. */
export function expectedOf(
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
export async function judgeAll(
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

/** Returns a subject as the API shows it, with its verdict. */
export const shownSubject = ({ shown, subject }: Tried, now: TriedSubject['now']): TriedSubject => ({
  ...shown,
  input: textOf(subject.input)?.slice(0, SHOWN_CHARACTERS).toWellFormed() ?? null,
  output: textOf(subject.output)?.slice(0, SHOWN_CHARACTERS).toWellFormed() ?? null,
  now,
});

/** Returns what verdicts took. */
export function spentOf(results: readonly TriedSubject[]): TryResult['spent'] {
  const judged = results.flatMap(({ now }) => (now && now.inputTokens + now.latencyMs > 0 ? [now] : []));
  const costs = judged.flatMap(({ cost }) => cost ?? []);
  return {
    calls: judged.filter(({ inputTokens }) => inputTokens > 0).length,
    inputTokens: judged.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: judged.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    cost: costs.length === 0 && judged.length > 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}
