import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { memberOf, objectMember } from './members.ts';
import { pickMember, pickMemberIn } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/**
 * Vocabulary of LangSmith's OpenTelemetry exporter. `langsmith.trace.session_*` identifies a project there, not a
 * conversation.
 */
export const LANGSMITH: Vocabulary = {
  name: 'langsmith',
  rules: [
    {
      key: 'langsmith.span.kind',
      field: 'kind',
      kinds: {
        llm: 'LLM',
        tool: 'TOOL',
        retriever: 'RETRIEVER',
        embedding: 'EMBEDDING',
        prompt: 'CHAIN',
        parser: 'CHAIN',
        chain: 'CHAIN',
      },
    },
    { key: 'gen_ai.prompt', field: 'input', json: true, pick: unwrapped },
    { key: 'gen_ai.completion', field: 'output', json: true, pick: unwrapped },
    { key: 'gen_ai.prompt', field: 'inputMessages' },
    { key: 'gen_ai.completion', field: 'outputMessages' },
    { key: 'gen_ai.completion', field: 'documents' },
    { key: 'langsmith.usage_metadata', field: 'inputTokens', pick: pickMember('input_tokens') },
    {
      key: 'langsmith.usage_metadata',
      field: 'outputTokens',
      pick: pickMember('output_tokens'),
    },
    { key: 'langsmith.usage_metadata', field: 'totalTokens', pick: pickMember('total_tokens') },
    {
      key: 'langsmith.usage_metadata',
      field: 'cacheReadTokens',
      pick: pickMemberIn('input_token_details', 'cache_read'),
    },
    {
      key: 'langsmith.usage_metadata',
      field: 'cacheWriteTokens',
      pick: cacheWrites,
    },
    {
      key: 'langsmith.usage_metadata',
      field: 'cacheWriteHourTokens',
      pick: pickMemberIn('input_token_details', 'ephemeral_1h_input_tokens'),
    },
    {
      key: 'langsmith.usage_metadata',
      field: 'audioInputTokens',
      pick: pickMemberIn('input_token_details', 'audio'),
    },
    {
      key: 'langsmith.usage_metadata',
      field: 'audioOutputTokens',
      pick: pickMemberIn('output_token_details', 'audio'),
    },
    {
      key: 'langsmith.usage_metadata',
      field: 'reasoningTokens',
      pick: pickMemberIn('output_token_details', 'reasoning'),
    },
    { key: 'langsmith.usage_metadata', field: 'cost', pick: pickMember('total_cost') },
    { key: 'langsmith.metadata.session_id', field: 'sessionId' },
    { key: 'langsmith.metadata.thread_id', field: 'sessionId' },
    { key: 'langsmith.metadata.conversation_id', field: 'sessionId' },
    { key: 'langsmith.metadata.user_id', field: 'userId' },
    { key: 'langsmith.metadata.*', field: 'metadata' },
    { key: 'langsmith.metadata', field: 'metadata' },
    { key: 'langsmith.span.tags', field: 'tags' },
  ],
};

/** Members with tokens written to a cache: LangChain counts those with a time to live apart from the others. */
const CACHE_WRITES = ['cache_creation', 'ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'];

function cacheWrites(usage: JsonValue): JsonValue | undefined {
  const details = isObject(usage) ? objectMember(usage, 'input_token_details') : undefined;
  if (details === undefined) return undefined;
  const amounts = CACHE_WRITES.map((name) => memberOf(details, name)).filter((one) => one !== undefined);
  // A value that is no number is returned as it was sent, so that nothing is calculated without it.
  const unreadable = amounts.find((amount) => !Number.isFinite(Number(amount)));
  if (unreadable !== undefined || amounts.length === 0) return unreadable;
  return amounts.reduce<number>((sum, amount) => sum + Number(amount), 0);
}

const WRAPPERS: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs']);

/** Unwraps the arguments or the result of a traced function from an object with one member. */
function unwrapped(value: JsonValue): JsonValue | undefined {
  if (!isObject(value)) return value;
  const [name, ...more] = Object.keys(value);
  return name !== undefined && more.length === 0 && WRAPPERS.has(name) ? value[name] : value;
}
