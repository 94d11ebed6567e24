import { callArguments } from './call-arguments.ts';
import { asList } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/**
 * Vocabulary of OpenLLMetry (Traceloop): its own span kinds and entities. Newer versions describe model calls with
 * GenAI attributes.
 */
export const OPENLLMETRY: Vocabulary = {
  name: 'openllmetry',
  rules: [
    {
      key: 'traceloop.span.kind',
      field: 'kind',
      kinds: { workflow: 'CHAIN', task: 'CHAIN', agent: 'AGENT', tool: 'TOOL' },
    },
    {
      key: 'llm.request.type',
      field: 'kind',
      kinds: { chat: 'LLM', completion: 'LLM', rerank: 'RERANKER', embedding: 'EMBEDDING' },
    },
    { key: 'traceloop.entity.input', field: 'input', json: true, pick: callArguments },
    { key: 'traceloop.entity.output', field: 'output', json: true },
    { key: 'gen_ai.prompt.#', field: 'inputMessages' },
    { key: 'gen_ai.completion.#', field: 'outputMessages' },
    { key: 'llm.completions.#', field: 'outputMessages' },
    { key: 'llm.request.functions.#', field: 'toolDefinitions' },
    { key: 'llm.usage.total_tokens', field: 'totalTokens' },
    { key: 'anthropic.message.stop_reason', field: 'finishReasons', pick: asList },
    { key: 'llm.user', field: 'userId' },
    { key: 'traceloop.entity.name', field: 'toolName' },
    { key: 'traceloop.association.properties.session_id', field: 'sessionId' },
    { key: 'traceloop.association.properties.chat_id', field: 'sessionId' },
    { key: 'traceloop.association.properties.sessionId', field: 'sessionId' },
    { key: 'traceloop.association.properties.conversation_id', field: 'sessionId' },
    { key: 'traceloop.association.properties.thread_id', field: 'sessionId' },
    { key: 'traceloop.association.properties.userId', field: 'userId' },
    { key: 'traceloop.association.properties.user_id', field: 'userId' },
    { key: 'traceloop.association.properties.*', field: 'metadata' },
    { key: 'traceloop.prompt.key', field: 'promptName' },
    { key: 'traceloop.prompt.version', field: 'promptVersion' },
    { key: 'traceloop.prompt.template', field: 'promptTemplate' },
    { key: 'traceloop.prompt.template_variables', field: 'promptVariables', json: true },
  ],
};
