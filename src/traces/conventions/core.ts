import type { SpanKind } from '../span.ts';
import type { Rule } from './rule.ts';

const OPENINFERENCE_KINDS: Readonly<Record<string, SpanKind>> = {
  LLM: 'LLM',
  EMBEDDING: 'EMBEDDING',
  CHAIN: 'CHAIN',
  RETRIEVER: 'RETRIEVER',
  RERANKER: 'RERANKER',
  TOOL: 'TOOL',
  AGENT: 'AGENT',
  GUARDRAIL: 'GUARDRAIL',
  EVALUATOR: 'EVALUATOR',
  PROMPT: 'CHAIN',
};

const OPERATION_KINDS: Readonly<Record<string, SpanKind>> = {
  chat: 'LLM',
  text_completion: 'LLM',
  completion: 'LLM',
  generate_content: 'LLM',
  generate: 'LLM',
  embeddings: 'EMBEDDING',
  execute_tool: 'TOOL',
  retrieval: 'RETRIEVER',
  rerank: 'RERANKER',
  invoke_agent: 'AGENT',
  create_agent: 'AGENT',
  invoke_workflow: 'CHAIN',
};

/**
 * The attributes native events are stored with, and the plainest spellings of OpenInference and OpenTelemetry GenAI.
 * Of several keys that give one field, the earlier in this list wins.
 */
export const CORE_RULES: readonly Rule[] = [
  { key: 'service.test.id', field: 'testId', vocabulary: 'touchstone' },
  { key: 'touchstone.event', field: 'event', vocabulary: 'touchstone' },
  { key: 'touchstone.group', field: 'group', vocabulary: 'touchstone' },
  { key: 'touchstone.key', field: 'key', vocabulary: 'touchstone' },
  { key: 'touchstone.params', field: 'params', vocabulary: 'touchstone' },
  { key: 'touchstone.id', field: 'stepId', vocabulary: 'touchstone' },
  { key: 'touchstone.parent_id', field: 'stepParentId', vocabulary: 'touchstone' },
  { key: 'touchstone.open', field: 'open', vocabulary: 'touchstone' },
  { key: 'touchstone.unpaired', field: 'unpaired', vocabulary: 'touchstone' },
  { key: 'openinference.span.kind', field: 'kind', vocabulary: 'openinference', kinds: OPENINFERENCE_KINDS },
  { key: 'gen_ai.operation.name', field: 'kind', vocabulary: 'gen_ai', kinds: OPERATION_KINDS },
  { key: 'input.value', field: 'input', vocabulary: 'openinference' },
  { key: 'input.mime_type', field: 'inputMimeType', vocabulary: 'openinference' },
  { key: 'output.value', field: 'output', vocabulary: 'openinference' },
  { key: 'output.mime_type', field: 'outputMimeType', vocabulary: 'openinference' },
  { key: 'gen_ai.response.model', field: 'model', vocabulary: 'gen_ai' },
  { key: 'gen_ai.request.model', field: 'model', vocabulary: 'gen_ai' },
  { key: 'llm.model_name', field: 'model', vocabulary: 'openinference' },
  { key: 'gen_ai.usage.input_tokens', field: 'inputTokens', vocabulary: 'gen_ai' },
  { key: 'llm.token_count.prompt', field: 'inputTokens', vocabulary: 'openinference' },
  { key: 'gen_ai.usage.output_tokens', field: 'outputTokens', vocabulary: 'gen_ai' },
  { key: 'llm.token_count.completion', field: 'outputTokens', vocabulary: 'openinference' },
  { key: 'gen_ai.usage.cost', field: 'cost', vocabulary: 'gen_ai' },
  { key: 'llm.cost.total', field: 'cost', vocabulary: 'openinference' },
  { key: 'session.id', field: 'sessionId', vocabulary: 'openinference' },
  { key: 'gen_ai.conversation.id', field: 'sessionId', vocabulary: 'gen_ai' },
  { key: 'user.id', field: 'userId', vocabulary: 'openinference' },
  { key: 'enduser.id', field: 'userId', vocabulary: 'otel' },
  { key: 'tag.tags', field: 'tags', vocabulary: 'openinference' },
  { key: 'metadata', field: 'metadata', vocabulary: 'openinference' },
];
