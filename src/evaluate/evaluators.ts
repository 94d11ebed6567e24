import type { Evaluator } from './evaluator.ts';
import { conversationEvaluator } from './evaluators/conversation.ts';
import { custom } from './evaluators/custom.ts';
import { DETERMINISTIC_EVALUATORS } from './evaluators/deterministic.ts';
import { fact } from './evaluators/fact.ts';
import { http } from './evaluators/http.ts';
import { naturalness } from './evaluators/naturalness.ts';
import { pairwise } from './evaluators/pairwise.ts';
import { recall } from './evaluators/recall.ts';
import { similarity } from './evaluators/similarity.ts';
import { style } from './evaluators/style.ts';
import { toxicity } from './evaluators/toxicity.ts';

const EVALUATORS: ReadonlyMap<string, Evaluator> = new Map<string, Evaluator>([
  ...DETERMINISTIC_EVALUATORS,
  ['NATURALNESS', naturalness],
  ['STYLE', style],
  ['RECALL', recall],
  ['FACT', fact],
  ['CUSTOM', custom],
  ['TOXICITY', toxicity],
  ['SIMILARITY', similarity],
  ['CONVERSATION', conversationEvaluator],
  ['PAIRWISE', pairwise],
  ['HTTP', http],
]);

/** Returns the evaluator of a type of definition; undefined for an unknown type. */
export const evaluatorOf = (type: string): Evaluator | undefined => EVALUATORS.get(type);
