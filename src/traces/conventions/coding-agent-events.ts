import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import { readChatMessages } from './chat-messages.ts';
import { jsonText, parseJson } from './json.ts';
import { memberOf, textMember } from './members.ts';
import type { Message } from './message.ts';
import { readParts } from './message-parts.ts';
import type { Field, Rule } from './rule.ts';
import type { SpanView } from './span-view.ts';

type Pick = (attributes: JsonValue) => JsonValue | undefined;

/** Text that coding agents write in place of content that they must not log. */
const HIDDEN = '<REDACTED>';

/** Returns a function that picks the first of these attributes of a log record that is neither empty nor hidden. */
function firstOf(...keys: readonly string[]): Pick {
  return (attributes) => {
    if (!isObject(attributes)) return undefined;
    const values = keys.map((key) => memberOf(attributes, key));
    return values.find((value) => value !== undefined && value !== '' && value !== HIDDEN);
  };
}

/** Returns a function that picks an attribute, and parses one that is the JSON of an object or a list. */
function parsed(...keys: readonly string[]): Pick {
  const pick = firstOf(...keys);
  return (attributes) => {
    const value = pick(attributes);
    return typeof value === 'string' ? parseJson(value) : value;
  };
}

/** Names of the events of coding agents, by what they report. */
const PROMPTS = [
  'claude_code.user_prompt',
  'user_prompt',
  'codex.user_prompt',
  'gemini_cli.user_prompt',
  'qwen-code.user_prompt',
];
const ANSWERS = ['claude_code.assistant_response', 'assistant_response'];
/** Events with the model, tokens and cost of a request, sent even if its texts must not be. */
const USAGE = ['claude_code.api_request', 'api_request'];
const REQUEST_BODIES = ['claude_code.api_request_body', 'api_request_body'];
const RESPONSE_BODIES = ['claude_code.api_response_body', 'api_response_body'];
const RESULTS = ['claude_code.tool_result', 'tool_result', 'codex.tool_result'];
const COMPLETED = 'codex.sse_event';
/** Gemini CLI, and Qwen Code, which was made from it. */
const OF_GEMINI_CLI = ['gemini_cli', 'qwen-code'];
const named = (event: string): string[] => OF_GEMINI_CLI.map((name) => `${name}.${event}`);
const REQUESTS = named('api_request');
const RESPONSES = named('api_response');
const TOOL_CALLS = named('tool_call');

const prompt = firstOf('prompt');
const answer = firstOf('response');
const requestBody = parsed('body', 'request_text');
const responseBody = parsed('body', 'response_text');
const result = firstOf('output', 'tool_result', 'result', 'error');
const argumentsOf = parsed('tool_input', 'tool_parameters', 'arguments', 'function_args');

/** Picks from a completed response of Codex; its other events have no tokens. */
const ofCompleted =
  (pick: Pick): Pick =>
  (attributes) =>
    isObject(attributes) && textMember(attributes, 'event.kind') === 'response.completed'
      ? pick(attributes)
      : undefined;

/** Picks from the usage of a request to Claude; other programs have events named `api_request` too. */
const ofClaude =
  (pick: Pick): Pick =>
  (attributes) =>
    isObject(attributes) && textMember(attributes, 'model')?.includes('claude') === true
      ? pick(attributes)
      : undefined;

const outputTokens = firstOf('output_token_count');
const reasoningTokens = firstOf('thoughts_token_count');

/** Returns output tokens with those of reasoning, which Gemini counts separately. */
function geminiOutput(attributes: JsonValue): JsonValue | undefined {
  const output = outputTokens(attributes);
  const reasoning = reasoningTokens(attributes);
  return reasoning === undefined ? output : Number(output ?? 0) + Number(reasoning);
}

const rules = (names: readonly string[], field: Field, pick: Pick): Rule[] =>
  names.map((name) => ({ key: `event ${name}`, field, pick }));

const kind = (name: string, kinds: 'AGENT' | 'LLM' | 'TOOL', pick: Pick): Rule => ({
  key: `event ${name}`,
  field: 'kind',
  kinds,
  pick,
});

const always: Pick = () => true;

/** Events whose log records name their session. */
const OF_CODEX = ['conversation_starts', 'user_prompt', 'sse_event', 'api_request', 'tool_result'].map(
  (name) => `codex.${name}`,
);
const OF_GEMINI = ['user_prompt', 'api_request', 'api_response', 'tool_call'].flatMap(named);
const OF_CLAUDE = [
  ...USAGE,
  ...PROMPTS,
  ...ANSWERS,
  ...REQUEST_BODIES,
  ...RESPONSE_BODIES,
  ...RESULTS,
].filter((name) => !/^(?:codex|gemini_cli|qwen-code)\./.test(name));

