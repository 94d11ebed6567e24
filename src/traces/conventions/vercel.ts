import type { JsonValue } from '../span-wire.ts';
import { asList } from './picks.ts';
import type { Vocabulary } from './rule.ts';
import { cacheWritesOfProvider, hourWritesOfProvider, tierOfProvider } from './vercel-provider.ts';

/** Vocabulary of the Vercel AI SDK's own telemetry, versions 4 to 6. Version 7 uses GenAI attributes. */
export const VERCEL: Vocabulary = {
  name: 'vercel',
  rules: [
    {
      key: 'ai.operationId',
      field: 'kind',
      kinds: {
        'ai.generateText': 'AGENT',
        'ai.streamText': 'AGENT',
        'ai.generateObject': 'AGENT',
        'ai.streamObject': 'AGENT',
        'ai.generateText.doGenerate': 'LLM',
        'ai.generateObject.doGenerate': 'LLM',
        'ai.streamText.doStream': 'LLM',
        'ai.streamObject.doStream': 'LLM',
        'ai.toolCall': 'TOOL',
        'ai.embed': 'CHAIN',
        'ai.embedMany': 'CHAIN',
        'ai.embed.doEmbed': 'EMBEDDING',
        'ai.embedMany.doEmbed': 'EMBEDDING',
        'ai.rerank': 'RERANKER',
        'ai.rerank.doRerank': 'RERANKER',
      },
    },
    { key: 'ai.toolCall.name', field: 'kind', kinds: 'TOOL' },
    { key: 'ai.prompt', field: 'inputMessages' },
    { key: 'ai.prompt.messages', field: 'inputMessages' },
    { key: 'ai.prompt.tools', field: 'toolDefinitions' },
    { key: 'ai.response.text', field: 'outputMessages' },
    { key: 'ai.response.toolCalls', field: 'outputMessages' },
    { key: 'ai.response.reasoning', field: 'outputMessages' },
    { key: 'ai.response.object', field: 'outputMessages' },
    { key: 'ai.response.files', field: 'outputMessages' },
    { key: 'ai.result.*', field: 'outputMessages' },
    { key: 'ai.toolCall.args', field: 'input', json: true },
    { key: 'ai.toolCall.result', field: 'output', json: true },
    { key: 'ai.value', field: 'input' },
    { key: 'ai.values', field: 'input' },
    { key: 'ai.ranking', field: 'documents' },
    { key: 'ai.documents', field: 'documents' },

    { key: 'ai.response.model', field: 'model' },
    { key: 'ai.model.id', field: 'model' },
    { key: 'ai.model.provider', field: 'provider', pick: beforeDot },
    { key: 'ai.settings.*', field: 'parameters' },
    { key: 'ai.response.id', field: 'responseId' },
    { key: 'ai.response.finishReason', field: 'finishReasons', pick: asList },
    { key: 'ai.response.msToFirstChunk', field: 'firstTokenMs' },

    { key: 'ai.usage.inputTokens', field: 'inputTokens' },
    { key: 'ai.usage.promptTokens', field: 'inputTokens' },
    { key: 'ai.usage.tokens', field: 'inputTokens' },
    { key: 'ai.usage.outputTokens', field: 'outputTokens' },
    { key: 'ai.usage.completionTokens', field: 'outputTokens' },
    { key: 'ai.usage.totalTokens', field: 'totalTokens' },
    { key: 'ai.usage.inputTokenDetails.cacheReadTokens', field: 'cacheReadTokens' },
    { key: 'ai.usage.cachedInputTokens', field: 'cacheReadTokens' },
    { key: 'ai.usage.inputTokenDetails.cacheWriteTokens', field: 'cacheWriteTokens' },
    { key: 'ai.usage.outputTokenDetails.reasoningTokens', field: 'reasoningTokens' },
    { key: 'ai.usage.reasoningTokens', field: 'reasoningTokens' },
    { key: 'ai.response.providerMetadata', field: 'cacheWriteTokens', pick: cacheWritesOfProvider },
    { key: 'ai.response.providerMetadata', field: 'cacheWriteHourTokens', pick: hourWritesOfProvider },
    { key: 'ai.response.providerMetadata', field: 'serviceTier', pick: tierOfProvider },
    { key: 'ai.request.providerOptions', field: 'serviceTier', pick: tierOfProvider },

    { key: 'ai.toolCall.name', field: 'toolName' },
    { key: 'ai.toolCall.id', field: 'toolCallId' },
    { key: 'ai.telemetry.functionId', field: 'agentName' },
    { key: 'ai.telemetry.metadata.sessionId', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.session_id', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.threadId', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.thread_id', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.conversationId', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.chatId', field: 'sessionId' },
    { key: 'ai.telemetry.metadata.user_id', field: 'userId' },
    { key: 'ai.telemetry.metadata.userId', field: 'userId' },
    { key: 'ai.telemetry.metadata.tags', field: 'tags' },
    { key: 'ai.telemetry.metadata.*', field: 'metadata' },
    { key: 'ai.settings.context.sessionId', field: 'sessionId' },
    { key: 'ai.settings.context.userId', field: 'userId' },
    { key: 'ai.settings.context.*', field: 'metadata' },
  ],
};

/** Returns the provider of an API: `openai` for `openai.chat`. */
function beforeDot(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' ? value.split('.', 1)[0] : undefined;
}
