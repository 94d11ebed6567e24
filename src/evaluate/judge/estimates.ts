import type { Read } from '../../storage/calls.ts';
import type { AppliedDefinition, JudgedEvaluator, Question } from '../evaluator.ts';
import type { Subject } from '../subject.ts';
import { judgeCosts } from './calls.ts';
import type { OrganisationCostLimits } from './judge.ts';
import { judgePrompt } from './prompt.ts';
import type { JudgeSettings, JudgesSettings } from './settings.ts';

/** Characters of a token, as few as texts in most languages have. */
const CHARACTERS_OF_TOKEN = 3;
/** Tokens of an answer, with its rationale. */
const ANSWER_TOKENS = 250;

/** Calls and tokens that a verdict is expected to take. */
export interface JudgeEstimate {
  /** Name of the judge in the settings. */
  judge: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when no price is configured. */
  cost: number | null;
}

export interface JudgeEstimates {
  /** Returns what a verdict is expected to take; null if no judge is asked, because none is configured or the verdict is known. */
  of(definition: AppliedDefinition, subject: Subject, evaluator: JudgedEvaluator): JudgeEstimate | null;
  /** Returns the US dollars that are left of the limits of the day and the month; null without a limit. */
  left(application: number): Promise<number | null>;
}

interface EstimateDeps {
  read: Read;
  now: () => number;
  organisationLimits?: OrganisationCostLimits;
}

export function createJudgeEstimates(
  settings: JudgesSettings,
  { read, now, organisationLimits }: EstimateDeps,
): JudgeEstimates {
  const judges = new Map(settings.judges.map((judge) => [judge.name, judge]));
  return {
    of: (definition, subject, evaluator) => {
      const { judge: named } = definition.config;
      const judge = judges.get(typeof named === 'string' ? named : (settings.default ?? ''));
      const inquiry = evaluator.inquiry(subject, definition);
      if (!judge || typeof inquiry !== 'function') return null;
      const questions: Question[] = [];
      // Later questions depend on answers, and are unknown.
      inquiry((question) => {
        questions.push(question);
        return new Promise(() => undefined);
      }).catch(() => undefined);
      return estimateOf(judge, questions, definition.repeats);
    },
    left: async (application) => {
      const { dailyCostLimit } = settings;
      const { perDay = null, perMonth = null } = organisationLimits ?? {};
      if ([dailyCostLimit, perDay, perMonth].every((limit) => limit === null)) return null;
      const { ofDay, ofOrganisation } = await read(judgeCosts, { application, runId: null, at: now() });
      const left = [
        [dailyCostLimit, ofDay],
        [perDay, ofOrganisation.day],
        [perMonth, ofOrganisation.month],
      ] as const;
      return Math.max(
        0,
        Math.min(...left.flatMap(([limit, spent]) => (limit === null ? [] : limit - spent))),
      );
    },
  };
}

/** Returns what questions to a judge are expected to take, each asked `repeats` times. */
export function estimateOf(
  judge: JudgeSettings,
  questions: readonly Question[],
  repeats: number,
): JudgeEstimate {
  const prompts = questions.map((question) => judgePrompt(question));
  const isComparison = prompts.some((prompt) => prompt.isComparison === true);
  const characters = prompts
    .flatMap(({ system, inputs }) => [system.length, ...inputs.map(({ text }) => text.length)])
    .reduce((sum, length) => sum + length, 0);
  const calls = questions.length * repeats;
  const inputTokens = Math.ceil(characters / CHARACTERS_OF_TOKEN) * repeats;
  const outputTokens = isComparison ? 0 : calls * Math.min(ANSWER_TOKENS, judge.maxOutputTokens);
  const prices = isComparison
    ? judge.embeddingPrice === null
      ? null
      : { input: judge.embeddingPrice, output: 0 }
    : judge.prices;
  const cost = prices && (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  return { judge: judge.name, calls, inputTokens, outputTokens, cost };
}
