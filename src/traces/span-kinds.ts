/**
 * Kinds of spans in the data model to which every vocabulary is mapped. `SPAN` means that no LLM convention
 * determines the kind.
 */
export const SPAN_KINDS = [
  'SPAN',
  'LLM',
  'EMBEDDING',
  'TOOL',
  'RETRIEVER',
  'RERANKER',
  'AGENT',
  'CHAIN',
  'GUARDRAIL',
  'EVALUATOR',
] as const;
export type ObservationKind = (typeof SPAN_KINDS)[number];
