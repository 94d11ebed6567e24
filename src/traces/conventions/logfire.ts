import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import { memberOf } from './members.ts';
import { pickMemberIn } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/**
 * Vocabulary of Pydantic Logfire. Names of spans are templates, which its message fills; arguments of a template are
 * attributes under their own names.
 */
export const LOGFIRE: Vocabulary = {
  name: 'logfire',
  rules: [
    {
      key: 'logfire.msg_template',
      field: 'kind',
      kinds: {
        'Function: {name}': 'TOOL',
        'MCP list tools: {server}': 'TOOL',
        'Agent run: {name!r}': 'AGENT',
        'OpenAI Agents trace: {name}': 'AGENT',
        'Handoff: {from_agent} → {to_agent}': 'CHAIN',
        'Guardrail {name!r} triggered={triggered}': 'GUARDRAIL',
        'Guardrail {name!r} {triggered=}': 'GUARDRAIL',
        'Embedding Creation with {request_data[model]!r}': 'EMBEDDING',
      },
    },
    {
      key: 'logfire.msg',
      field: 'kind',
      pick: kindOfMessage,
      kinds: { function: 'TOOL', 'agent run': 'AGENT' },
    },
    { key: 'logfire.msg', field: 'displayName' },
    { key: 'events', field: 'inputMessages', isCommonWord: true },
    { key: 'events', field: 'outputMessages', isCommonWord: true },
    { key: 'raw_input', field: 'inputMessages', isCommonWord: true },
    { key: 'request_data', field: 'inputMessages', isCommonWord: true },
    { key: 'response_data', field: 'outputMessages', isCommonWord: true },
    { key: 'request_data', field: 'model', pick: modelOfRequest, isCommonWord: true },
    {
      key: 'response_data',
      field: 'inputTokens',
      pick: pickMemberIn('usage', 'prompt_tokens', 'input_tokens'),
      isCommonWord: true,
    },
    {
      key: 'response_data',
      field: 'outputTokens',
      pick: pickMemberIn('usage', 'completion_tokens', 'output_tokens'),
      isCommonWord: true,
    },
    {
      key: 'response_data',
      field: 'cacheReadTokens',
      pick: pickMemberIn('usage', 'cache_read_input_tokens'),
      isCommonWord: true,
    },
    {
      key: 'response_data',
      field: 'cacheWriteTokens',
      pick: pickMemberIn('usage', 'cache_creation_input_tokens'),
      isCommonWord: true,
    },
    {
      key: 'gen_ai.usage.raw',
      field: 'reasoningTokens',
      pick: pickMemberIn('completion_tokens_details', 'reasoning_tokens'),
    },
    { key: 'input', field: 'input', json: true, isCommonWord: true },
    { key: 'output', field: 'output', json: true, isCommonWord: true },
    { key: 'name', field: 'toolName', isCommonWord: true },
    { key: 'group_id', field: 'sessionId', isCommonWord: true },
    { key: 'logfire.tags', field: 'tags' },
  ],
};

/** Returns the model of a request to a model; other requests, such as those of a web framework, have no messages. */
function modelOfRequest(request: JsonValue): JsonValue | undefined {
  if (!isObject(request)) return undefined;
  const isCall = memberOf(request, 'messages', 'input', 'prompt', 'contents', 'stream') !== undefined;
  return isCall ? memberOf(request, 'model') : undefined;
}

/** Returns what stands before the colon of a message: `Function` for `Function: get_weather`. */
function kindOfMessage(message: JsonValue): JsonValue | undefined {
  return typeof message === 'string' ? /^(Function|Agent run):/i.exec(message)?.[1] : undefined;
}
