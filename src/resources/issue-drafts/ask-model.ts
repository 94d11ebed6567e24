import { AppError } from '../../errors.ts';
import type { Question } from '../../evaluate/evaluator.ts';
import { estimateOf, type JudgeEstimates } from '../../evaluate/judge/estimates.ts';
import type { Judge } from '../../evaluate/judge/judge.ts';
import { judgePrompt } from '../../evaluate/judge/prompt.ts';
import type { ExpectedCost, SpentCost } from './contract.ts';

export interface DraftModelDeps {
  /** Model that suggests issues and drafts evaluators; null when none is configured. */
  draftModel: Judge | null;
  judgeEstimates: JudgeEstimates;
}

/** Milliseconds after which a call ends without an answer. */
const TIME_LIMIT_MS = 120_000;

export const NOTHING_SPENT: SpentCost = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** Returns what a question is expected to take. */
export async function expectedSpending(
  { draftModel, judgeEstimates }: DraftModelDeps,
  application: number,
  question: Question | null,
): Promise<ExpectedCost> {
  const leftToday = await judgeEstimates.left(application);
  const none = { model: null, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, leftToday };
  if (draftModel === null) return none;
  const { judge: model, ...expected } = estimateOf(draftModel.settings, question ? [question] : [], 1);
  return { model, ...expected, leftToday };
}

interface ToAsk<T> {
  application: number;
  question: Question<T>;
  /** Id that only this call has: what belongs to no eval is stored without its texts. */
  subjectId: string;
  signal: AbortSignal;
  /** Called before each request. It is not sent if this rejects. */
  beforeSend: () => Promise<void>;
}

/**
 * Asks the model once, and returns its answer with what it cost. Of the request, only the cost is stored. Throws `conflict` without a
 * model or when a cost limit is reached, and `unavailable` without a usable answer.
 */
export async function askModel<T>(
  { draftModel }: DraftModelDeps,
  { application, question, subjectId, signal, beforeSend }: ToAsk<T>,
): Promise<{ value: T; spent: SpentCost }> {
  if (draftModel === null)
    throw new AppError('conflict', 'No judge model is configured; set TOUCHSTONE_JUDGE_MODEL');
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const asker = { application, subjectId, runId: null, repeat: 0 };
  const options = { signal: AbortSignal.any([signal, limit]), beforeSend };
  try {
    const asked = await draftModel.ask(
      judgePrompt(question, 'texts about the responses of an application'),
      question.answer,
      asker,
      options,
    );
    if ('error' in asked) {
      const { code, message } = asked.error;
      throw code === 'judge_cost_limit'
        ? new AppError('conflict', `Nothing was asked: ${message}`)
        : new AppError('unavailable', `The model gave no usable answer: ${message}`);
    }
    const { reply, value } = asked;
    const [inputTokens, outputTokens] = [reply?.inputTokens ?? 0, reply?.outputTokens ?? 0];
    return { value, spent: { calls: 1, inputTokens, outputTokens, cost: reply ? reply.cost : 0 } };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted && !(error instanceof AppError))
      throw new AppError(
        'unavailable',
        `The model did not answer within ${TIME_LIMIT_MS / 1_000} seconds; retry later`,
      );
    throw error;
  }
}
