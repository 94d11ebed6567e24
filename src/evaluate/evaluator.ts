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
  /** What the link to the task says is right; undefined = it says nothing. */
  expected: JsonValue | undefined;
  /** Sections of the definition's style guide; null if it has none. */
  styleGuide: readonly StyleSection[] | null;
  /** How often a judge model is asked: 1, 3, 5, 7 or 9. */
  repeats: number;
}

export interface StyleSection {
  heading: string;
  content: string;
}

/** How an evaluator judged. */
export type Verdict =
  | {
      status: 'COMPLETED';
      /** On the scale of the definition's type. */
      score: number;
      /** (score − min) / (max − min): 0 to 1. */
      normalised: number;
      passed: boolean;
      /** By type: what the score is made of. */
      results: Readonly<Record<string, unknown>>;
      /** Why, in words; null when the results say it all. */
      reason: string | null;
    }
  /** There was nothing to judge by, or nobody to judge. */
  | { status: 'SKIPPED'; reason: string }
  /** It was tried and could not be done. */
  | { status: 'FAILED'; reason: string };

/** The parts of a subject that a verdict depends on: a later span that leaves them alone changes nothing. */
export type Aspect = keyof Subject;

/** Judges by rule alone: the same subject gives the same verdict. Runs where an endless loop can be stopped. */
export interface DeterministicEvaluator {
  isJudged: false;
  reads(definition: AppliedDefinition): readonly Aspect[];
  evaluate(subject: Subject, definition: AppliedDefinition): Verdict;
}

/** What a judge model is asked. */
export interface Question<Answer = unknown> {
  /** What it is to do. Ours alone: nothing of the subject stands in it. */
  instructions: string;
  /** What it is to look at. Untrusted: whoever sends it fences each text off from the instructions. */
  inputs: readonly { label: string; text: string }[];
  answer: z.ZodType<Answer>;
}

/** Judges by asking a model. */
export interface JudgedEvaluator<Answer = unknown> {
  isJudged: true;
  reads(definition: AppliedDefinition): readonly Aspect[];
  /** The question, or why there is none. */
  ask(subject: Subject, definition: AppliedDefinition): Question<Answer> | { skip: string };
  /** From the answers of all repeats, at least one. */
  decide(answers: readonly Answer[], definition: AppliedDefinition, subject: Subject): Verdict;
}

export type Evaluator = DeterministicEvaluator | JudgedEvaluator;
