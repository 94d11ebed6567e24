import type { JudgedEvaluator, Rule, Verdict } from '../evaluator.ts';
import type { Subject } from '../subject.ts';

/** What is kept of the judging, so that it can be looked into and repeated. */
export interface JudgeRecord {
  /** Its name in the settings. */
  judge: string;
  /** As it was asked for. */
  model: string;
  parameters: {
    temperature: number | null;
    seed: number | null;
    maxOutputTokens: number;
    structuredOutput: 'json_schema' | 'json_object' | 'text';
    repeats: number;
  };
  promptVersion: number;
  /** SHA-256 of the instructions and the form of the answer, in hexadecimal: the material is not in it. */
  promptHash: string;
  /** Labels of the texts that the judge saw only the beginning of. */
  cut: readonly string[];
  /** Those that were answered, in order; fewer than asked for when judging was broken off. */
  repeats: readonly JudgeRepeat[];
  /** Share of the repeats that agree with the majority; null = there was no verdict. */
  agreement: number | null;
}

export interface JudgeRepeat {
  /** The answer as it came. */
  raw: string;
  /** The model that answered, as it calls itself. */
  model: string;
  latencyMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars; null = no price is known. */
  cost: number | null;
  /** Requests it took: more than one when some failed or an answer had to be repaired. */
  attempts: number;
}

/** Whom the questions of an eval belong to. */
export interface JudgedEval {
  application: number;
  evalId: string;
  /** null = no run: a trace that no test asked for. */
  runId: string | null;
}

export interface Judges {
  /** Questions that all judges together take at a time. */
  readonly concurrency: number;
  /**
   * Asks the judge of the rule as often as the rule says, and decides. Whatever the judge does is a verdict; rejects only
   * with the reason of the signal, or when the store fails. Called again for the same eval it asks nothing again whose
   * answer was stored.
   */
  evaluate(
    rule: Rule,
    subject: Subject,
    evaluator: JudgedEvaluator,
    judged: JudgedEval,
    signal: AbortSignal,
  ): Promise<{ verdict: Verdict; record: JudgeRecord | null }>;
}
