import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import { milliseconds } from './picks.ts';
import type { Rule, Vocabulary } from './rule.ts';

/** Vocabulary that Sentry's SDKs add to that of GenAI, and their older names. */
export const SENTRY: Vocabulary = {
  name: 'sentry',
  rules: [
    {
      key: 'sentry.op',
      field: 'kind',
      pick: operationOf,
      kinds: {
        chat: 'LLM',
        chat_completions: 'LLM',
        completions: 'LLM',
        responses: 'LLM',
        generate_content: 'LLM',
        generate_text: 'LLM',
        stream_text: 'LLM',
        generate_object: 'LLM',
        stream_object: 'LLM',
        messages: 'LLM',
        embeddings: 'EMBEDDING',
        embed: 'EMBEDDING',
        embed_many: 'EMBEDDING',
        execute_tool: 'TOOL',
        invoke_agent: 'AGENT',
        create_agent: 'AGENT',
        handoff: 'CHAIN',
        pipeline: 'CHAIN',
        rerank: 'RERANKER',
      },
    },
    { key: 'ai.input_messages', field: 'inputMessages' },
    { key: 'ai.responses', field: 'outputMessages' },
    { key: 'ai.model_id', field: 'model' },
    { key: 'ai.prompt_tokens.used', field: 'inputTokens' },
    { key: 'ai.completion_tokens.used', field: 'outputTokens' },
    { key: 'ai.total_tokens.used', field: 'totalTokens' },
  ],
};

/** Returns the operation within `gen_ai.invoke_agent` or `ai.chat_completions.create.openai`; other operations are not of models. */
function operationOf(operation: JsonValue): JsonValue | undefined {
  return typeof operation === 'string' ? /^(?:gen_)?ai\.([a-z_]+)/.exec(operation)?.[1] : undefined;
}

/** Names of the conventions for the Model Context Protocol, and those that Sentry adds. */
export const MCP: Vocabulary = {
  name: 'mcp',
  rules: [
    { key: 'mcp.method.name', field: 'kind', kinds: { 'tools/call': 'TOOL' }, isCommonWord: true },
    { key: 'mcp.tool.name', field: 'toolName' },
    { key: 'mcp.tool.result.content', field: 'output', json: true },
  ],
};

/** Vocabulary of AgentOps, beside GenAI. */
export const AGENTOPS: Vocabulary = {
  name: 'agentops',
  rules: [
    {
      key: 'agentops.span.kind',
      field: 'kind',
      kinds: {
        session: 'CHAIN',
        workflow: 'CHAIN',
        operation: 'CHAIN',
        task: 'CHAIN',
        agent: 'AGENT',
        tool: 'TOOL',
        llm: 'LLM',
        guardrail: 'GUARDRAIL',
      },
    },
    { key: 'agentops.entity.input', field: 'input', json: true },
    { key: 'agentops.entity.output', field: 'output', json: true },
    { key: 'agentops.tool.input', field: 'input', json: true },
    { key: 'agentops.tool.output', field: 'output', json: true },
    { key: 'tool.result', field: 'output', json: true },
    { key: 'agentops.tags', field: 'tags' },
  ],
};

/** Kinds of components by the end of the names of their classes. */
const COMPONENTS = {
  Generator: 'LLM',
  Retriever: 'RETRIEVER',
  Embedder: 'EMBEDDING',
  Ranker: 'RERANKER',
  Evaluator: 'EVALUATOR',
  Agent: 'AGENT',
  ToolInvoker: 'TOOL',
} as const;

/** Fields that the first reply of a model has in its metadata, in the output of generators and of the steps of agents. */
const REPLIES: readonly Rule[] = ['haystack.agent.step.llm.output', 'haystack.component.output'].flatMap(
  (key): Rule[] => [
    { key, field: 'model', pick: (output) => replyMeta(output, 'model') },
    { key, field: 'finishReasons', pick: finishReason },
    { key, field: 'inputTokens', pick: (output) => replyMeta(output, 'usage', 'prompt_tokens') },
    { key, field: 'outputTokens', pick: (output) => replyMeta(output, 'usage', 'completion_tokens') },
    { key, field: 'totalTokens', pick: (output) => replyMeta(output, 'usage', 'total_tokens') },
    {
      key,
      field: 'cacheReadTokens',
      pick: (output) => replyMeta(output, 'usage', 'prompt_tokens_details', 'cached_tokens'),
    },
    {
      key,
      field: 'reasoningTokens',
      pick: (output) => replyMeta(output, 'usage', 'completion_tokens_details', 'reasoning_tokens'),
    },
  ],
);

