import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { pickMember } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of LangWatch. Inputs and outputs say of what type they are: `{ type: 'chat_messages', value: [...] }`. */
export const LANGWATCH: Vocabulary = {
  name: 'langwatch',
  rules: [
    {
      key: 'langwatch.span.type',
      field: 'kind',
      kinds: {
        llm: 'LLM',
        tool: 'TOOL',
        agent: 'AGENT',
        rag: 'RETRIEVER',
        guardrail: 'GUARDRAIL',
        evaluation: 'EVALUATOR',
        chain: 'CHAIN',
        workflow: 'CHAIN',
        component: 'CHAIN',
        module: 'CHAIN',
        task: 'CHAIN',
      },
    },
    { key: 'langwatch.input', field: 'input', json: true, pick: typedValue },
    { key: 'langwatch.output', field: 'output', json: true, pick: typedValue },
    { key: 'langwatch.input', field: 'inputMessages' },
    { key: 'langwatch.output', field: 'outputMessages' },
    { key: 'langwatch.contexts', field: 'documents' },
    { key: 'langwatch.rag.contexts', field: 'documents' },
    { key: 'langwatch.params', field: 'toolDefinitions' },
    { key: 'langwatch.metrics', field: 'inputTokens', pick: metric('promptTokens', 'prompt_tokens') },
    {
      key: 'langwatch.metrics',
      field: 'outputTokens',
      pick: metric('completionTokens', 'completion_tokens'),
    },
    {
      key: 'langwatch.metrics',
      field: 'reasoningTokens',
      pick: metric('reasoningTokens', 'reasoning_tokens'),
    },
    { key: 'langwatch.metrics', field: 'cost', pick: metric('cost') },
    { key: 'langwatch.metrics', field: 'firstTokenMs', pick: metric('firstTokenMs', 'first_token_ms') },
    { key: 'langwatch.thread.id', field: 'sessionId' },
    { key: 'langwatch.user.id', field: 'userId' },
    { key: 'langwatch.customer.id', field: 'userId' },
    { key: 'langwatch.metadata', field: 'sessionId', pick: pickMember('thread_id', 'threadId') },
    { key: 'langwatch.metadata', field: 'userId', pick: pickMember('user_id', 'userId', 'customer_id') },
    { key: 'langwatch.labels', field: 'tags' },
    { key: 'langwatch.metadata', field: 'tags', pick: pickMember('labels') },
    { key: 'langwatch.prompt.handle', field: 'promptName' },
    { key: 'langwatch.prompt.version.number', field: 'promptVersion' },
    { key: 'langwatch.prompt.variables', field: 'promptVariables', json: true, pick: typedValue },
    { key: 'langwatch.metadata', field: 'metadata' },
  ],
};

/** Returns the value of `{ type, value }`, and of a list those of its elements; any other value as it is. */
export function typedValue(sent: JsonValue): JsonValue {
  if (!isObject(sent) || typeof sent['type'] !== 'string' || !Object.hasOwn(sent, 'value')) return sent;
  const value = sent['value'] ?? '';
  return sent['type'] === 'list' && Array.isArray(value) ? value.map(elementValue) : value;
}

function elementValue(sent: JsonValue): JsonValue {
  return isObject(sent) && typeof sent['type'] === 'string' ? (sent['value'] ?? '') : sent;
}

/** Returns a function that picks a number of `{ type: 'json', value: { … } }` or of the object itself. */
function metric(...names: readonly string[]): (value: JsonValue) => JsonValue | undefined {
  const pick = pickMember(...names);
  return (value) => pick(typedValue(value));
}
