import { z } from 'zod';
import type { DeterministicEvaluator, AppliedDefinition, Verdict } from '../evaluator.ts';
import type { Subject } from '../subject.ts';
import { assert } from './assert.ts';
import { truncateReason } from './assertions/assertion.ts';
import { outputMatch } from './output-match.ts';
import { EXAMPLE_INPUTS, exampleInputs } from './example-inputs.ts';

/** Evaluators that need no judge model, by type of definition. */
export const DETERMINISTIC_EVALUATORS: ReadonlyMap<string, DeterministicEvaluator> = new Map([
  ['OUTPUT_MATCH', outputMatch],
  ['ASSERT', assert],
]);

/**
 * Returns the verdict of one deterministic definition. It may never return, because a user's pattern may run forever.
 */
export function evaluateDefinition(
  subject: Subject,
  definition: AppliedDefinition,
  onExampleChecks?: () => void,
): Verdict {
  const { type } = definition;
  const evaluator = type === EXAMPLE_INPUTS ? exampleInputs : DETERMINISTIC_EVALUATORS.get(type);
  if (!evaluator) return { status: 'FAILED', reason: `${type} is judged by a model` };
  try {
    return evaluator.evaluate(subject, definition, onExampleChecks);
  } catch (error) {
    return {
      status: 'FAILED',
      reason: truncateReason(`the definition could not be evaluated: ${wordsOf(error)}`),
    };
  }
}

/** Describes an error. A definition stored by another version may have a configuration that this version rejects. */
function wordsOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const [issue] = error.issues;
  return `globalConfig.${issue?.path.join('.')}: ${issue?.message}`;
}
