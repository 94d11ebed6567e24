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
  /** Expectation of the link to the task; undefined when it has none. */
  expected: JsonValue | undefined;
  /** Sections of the definition's style guide; null if it has none. */
  styleGuide: readonly StyleSection[] | null;
  /** Number of requests to the judge model: 1, 3, 5, 7 or 9. */
  repeats: number;
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
      /** (score − min) / (max − min): 0 to 1. */
      normalised: number;
      passed: boolean;
      /** Details of the score, by type. */
      results: Readonly<Record<string, unknown>>;
      /** Reason in words; null when the results say everything. */
      reason: string | null;
    }
  /** Verdict when something to judge by, or a judge, is missing. */
  | { status: 'SKIPPED'; reason: string }
  /** Verdict when the attempt failed. */
  | { status: 'FAILED'; reason: string };

/** The parts of a subject that a verdict depends on: a later span that leaves them alone changes nothing. */
export type Aspect = keyof Subject;

/** Judges by rule alone: the same subject gives the same verdict. Runs where an endless loop can be stopped. */
export interface DeterministicEvaluator {
  isJudged: false;
  reads(definition: AppliedDefinition): readonly Aspect[];
  evaluate(subject: Subject, definition: AppliedDefinition): Verdict;
}

/** Question to a judge model. */
export interface Question<Answer = unknown> {
  /** Instructions for the model. They never contain anything of the subject. */
  instructions: string;
  /** Texts to judge. Untrusted: the sender must fence each text off from the instructions. */
  inputs: readonly { label: string; text: string }[];
  answer: z.ZodType<Answer>;
}

/** Judges by asking a model. */
export interface JudgedEvaluator<Answer = unknown> {
  isJudged: true;
  reads(definition: AppliedDefinition): readonly Aspect[];
  /** The question, or why there is none. */
  ask(subject: Subject, definition: AppliedDefinition): Question<Answer> | { skip: string };
  /** Derives the verdict from the responses to all repeats, at least one. */
  decide(answers: readonly Answer[], definition: AppliedDefinition, subject: Subject): Verdict;
}

export type Evaluator = DeterministicEvaluator | JudgedEvaluator;
