import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { textMember } from './members.ts';
import { asList, requestedTier } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of OpenInference (Arize Phoenix). Lists are flattened: `llm.input_messages.0.message.role`. */
export const OPENINFERENCE: Vocabulary = {
  name: 'openinference',
  rules: [
    {
      key: 'openinference.span.kind',
      field: 'kind',
      kinds: {
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
      },
    },
    { key: 'embedding.model_name', field: 'kind', kinds: 'EMBEDDING' },
    { key: 'reranker.model_name', field: 'kind', kinds: 'RERANKER' },
    { key: 'input.value', field: 'input' },
    { key: 'input.mime_type', field: 'inputMimeType' },
    { key: 'output.value', field: 'output' },
    { key: 'output.mime_type', field: 'outputMimeType' },
    { key: 'llm.input_messages.#', field: 'inputMessages' },
    { key: 'llm.output_messages.#', field: 'outputMessages' },
    { key: 'llm.prompts', field: 'inputMessages' },
    { key: 'llm.prompts.#', field: 'inputMessages' },
    { key: 'llm.choices.#', field: 'outputMessages' },
    { key: 'llm.tools.#', field: 'toolDefinitions' },
    { key: 'embedding.embeddings.#', field: 'input' },
    { key: 'embedding.text', field: 'input' },

    { key: 'llm.response.model_name', field: 'model' },
    { key: 'llm.model_name', field: 'model' },
    { key: 'llm.request.model_name', field: 'model' },
    { key: 'embedding.model_name', field: 'model' },
    { key: 'reranker.model_name', field: 'model' },
    { key: 'llm.invocation_parameters', field: 'model', pick: modelOfCall },
    { key: 'llm.provider', field: 'provider' },
    { key: 'llm.system', field: 'provider' },
    { key: 'llm.invocation_parameters', field: 'parameters' },
    { key: 'event First Token Stream Event', field: 'firstTokenMs' },
    { key: 'llm.finish_reason', field: 'finishReasons', pick: asList },

    { key: 'llm.token_count.prompt', field: 'inputTokens' },
    { key: 'llm.token_count.completion', field: 'outputTokens' },
    { key: 'llm.token_count.total', field: 'totalTokens' },
    { key: 'llm.token_count.prompt_details.cache_read', field: 'cacheReadTokens' },
    { key: 'llm.token_count.prompt_details.cache_write', field: 'cacheWriteTokens' },
    { key: 'llm.token_count.completion_details.reasoning', field: 'reasoningTokens' },
    { key: 'llm.token_count.prompt_details.audio', field: 'audioInputTokens' },
    { key: 'llm.token_count.completion_details.audio', field: 'audioOutputTokens' },
    { key: 'llm.cost.total', field: 'cost' },
    { key: 'llm.cost.prompt', field: 'inputCost' },
    { key: 'llm.cost.completion', field: 'outputCost' },
    { key: 'llm.invocation_parameters', field: 'serviceTier', pick: requestedTier },

    { key: 'tool.name', field: 'toolName' },
    { key: 'tool.id', field: 'toolCallId' },
    { key: 'tool_call.id', field: 'toolCallId' },
    { key: 'tool.description', field: 'toolDescription' },
    { key: 'tool.parameters', field: 'input', json: true },
    { key: 'retrieval.documents.#', field: 'documents' },
    { key: 'retrieval.documents.#', field: 'kind', kinds: 'RETRIEVER' },
    { key: 'reranker.query', field: 'input' },
    { key: 'reranker.output_documents.#', field: 'documents' },
    { key: 'annotations.#', field: 'evaluations' },
    { key: 'evaluations.#', field: 'evaluations' },

    { key: 'agent.name', field: 'agentName' },
    { key: 'llm.prompt_template.template', field: 'promptTemplate' },
    { key: 'llm.prompt_template.variables', field: 'promptVariables', json: true },
    { key: 'llm.prompt_template.version', field: 'promptVersion' },
    { key: 'prompt.id', field: 'promptName' },
    { key: 'tag.tags', field: 'tags' },
    { key: 'metadata', field: 'metadata' },
    { key: 'metadata.*', field: 'metadata' },
  ],
};

/** Returns the requested model, which is all that failed calls have. */
function modelOfCall(parameters: JsonValue): JsonValue | undefined {
  return isObject(parameters) ? textMember(parameters, 'model', 'model_name') : undefined;
}
