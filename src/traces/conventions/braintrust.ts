import { milliseconds, pickMember, requestedTier } from './picks.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Vocabulary } from './rule.ts';

const KINDS = {
  llm: 'LLM',
  tool: 'TOOL',
  score: 'EVALUATOR',
  eval: 'CHAIN',
  task: 'CHAIN',
  function: 'CHAIN',
} as const;

/** Vocabulary of Braintrust. Objects are sent as JSON text, or as one attribute for each member. */
export const BRAINTRUST: Vocabulary = {
  name: 'braintrust',
  rules: [
    { key: 'braintrust.span_attributes', field: 'kind', pick: pickMember('type'), kinds: KINDS },
    { key: 'braintrust.span_attributes.type', field: 'kind', kinds: KINDS },
    { key: 'braintrust.input_json', field: 'input', json: true },
    { key: 'braintrust.output_json', field: 'output', json: true },
    { key: 'braintrust.input', field: 'input', json: true },
    { key: 'braintrust.output', field: 'output', json: true },
    { key: 'braintrust.input_json', field: 'inputMessages' },
    { key: 'braintrust.output_json', field: 'outputMessages' },
    { key: 'braintrust.input', field: 'inputMessages' },
    { key: 'braintrust.output', field: 'outputMessages' },
    { key: 'braintrust.metadata', field: 'model', pick: pickMember('model') },
    { key: 'braintrust.metadata', field: 'provider', pick: pickMember('provider') },
    { key: 'braintrust.metadata', field: 'serviceTier', pick: requestedTier },
    {
      key: 'braintrust.metadata',
      field: 'sessionId',
      pick: pickMember('session_id', 'thread_id', 'conversation_id'),
    },
    { key: 'braintrust.metadata', field: 'userId', pick: pickMember('user_id') },
    { key: 'braintrust.metadata', field: 'metadata' },
    { key: 'braintrust.metadata.*', field: 'metadata' },
    { key: 'braintrust.metrics', field: 'inputTokens', pick: pickMember('prompt_tokens') },
    { key: 'braintrust.metrics', field: 'outputTokens', pick: pickMember('completion_tokens') },
    { key: 'braintrust.metrics', field: 'totalTokens', pick: pickMember('tokens') },
    { key: 'braintrust.metrics', field: 'cacheReadTokens', pick: pickMember('prompt_cached_tokens') },
    {
      key: 'braintrust.metrics',
      field: 'cacheWriteTokens',
      pick: pickMember('prompt_cache_creation_tokens'),
    },
    { key: 'braintrust.metrics', field: 'reasoningTokens', pick: pickMember('completion_reasoning_tokens') },
    { key: 'braintrust.metrics', field: 'firstTokenMs', pick: firstToken },
    { key: 'braintrust.tags', field: 'tags' },
    { key: 'braintrust.metadata.model', field: 'model' },
    { key: 'braintrust.metadata.provider', field: 'provider' },
    { key: 'braintrust.metadata.session_id', field: 'sessionId' },
    { key: 'braintrust.metadata.user_id', field: 'userId' },
    { key: 'braintrust.metrics.prompt_tokens', field: 'inputTokens' },
    { key: 'braintrust.metrics.completion_tokens', field: 'outputTokens' },
    { key: 'braintrust.metrics.tokens', field: 'totalTokens' },
    { key: 'braintrust.metrics.prompt_cached_tokens', field: 'cacheReadTokens' },
    { key: 'braintrust.metrics.prompt_cache_creation_tokens', field: 'cacheWriteTokens' },
    { key: 'braintrust.metrics.completion_reasoning_tokens', field: 'reasoningTokens' },
  ],
};

function firstToken(metrics: JsonValue): number | undefined {
  const seconds = pickMember('time_to_first_token')(metrics);
  return seconds === undefined ? undefined : milliseconds(seconds);
}
