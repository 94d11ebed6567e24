import { MAX_AMOUNT, type SpanMapping } from './mapping.ts';

/** Cost that a sender reports. */
export interface SentCost {
  /** US dollars. */
  cost: number;
  vocabulary: string;
  /** Keys of its attributes: one with the total, or those of input and output. */
  keys: string[];
}

/** Returns the cost that a span reports: a total, else the sum of its parts; null if a part is missing or there is none. */
export function sentCost(mapping: SpanMapping): SentCost | null {
  const total = mapping.ruleOf('cost');
  if (total) return { cost: mapping.amount('cost'), vocabulary: total.vocabulary, keys: [total.key] };
  const input = mapping.ruleOf('inputCost');
  const output = mapping.ruleOf('outputCost');
  if (!input || (!output && mapping.count('outputTokens') > 0)) return null;
  const cost = Math.min(mapping.amount('inputCost') + mapping.amount('outputCost'), MAX_AMOUNT);
  return { cost, vocabulary: input.vocabulary, keys: [input.key, ...(output ? [output.key] : [])] };
}
