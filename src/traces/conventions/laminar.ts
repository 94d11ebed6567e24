import type { Vocabulary } from './rule.ts';

/** Vocabulary that Laminar's SDKs add to those of GenAI and OpenLLMetry. Values are JSON, texts too. */
export const LAMINAR: Vocabulary = {
  name: 'laminar',
  rules: [
    {
      key: 'lmnr.span.type',
      field: 'kind',
      kinds: {
        LLM: 'LLM',
        TOOL: 'TOOL',
        EXECUTOR: 'CHAIN',
        PIPELINE: 'CHAIN',
        EVALUATOR: 'EVALUATOR',
        HUMAN_EVALUATOR: 'EVALUATOR',
        EVALUATION: 'CHAIN',
      },
    },
    { key: 'lmnr.span.input', field: 'input', json: true },
    { key: 'lmnr.span.output', field: 'output', json: true },
    { key: 'lmnr.span.input', field: 'inputMessages' },
    { key: 'lmnr.span.output', field: 'outputMessages' },
    { key: 'lmnr.association.properties.session_id', field: 'sessionId' },
    { key: 'lmnr.association.properties.user_id', field: 'userId' },
    { key: 'lmnr.association.properties.tags', field: 'tags' },
    { key: 'lmnr.association.properties.metadata.*', field: 'metadata' },
  ],
};
