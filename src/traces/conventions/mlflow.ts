import type { JsonValue } from '../span-wire.ts';
import { parseJson } from './json.ts';
import { pickMember } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of MLflow Tracing. Every value is JSON, texts too: `"LLM"` with its quotes. */
export const MLFLOW: Vocabulary = {
  name: 'mlflow',
  rules: [
    {
      key: 'mlflow.spanType',
      field: 'kind',
      kinds: {
        LLM: 'LLM',
        CHAT_MODEL: 'LLM',
        EMBEDDING: 'EMBEDDING',
        TOOL: 'TOOL',
        RETRIEVER: 'RETRIEVER',
        RERANKER: 'RERANKER',
        AGENT: 'AGENT',
        CHAIN: 'CHAIN',
        WORKFLOW: 'CHAIN',
        TASK: 'CHAIN',
        PARSER: 'CHAIN',
        GUARDRAIL: 'GUARDRAIL',
        EVALUATOR: 'EVALUATOR',
      },
    },
    { key: 'mlflow.spanInputs', field: 'input', json: true },
    { key: 'mlflow.spanOutputs', field: 'output', json: true },
    { key: 'mlflow.spanInputs', field: 'inputMessages' },
    { key: 'mlflow.spanOutputs', field: 'outputMessages' },
    { key: 'mlflow.chat.tools', field: 'toolDefinitions' },
    { key: 'mlflow.llm.model', field: 'model', pick: unquoted },
    { key: 'mlflow.llm.provider', field: 'provider', pick: unquoted },
    { key: 'mlflow.chat.tokenUsage', field: 'inputTokens', pick: pickMember('input_tokens') },
    { key: 'mlflow.chat.tokenUsage', field: 'outputTokens', pick: pickMember('output_tokens') },
    { key: 'mlflow.chat.tokenUsage', field: 'totalTokens', pick: pickMember('total_tokens') },
    { key: 'mlflow.chat.tokenUsage', field: 'cacheReadTokens', pick: pickMember('cache_read_input_tokens') },
    {
      key: 'mlflow.chat.tokenUsage',
      field: 'cacheWriteTokens',
      pick: pickMember('cache_creation_input_tokens'),
    },
    { key: 'mlflow.llm.cost', field: 'cost', pick: pickMember('total_cost') },
    { key: 'mlflow.trace.session', field: 'sessionId', pick: unquoted },
    { key: 'mlflow.trace.user', field: 'userId', pick: unquoted },
  ],
};

/** Returns the text that a JSON string stands for. */
function unquoted(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string' || !value.startsWith('"')) return value;
  const list = parseJson(`[${value}]`);
  return Array.isArray(list) ? list[0] : value;
}
