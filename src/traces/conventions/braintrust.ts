import { member, milliseconds } from './picks.ts';
import type { JsonValue } from '../span-wire.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of Braintrust. Objects are sent as JSON text. */
export const BRAINTRUST: Vocabulary = {
  name: 'braintrust',
  rules: [
    {
      key: 'braintrust.span_attributes',
      field: 'kind',
      pick: member('type'),
      kinds: {
        llm: 'LLM',
        tool: 'TOOL',
        score: 'EVALUATOR',
        eval: 'CHAIN',
        task: 'CHAIN',
        function: 'CHAIN',
      },
    },
    { key: 'braintrust.input_json', field: 'input', json: true },
    { key: 'braintrust.output_json', field: 'output', json: true },
    { key: 'braintrust.input', field: 'input', json: true },
    { key: 'braintrust.output', field: 'output', json: true },
    { key: 'braintrust.input_json', field: 'inputMessages' },
    { key: 'braintrust.output_json', field: 'outputMessages' },
    { key: 'braintrust.input', field: 'inputMessages' },
    { key: 'braintrust.output', field: 'outputMessages' },
    { key: 'braintrust.metadata', field: 'model', pick: member('model') },
    { key: 'braintrust.metadata', field: 'provider', pick: member('provider') },
    {
      key: 'braintrust.metadata',
      field: 'sessionId',
      pick: member('session_id', 'thread_id', 'conversation_id'),
    },
    { key: 'braintrust.metadata', field: 'userId', pick: member('user_id') },
    { key: 'braintrust.metadata', field: 'metadata' },
    { key: 'braintrust.metadata.*', field: 'metadata' },
    { key: 'braintrust.metrics', field: 'inputTokens', pick: member('prompt_tokens') },
    { key: 'braintrust.metrics', field: 'outputTokens', pick: member('completion_tokens') },
    { key: 'braintrust.metrics', field: 'totalTokens', pick: member('tokens') },
    { key: 'braintrust.metrics', field: 'cacheReadTokens', pick: member('prompt_cached_tokens') },
    { key: 'braintrust.metrics', field: 'cacheWriteTokens', pick: member('prompt_cache_creation_tokens') },
    { key: 'braintrust.metrics', field: 'reasoningTokens', pick: member('completion_reasoning_tokens') },
    { key: 'braintrust.metrics', field: 'firstTokenMs', pick: firstToken },
    { key: 'braintrust.tags', field: 'tags' },
  ],
};

function firstToken(metrics: JsonValue): number | undefined {
  const seconds = member('time_to_first_token')(metrics);
  return seconds === undefined ? undefined : milliseconds(seconds);
}
