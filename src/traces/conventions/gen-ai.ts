import type { JsonValue } from '../span-wire.ts';
import { asList } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/**
 * OpenTelemetry GenAI in all versions: v1.41 of the semantic conventions, older names, and what vendors add under
 * `gen_ai.`.
 */
export const GEN_AI: Vocabulary = {
  name: 'gen_ai',
  rules: [
    {
      key: 'gen_ai.operation.name',
      field: 'kind',
      kinds: {
        chat: 'LLM',
        text_completion: 'LLM',
        completion: 'LLM',
        generate_content: 'LLM',
        generate: 'LLM',
        embeddings: 'EMBEDDING',
        execute_tool: 'TOOL',
        retrieval: 'RETRIEVER',
        search_memory: 'RETRIEVER',
        rerank: 'RERANKER',
        invoke_agent: 'AGENT',
        create_agent: 'AGENT',
        invoke_workflow: 'CHAIN',
        agent_step: 'CHAIN',
        plan: 'CHAIN',
        'guardrail.run': 'GUARDRAIL',
        guard: 'GUARDRAIL',
      },
    },
    { key: 'gen_ai.tool.name', field: 'kind', kinds: 'TOOL' },
    { key: 'gen_ai.tool.call.id', field: 'kind', kinds: 'TOOL' },

    { key: 'gen_ai.input.messages', field: 'inputMessages' },
    { key: 'gen_ai.output.messages', field: 'outputMessages' },
    { key: 'gen_ai.system_instructions', field: 'systemInstructions' },
    { key: 'gen_ai.tool.definitions', field: 'toolDefinitions' },
    { key: 'event gen_ai.client.inference.operation.details', field: 'inputMessages' },
    { key: 'event gen_ai.client.inference.operation.details', field: 'outputMessages' },
    { key: 'event gen_ai.system.message', field: 'inputMessages' },
    { key: 'event gen_ai.user.message', field: 'inputMessages' },
    { key: 'event gen_ai.assistant.message', field: 'inputMessages' },
    { key: 'event gen_ai.tool.message', field: 'inputMessages' },
    { key: 'event gen_ai.content.prompt', field: 'inputMessages' },
    { key: 'event gen_ai.choice', field: 'outputMessages' },
    { key: 'event gen_ai.content.completion', field: 'outputMessages' },
    { key: 'event gen_ai.evaluation.result', field: 'evaluations' },

    { key: 'gen_ai.response.model', field: 'model' },
    { key: 'gen_ai.request.model', field: 'model' },
    { key: 'gen_ai.provider.name', field: 'provider' },
    { key: 'gen_ai.system', field: 'provider', pick: providerOfSystem },
    { key: 'gen_ai.request.*', field: 'parameters' },
    { key: 'gen_ai.output.type', field: 'parameters' },
    { key: 'gen_ai.openai.request.*', field: 'parameters' },
    { key: 'gen_ai.response.id', field: 'responseId' },
    { key: 'gen_ai.response.finish_reasons', field: 'finishReasons', pick: asList },
    { key: 'event gen_ai.choice', field: 'finishReasons' },
    { key: 'event gen_ai.client.inference.operation.details', field: 'finishReasons' },
    { key: 'gen_ai.response.time_to_first_chunk', field: 'firstTokenMs', pick: milliseconds },
    { key: 'gen_ai.client.operation.time_to_first_chunk', field: 'firstTokenMs', pick: milliseconds },

    { key: 'gen_ai.usage.input_tokens', field: 'inputTokens' },
    { key: 'gen_ai.usage.prompt_tokens', field: 'inputTokens' },
    { key: 'gen_ai.usage.output_tokens', field: 'outputTokens' },
    { key: 'gen_ai.usage.completion_tokens', field: 'outputTokens' },
    { key: 'gen_ai.usage.total_tokens', field: 'totalTokens' },
    { key: 'gen_ai.usage.cache_read.input_tokens', field: 'cacheReadTokens' },
    { key: 'gen_ai.usage.cache_read_input_tokens', field: 'cacheReadTokens' },
    { key: 'gen_ai.usage.details.cache_read_tokens', field: 'cacheReadTokens' },
    { key: 'gen_ai.usage.cache_creation.input_tokens', field: 'cacheWriteTokens' },
    { key: 'gen_ai.usage.cache_write.input_tokens', field: 'cacheWriteTokens' },
    { key: 'gen_ai.usage.cache_creation_input_tokens', field: 'cacheWriteTokens' },
    { key: 'gen_ai.usage.reasoning.output_tokens', field: 'reasoningTokens' },
    { key: 'gen_ai.usage.reasoning_tokens', field: 'reasoningTokens' },
    { key: 'gen_ai.usage.details.cached_tokens', field: 'cacheReadTokens' },
    { key: 'gen_ai.usage.details.cache_write_tokens', field: 'cacheWriteTokens' },
    { key: 'gen_ai.usage.details.reasoning_tokens', field: 'reasoningTokens' },
    { key: 'gen_ai.usage.cost', field: 'cost' },
    { key: 'gen_ai.usage.total_cost', field: 'cost' },
    { key: 'gen_ai.cost.total_cost', field: 'cost' },
    { key: 'operation.cost', field: 'cost' },

    { key: 'gen_ai.tool.name', field: 'toolName' },
    { key: 'gen_ai.tool.call.id', field: 'toolCallId' },
    { key: 'gen_ai.tool.description', field: 'toolDescription' },
    { key: 'gen_ai.tool.call.arguments', field: 'input', json: true },
    { key: 'gen_ai.tool.call.result', field: 'output', json: true },
    { key: 'tool_arguments', field: 'input', json: true },
    { key: 'tool_response', field: 'output', json: true },
    { key: 'gen_ai.retrieval.query.text', field: 'input' },
    { key: 'gen_ai.retrieval.documents', field: 'documents' },
    { key: 'gen_ai.guardrail.input', field: 'input', json: true },
    { key: 'gen_ai.guardrail.output', field: 'output', json: true },

    { key: 'pydantic_ai.all_messages', field: 'inputMessages' },
    { key: 'pydantic_ai.all_messages', field: 'outputMessages' },
    { key: 'final_result', field: 'output', json: true },

    { key: 'gen_ai.agent.name', field: 'agentName' },
    { key: 'gen_ai.workflow.name', field: 'agentName' },
    { key: 'gen_ai.conversation.id', field: 'sessionId' },
    { key: 'gen_ai.prompt.name', field: 'promptName' },
  ],
};

/** Provider for each former value of `gen_ai.system`; '' for a framework, which is not a provider. */
const PROVIDERS: Readonly<Record<string, string>> = {
  langchain: '',
  xai: 'x_ai',
  vertex_ai: 'gcp.vertex_ai',
  gemini: 'gcp.gemini',
  'az.ai.openai': 'azure.ai.openai',
  'az.ai.inference': 'azure.ai.inference',
};

function providerOfSystem(system: JsonValue): string | undefined {
  if (typeof system !== 'string') return undefined;
  // The Vercel AI SDK appends the API it called: openai.chat.
  const name = system.toLowerCase().replace(/\.(chat|responses|messages|completion|embedding)$/, '');
  return (Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : name) || undefined;
}

/** Converts seconds, the unit of durations in these conventions. */
function milliseconds(value: JsonValue): number | undefined {
  return typeof value === 'number' ? value * 1000 : undefined;
}
