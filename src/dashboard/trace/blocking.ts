import type { EvaluationDefinition, ListedEval } from '../../api/generated/schema.ts';
import { evaluatorWords } from '../evaluators/words.ts';

/** Reports whether an evaluator can fail a test: every rule, and a judge model with a required agreement. */
export const isBlocking = ({ type, gate }: Pick<EvaluationDefinition, 'type' | 'gate'>): boolean =>
  !evaluatorWords(type).isJudged || gate !== null;

/** Returns verdicts with those first that matter most: failed ones before passed ones, blocking ones before others. */
export const byWeight = (evals: readonly ListedEval[]): ListedEval[] =>
  evals.toSorted((a, b) => weightOf(a) - weightOf(b));

const weightOf = ({ passed, definition }: ListedEval): number =>
  (passed === false ? 0 : passed === null ? 4 : 2) + (isBlocking(definition) ? 0 : 1);