/** Rules for log records in which coding agents report prompts, responses, and calls of models and tools. */
export const CODING_AGENT_RULES: readonly Rule[] = [
  kind('codex.user_prompt', 'AGENT', always),
  ...named('user_prompt').map((name) => kind(name, 'AGENT', always)),
  kind(COMPLETED, 'LLM', ofCompleted(always)),
  ...USAGE.map((name) => kind(name, 'LLM', ofClaude(always))),
  ...[...RESPONSES, ...REQUESTS].map((name) => kind(name, 'LLM', always)),
  ...['codex.tool_result', ...TOOL_CALLS].map((name) => kind(name, 'TOOL', always)),
  ...rules(PROMPTS, 'input', prompt),
  ...rules(PROMPTS, 'inputMessages', prompt),
  ...rules([...REQUEST_BODIES, ...REQUESTS], 'input', requestBody),
  ...rules([...REQUEST_BODIES, ...REQUESTS], 'inputMessages', requestBody),
  ...rules(ANSWERS, 'output', answer),
  ...rules(ANSWERS, 'outputMessages', answer),
  ...rules([...RESPONSE_BODIES, ...RESPONSES], 'output', responseBody),
  ...rules([...RESPONSE_BODIES, ...RESPONSES], 'outputMessages', responseBody),
  ...rules([...RESULTS, ...TOOL_CALLS], 'input', argumentsOf),
  ...rules(RESULTS, 'output', result),
  ...rules([...RESULTS, ...TOOL_CALLS], 'outputMessages', always),
  ...rules(RESULTS, 'toolName', firstOf('tool_name')),
  ...rules(TOOL_CALLS, 'toolName', firstOf('function_name')),
  ...rules(RESULTS, 'toolCallId', firstOf('call_id', 'tool_use_id')),
  ...rules([COMPLETED], 'model', ofCompleted(firstOf('model', 'slug'))),
  ...rules([...RESPONSES, ...REQUESTS], 'model', firstOf('model')),
  ...rules([COMPLETED], 'inputTokens', ofCompleted(firstOf('input_token_count'))),
  ...rules([COMPLETED], 'outputTokens', ofCompleted(outputTokens)),
  ...rules([COMPLETED], 'cacheReadTokens', ofCompleted(firstOf('cached_token_count'))),
  ...rules([COMPLETED], 'reasoningTokens', ofCompleted(firstOf('reasoning_token_count'))),
  ...rules(USAGE, 'model', ofClaude(firstOf('model'))),
  ...rules(USAGE, 'inputTokens', ofClaude(firstOf('input_tokens'))),
  ...rules(USAGE, 'outputTokens', ofClaude(firstOf('output_tokens'))),
  ...rules(USAGE, 'cacheReadTokens', ofClaude(firstOf('cache_read_tokens'))),
  ...rules(USAGE, 'cacheWriteTokens', ofClaude(firstOf('cache_creation_tokens'))),
  ...rules(USAGE, 'cost', ofClaude(firstOf('cost_usd'))),
  ...rules(RESPONSES, 'inputTokens', firstOf('input_token_count')),
  ...rules(RESPONSES, 'outputTokens', geminiOutput),
  ...rules(RESPONSES, 'totalTokens', firstOf('total_token_count')),
  ...rules(RESPONSES, 'cacheReadTokens', firstOf('cached_content_token_count')),
  ...rules(RESPONSES, 'reasoningTokens', reasoningTokens),
  ...rules(OF_CODEX, 'sessionId', firstOf('conversation.id')),
  ...rules([...OF_GEMINI, ...OF_CLAUDE], 'sessionId', firstOf('session.id')),
];

/** Returns the keys of the rules of a field that `isWanted` accepts, in order. */
export const codingAgentKeys = (field: Field, isWanted: (key: string) => boolean = () => true): string[] => [
  ...new Set(
    CODING_AGENT_RULES.filter((rule) => rule.field === field && isWanted(rule.key)).map(({ key }) => key),
  ),
];

type Reader<T> = (view: SpanView) => T | undefined;

/** Returns a reader that joins the texts of all events with these names. */
function joined(names: readonly string[], pick: Pick): Reader<JsonValue> {
  return (view) => {
    const texts = picked(view, names, pick).map(jsonText);
    return texts.length > 0 ? texts.join('\n') : undefined;
  };
}

