import type { Evaluator } from './evaluator.ts';
import { custom } from './evaluators/custom.ts';
import { DETERMINISTIC_EVALUATORS } from './evaluators/deterministic.ts';
import { fact } from './evaluators/fact.ts';
import { naturalness } from './evaluators/naturalness.ts';
import { recall } from './evaluators/recall.ts';
import { style } from './evaluators/style.ts';

const EVALUATORS: ReadonlyMap<string, Evaluator> = new Map<string, Evaluator>([
  ...DETERMINISTIC_EVALUATORS,
  ['NATURALNESS', naturalness],
  ['STYLE', style],
  ['RECALL', recall],
  ['FACT', fact],
  ['CUSTOM', custom],
]);

/** Returns the evaluator of a type of definition; undefined for an unknown type. */
export const evaluatorOf = (type: string): Evaluator | undefined => EVALUATORS.get(type);