/** Returns a member of the metadata of the first reply. */
function replyMeta(output: JsonValue, ...path: readonly string[]): JsonValue | undefined {
  const replies = isObject(output) ? output['replies'] : undefined;
  const first: unknown = Array.isArray(replies) ? replies[0] : undefined;
  let value: unknown = isObject(first) ? first['meta'] : undefined;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return (value ?? undefined) as JsonValue | undefined;
}

function finishReason(output: JsonValue): JsonValue | undefined {
  const reason = replyMeta(output, 'finish_reason');
  return reason === undefined ? undefined : [reason];
}

/** Vocabulary of Haystack. */
export const HAYSTACK: Vocabulary = {
  name: 'haystack',
  rules: [
    { key: 'haystack.component.type', field: 'kind', pick: componentKind, kinds: COMPONENTS },
    { key: 'haystack.component.input', field: 'input', json: true },
    { key: 'haystack.component.output', field: 'output', json: true },
    { key: 'haystack.pipeline.input_data', field: 'input', json: true },
    { key: 'haystack.component.input', field: 'inputMessages' },
    { key: 'haystack.component.output', field: 'outputMessages' },
    { key: 'haystack.pipeline.output_data', field: 'output', json: true },
    { key: 'haystack.agent.max_steps', field: 'kind', kinds: 'AGENT' },
    { key: 'haystack.agent.input', field: 'inputMessages' },
    { key: 'haystack.agent.output', field: 'outputMessages' },
    { key: 'haystack.agent.step.llm.output', field: 'kind', kinds: 'LLM' },
    { key: 'haystack.agent.step.llm.input', field: 'inputMessages' },
    { key: 'haystack.agent.step.llm.input', field: 'toolDefinitions' },
    { key: 'haystack.agent.step.llm.output', field: 'outputMessages' },
    ...REPLIES,
    { key: 'haystack.tool.name', field: 'kind', kinds: 'TOOL' },
    { key: 'haystack.tool.name', field: 'toolName' },
    { key: 'haystack.tool.description', field: 'toolDescription' },
    { key: 'haystack.agent.step.tool.input', field: 'input', json: true },
    { key: 'haystack.agent.step.tool.output', field: 'output', json: true },
  ],
};

/** Returns the end of the name of a class of components: `Generator` for `OpenAIChatGenerator`. */
function componentKind(type: JsonValue): JsonValue | undefined {
  return typeof type === 'string'
    ? /(?:Generator|Retriever|Embedder|Ranker|Evaluator|Agent|ToolInvoker)$/.exec(type)?.[0]
    : undefined;
}

/** Vocabulary of VoltAgent. */
export const VOLTAGENT: Vocabulary = {
  name: 'voltagent',
  rules: [
    { key: 'entity.type', field: 'kind', kinds: { agent: 'AGENT', workflow: 'CHAIN' }, isCommonWord: true },
    { key: 'ai.model.name', field: 'model' },
    { key: 'llm.model', field: 'model' },
    { key: 'llm.messages', field: 'inputMessages' },
    { key: 'usage.prompt_tokens', field: 'inputTokens' },
    { key: 'usage.completion_tokens', field: 'outputTokens' },
    { key: 'usage.total_tokens', field: 'totalTokens' },
    { key: 'usage.cached_tokens', field: 'cacheReadTokens' },
    { key: 'usage.reasoning_tokens', field: 'reasoningTokens' },
    { key: 'conversation.id', field: 'sessionId' },
  ],
};

/** Vocabulary of Langtrace, beside GenAI. */
export const LANGTRACE: Vocabulary = {
  name: 'langtrace',
  rules: [{ key: 'llm.responses', field: 'outputMessages' }],
};

/** Vocabulary of Opik. */
export const OPIK: Vocabulary = {
  name: 'opik',
  rules: [
    { key: 'opik.tags', field: 'tags' },
    { key: 'opik.metadata', field: 'metadata' },
  ],
};

/** Vocabulary of W&B Weave, beside others. */
export const WEAVE: Vocabulary = {
  name: 'weave',
  rules: [
    { key: 'wandb.thread_id', field: 'sessionId' },
    { key: 'wandb.display_name', field: 'displayName' },
  ],
};

/** Vocabulary that Pipecat adds to that of GenAI. */
export const PIPECAT: Vocabulary = {
  name: 'pipecat',
  rules: [
    { key: 'metrics.ttfb', field: 'firstTokenMs', pick: milliseconds },
    { key: 'transcript', field: 'output', isCommonWord: true },
  ],
};