const picked = (view: SpanView, names: readonly string[], pick: Pick): JsonValue[] =>
  view.happenings.flatMap(({ name, attributes }) => {
    const value = names.includes(name) ? pick(attributes) : undefined;
    return value === undefined || value === '' ? [] : [value];
  });

/** Reads the result of a tool: the content of each event, or all of its attributes. */
export const toolOutputOfEvents = joined(['tool.output'], (attributes) =>
  isObject(attributes) ? (memberOf(attributes, 'content', 'output', 'result') ?? attributes) : undefined,
);

const readersOf = <T>(names: readonly string[], read: Reader<T>): Record<string, Reader<T>> =>
  Object.fromEntries(names.map((name) => [`event ${name}`, read]));

/** Readers of inputs and outputs that several log records of one span may contain. */
export const CODING_AGENT_INPUTS = readersOf(PROMPTS, joined(PROMPTS, prompt));
export const CODING_AGENT_OUTPUTS = readersOf(RESULTS, joined(RESULTS, result));

/** Returns a reader that makes each text a message of `role`. */
function messages(names: readonly string[], pick: Pick, role: string): Reader<Message[]> {
  return (view) => {
    const found = picked(view, names, pick).map((value) => ({ role, parts: readParts(value) }));
    return found.length > 0 ? found : undefined;
  };
}

/** Returns a reader of the last request or response, which contains the complete conversation. */
function lastMessages(names: readonly string[], pick: Pick, role: string): Reader<Message[]> {
  return (view) => {
    const value = picked(view, names, pick).at(-1);
    if (value === undefined) return undefined;
    return (
      readChatMessages(value) ?? (typeof value === 'string' ? [{ role, parts: readParts(value) }] : undefined)
    );
  };
}

/** Readers of messages, by the key of their rule. */
export const CODING_AGENT_INPUT_MESSAGES: Readonly<Record<string, Reader<Message[]>>> = {
  ...readersOf(
    [...REQUEST_BODIES, ...REQUESTS],
    lastMessages([...REQUEST_BODIES, ...REQUESTS], requestBody, 'user'),
  ),
  ...readersOf(PROMPTS, messages(PROMPTS, prompt, 'user')),
};
const RESPONSE_NAMES = [...RESPONSE_BODIES, ...RESPONSES];
const CALL_NAMES = [...RESULTS, ...TOOL_CALLS];

export const CODING_AGENT_OUTPUT_MESSAGES: Readonly<Record<string, Reader<Message[]>>> = {
  ...readersOf(RESPONSE_NAMES, orConversation(lastMessages(RESPONSE_NAMES, responseBody, 'assistant'))),
  ...readersOf(ANSWERS, orConversation(messages(ANSWERS, answer, 'assistant'))),
  ...readersOf(CALL_NAMES, conversation),
};

/** Returns a reader that adds the calls of tools, where the span has any. */
function orConversation(read: Reader<Message[]>): Reader<Message[]> {
  return (view) => conversation(view) ?? read(view);
}

/**
 * Reads the calls of tools and their results, between the answers of the model, in order of time. Undefined without calls, and
 * for the span of one call, which has neither a prompt nor an answer.
 */
function conversation(view: SpanView): Message[] | undefined {
  const names = new Set(view.happenings.map(({ name }) => name));
  const hasSome = (all: readonly string[]): boolean => all.some((name) => names.has(name));
  if (!hasSome(CALL_NAMES) || !hasSome([...PROMPTS, ...ANSWERS, ...RESPONSE_NAMES])) return undefined;
  const found = view.happenings.flatMap(({ name, attributes }) => {
    if (CALL_NAMES.includes(name)) return messagesOfCall(attributes);
    const value = ANSWERS.includes(name)
      ? answer(attributes)
      : RESPONSE_NAMES.includes(name)
        ? responseBody(attributes)
        : undefined;
    return value === undefined
      ? []
      : (readChatMessages(value) ?? [{ role: 'assistant', parts: readParts(value) }]);
  });
  return found.length > 0 ? found : undefined;
}

const callName = firstOf('tool_name', 'function_name');
const callId = firstOf('call_id', 'tool_use_id');

/** Reads a call of a tool, and its result where the record has one. */
function messagesOfCall(attributes: JsonValue): Message[] {
  const name = callName(attributes);
  if (typeof name !== 'string') return [];
  const id = callId(attributes);
  const ofCall = typeof id === 'string' ? { id, name } : { name };
  const output = result(attributes);
  return [
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', ...ofCall, arguments: argumentsOf(attributes) ?? null }],
    },
    ...(output === undefined
      ? []
      : [{ role: 'tool', parts: [{ type: 'tool_result' as const, ...ofCall, result: output }] }]),
  ];
}
