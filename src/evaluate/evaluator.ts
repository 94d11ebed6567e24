import type { z } from 'zod';
import type { JsonValue } from '../traces/span-wire.ts';
import type { Subject } from './subject.ts';

/** A definition as it is applied to one subject. */
export interface AppliedDefinition<Config = Readonly<Record<string, unknown>>> {
  definitionId: string;
  /** Version of the definition. */
  version: number;
  name: string;
  type: string;
  config: Config;
  /** Expectation of the example, else of the link to the task; undefined when neither has one. */
  expected: JsonValue | undefined;
  /** Rubric of the example, for evaluators that read it; undefined when there is none. */
  rubric?: string | undefined;
  /** Checks of the example, for definitions of `ASSERT` that apply them; undefined when there are none. */
  checks?: JsonValue | undefined;
  /** Test to compare with, for evaluators that read it; undefined when there is none. */
  baseline?: Baseline | undefined;
  /** Sections of the definition's style guide; null if it has none. */
  styleGuide: readonly StyleSection[] | null;
  /** Number of requests to the judge model: 1, 3, 5, 7 or 9. */
  repeats: number;
}

/** Output of another test that an output is compared with. */
export interface Baseline {
  testId: string;
  output: JsonValue;
  /** True if a trace of that test was deleted, so that its output is unknown. */
  isDeleted?: true;
  /** Outputs of the tests in the other runs to compare with, if the best of all is selected. */
  others?: readonly Omit<Baseline, 'others'>[];
}

export interface StyleSection {
  heading: string;
  content: string;
}

/** Verdict of an evaluator on one subject. */
export type Verdict =
  | {
      status: 'COMPLETED';
      /** Score on the scale of the definition's type. */
      score: number;
      /** Score as (score − min) / (max − min), from 0 to 1. */
      normalised: number;
      passed: boolean;
      /** Details of the score, by type. */
      results: Readonly<Record<string, unknown>>;
      /** Reason in words; null when `results` are sufficient. */
      reason: string | null;
    }
  /** Verdict when a judge, or data that the evaluator needs, is missing. */
  | { status: 'SKIPPED'; reason: string }
  /** Verdict when the attempt failed. */
  | { status: 'FAILED'; reason: string };

/** Parts of a subject that a verdict depends on. A later span that does not change them changes no verdict. */
export type Aspect = keyof Subject;

/**
 * Judges without a model: the same subject always has the same verdict. Runs in a thread that can be stopped during
 * an endless loop.
 */
export interface DeterministicEvaluator {
  judgedBy: 'rule';
  reads(definition: AppliedDefinition): readonly Aspect[];
  /** `onExampleChecks` is called before the checks of the example run, which follow those of the definition. */
  evaluate(subject: Subject, definition: AppliedDefinition, onExampleChecks?: () => void): Verdict;
}

/** Question to a judge model. */
export interface Question<Answer = unknown> {
  /**
   * Instructions for the model. They may contain texts of the definition, such as its criterion, but none of the
   * subject.
   */
  instructions: string;
  /** Texts to judge. They are untrusted: the sender must separate each from the instructions. */
  inputs: readonly { label: string; text: string }[];
  answer: z.ZodType<Answer>;
  /** True to compare the first text with each of the others by their embeddings, instead of asking. */
  compares?: true;
}

/** Sends a question to the judge model. Rejects when there is no usable answer. */
export type Ask = <Answer>(question: Question<Answer>) => Promise<Answer>;

/** Asks what one vote needs: one question, or several of which later ones may depend on earlier answers. */
export type Inquiry<Answer> = (ask: Ask) => Promise<Answer>;

/** Reason why a judge is not asked. */
export type NoInquiry =
  /** Data that the evaluator needs is missing. */
  | { skip: string }
  /** The app did not do its part. `score`: the lowest one of the type. */
  | { fail: string; score: number };

/** Judges with requests to a model. */
export interface JudgedEvaluator<Answer = unknown> {
  judgedBy: 'model';
  reads(definition: AppliedDefinition): readonly Aspect[];
  /** Reports whether the verdict depends on the rubric of the example. Default: it does not. */
  readsRubric?(definition: AppliedDefinition): boolean;
  /** Returns the ids of the runs with tests to compare with: with one of them, or with one of each (`isOfEach`). */
  baselineRuns?(definition: AppliedDefinition): { runIds: readonly string[]; isOfEach: boolean };
  /** Returns the inquiry, or why the verdict is known or impossible without one. */
  inquiry(subject: Subject, definition: AppliedDefinition): Inquiry<Answer> | NoInquiry;
  /** Derives the verdict from the answers of all repeats that have one; there is at least one. */
  decide(answers: readonly Answer[], definition: AppliedDefinition, subject: Subject): Verdict;
}

/** Judges with a request to an endpoint of the user. */
export interface ScoredEvaluator {
  judgedBy: 'scorer';
  reads(definition: AppliedDefinition): readonly Aspect[];
  readsRubric(definition: AppliedDefinition): boolean;
  /** Returns what the endpoint is sent, beside the ids of the eval. */
  question(subject: Subject, definition: AppliedDefinition): Readonly<Record<string, unknown>>;
  /** Derives the verdict from the body of the response. Throws ZodError when it is not of the right form. */
  decide(answer: unknown, definition: AppliedDefinition): ScoredVerdict;
}

/** Verdict of an endpoint; `cost` is what it reports, in US dollars. */
export interface ScoredVerdict {
  verdict: Verdict;
  cost: number | null;
}

export type Evaluator = DeterministicEvaluator | JudgedEvaluator | ScoredEvaluator;
