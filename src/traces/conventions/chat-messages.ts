import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';
import { defined, memberOf, objectMember, textMember } from './members.ts';
import type { Message, MessagePart } from './message.ts';
import { readPart, readParts, readToolCall, readToolResult } from './message-parts.ts';

/** Deepest nesting of lists and objects around messages. */
const MAX_WRAPPERS = 6;

/** Roles by `type`, or by class name without `Message`. */
const LANGCHAIN_ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['developer', 'developer'],
  ['tool', 'tool'],
  ['function', 'function'],
  ['chat', 'chat'],
  ['generic', 'generic'],
]);

/** Roles of items of OpenAI's Responses API that are not part of a message. */
const ITEM_ROLES: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'assistant'],
  ['function_call', 'assistant'],
  ['custom_tool_call', 'assistant'],
  ['function_call_output', 'tool'],
  ['custom_tool_call_output', 'tool'],
]);

/** Fields of a message: an object with a role and one of these is a message. */
const BODY_KEYS = [
  'content',
  'parts',
  'tool_calls',
  'toolCalls',
  'function_call',
  'refusal',
  'reasoning_content',
];
const FINISH_KEYS = ['finish_reason', 'finishReason', 'stop_reason'];
const SYSTEM_KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction'];

/**
 * Reads messages in the JSON of the APIs of OpenAI, Anthropic and Gemini, of the AI SDK and of LangChain: a list, a
 * single message, or the request or response that contains them. Returns undefined for other values.
 */
export function readChatMessages(value: JsonValue): Message[] | undefined {
  return readAny(value, 0);
}

function readAny(value: JsonValue | undefined, depth: number): Message[] | undefined {
  const json = typeof value === 'string' ? parseJson(value) : value;
  if (depth > MAX_WRAPPERS || typeof json !== 'object' || json === null) return undefined;
  if (Array.isArray(json)) return readList(json, depth);
  const message = readMessage(json);
  return message ? [message] : (readRequest(json, depth + 1) ?? readResponse(json, depth + 1));
}

/** Reads a list of messages. Unknown entries, such as a search by the model, become messages of another role. */
function readList(sent: readonly JsonValue[], depth: number): Message[] | undefined {
  if (sent.length > 0 && sent.every(Array.isArray)) return readAny(sent.flat(), depth + 1);
  // Senders whose attributes have no objects write each message as JSON.
  const list = sent.map((item) => (typeof item === 'string' ? parseJson(item) : item));
  if (!list.every(isJsonObject)) return undefined;
  if (list.length > 0 && list.every((item) => isObject(item['message']))) return readChoices(list);
  const messages = list.map((item) => readMessage(item));
  if (messages.every((message) => message === undefined)) return undefined;
  return messages.map((message, i) => message ?? unknownMessage(list[i] ?? {}));
}

function unknownMessage(item: JsonObject): Message {
  return { role: textMember(item, 'role', 'type') ?? '', parts: [readPart(item)] };
}

function readRequest(object: JsonObject, depth: number): Message[] | undefined {
  const prompt = textMember(object, 'prompt');
  const messages =
    readAny(memberOf(object, 'messages'), depth) ??
    readAny(geminiContents(memberOf(object, 'contents')), depth) ??
    readAny(memberOf(object, 'prompt'), depth) ??
    (prompt === undefined ? undefined : [{ role: 'user', parts: readParts(prompt) }]) ??
    readAny(memberOf(object, 'input'), depth) ??
    // The context of LiveKit.
    readAny(memberOf(object, 'items'), depth);
  const system = readParts(memberOf(object, ...SYSTEM_KEYS));
  return messages && system.length > 0 ? [{ role: 'system', parts: system }, ...messages] : messages;
}

/** Adds the role of the user to contents without a role, as Gemini does. */
function geminiContents(contents: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(contents)) return contents;
  return contents.map((item) =>
    isObject(item) && Array.isArray(item['parts']) ? { role: 'user', ...item } : item,
  );
}

function readResponse(object: JsonObject, depth: number): Message[] | undefined {
  const choices = memberOf(object, 'choices', 'candidates', 'generations');
  const single = objectMember(object, 'message');
  return (
    (Array.isArray(choices) ? readChoices(choices.flat()) : undefined) ??
    (single && readMessage(single) && readChoices([object])) ??
    readAny(memberOf(object, 'output', 'outputs', 'replies', 'kwargs'), depth)
  );
}

function readChoices(choices: readonly JsonValue[]): Message[] | undefined {
  const messages = choices.map((choice) => (isObject(choice) ? readChoice(choice) : undefined));
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined;
}

/**
 * Reads a choice: `{ message, finish_reason }`, `{ text, finish_reason }` or `{ text, message, generationInfo: {
 * finish_reason } }`.
 */
function readChoice(choice: JsonObject): Message | undefined {
  const spoken = objectMember(choice, 'message', 'content');
  const message = spoken ? readMessage(spoken, 'assistant') : readCompletion(choice);
  const info = objectMember(choice, 'generationInfo', 'generation_info') ?? {};
  return message && { ...finishOf(choice, info), ...message };
}

function readCompletion(choice: JsonObject): Message | undefined {
  const text = textMember(choice, 'text');
  const isChoice = [...FINISH_KEYS, 'generationInfo', 'generation_info'].some((key) =>
    Object.hasOwn(choice, key),
  );
  return text !== undefined && isChoice ? { role: 'assistant', parts: readParts(text) } : undefined;
}

/** Reads one message; `role` applies to messages without one. Returns undefined for other objects. */
function readMessage(object: JsonObject, role?: string): Message | undefined {
  const own = textMember(object, 'role') ?? role;
  if (own !== undefined && BODY_KEYS.some((key) => Object.hasOwn(object, key))) return messageOf(own, object);
  return readLangChain(object) ?? readItem(object);
}

/**
 * Reads a message of LangChain: `{ type: 'human', content }`, `{ type: 'human', data: { content } }` or `{ lc, id:
 * [.., 'HumanMessage'], kwargs: { content } }`.
 */
function readLangChain(object: JsonObject): Message | undefined {
  const path = Object.hasOwn(object, 'lc') && Array.isArray(object['id']) ? object['id'] : [];
  const name = path.at(-1) ?? memberOf(object, 'type', '_getType', '_type');
  if (typeof name !== 'string') return undefined;
  const role = LANGCHAIN_ROLES.get(name.replace(/(Message)?(Chunk)?$/, '').toLowerCase());
  const fields = objectMember(object, 'kwargs', 'data') ?? object;
  if (role === undefined || !Object.hasOwn(fields, 'content')) return undefined;
  return messageOf(textMember(fields, 'role') ?? role, fields);
}

function readItem(object: JsonObject): Message | undefined {
  const role = ITEM_ROLES.get(textMember(object, 'type') ?? '');
  const isItem = textMember(object, 'call_id') !== undefined || Array.isArray(object['summary']);
  return role !== undefined && isItem ? { role, parts: [readPart(object)] } : undefined;
}

/** Builds a message from its fields: `content` or `parts`, `tool_calls`, `rejection` and others. */
export function messageOf(role: string, fields: JsonObject): Message {
  const isAnswer = role === 'tool' || role === 'function';
  const name = isAnswer ? undefined : textMember(fields, 'name');
  return {
    role,
    ...defined<{ name: string }>({ name }),
    parts: isAnswer ? answerParts(fields) : spokenParts(fields),
    ...finishOf(fields, objectMember(fields, 'response_metadata') ?? {}),
  };
}

/** Returns why the model stopped, as reported by the first of these objects that has a reason. */
function finishOf(...objects: readonly JsonObject[]): { finishReason?: string } {
  const reasons = objects.map((object) => textMember(object, ...FINISH_KEYS));
  const finishReason = reasons.find((reason) => reason !== undefined && reason !== '');
  return defined<{ finishReason: string }>({ finishReason });
}

/** Returns the result of a tool as one part, unless the parts of the message are results themselves. */
function answerParts(fields: JsonObject): MessagePart[] {
  const parts = contentOf(fields);
  const saySo = parts.some(({ type }) => type === 'tool_result') || !Object.hasOwn(fields, 'content');
  return saySo ? parts : [readToolResult(fields)];
}

function spokenParts(fields: JsonObject): MessagePart[] {
  const reasoning = textMember(fields, 'reasoning_content', 'reasoning');
  const refusal = textMember(fields, 'refusal');
  const audio = objectMember(fields, 'audio');
  const said: MessagePart[] = [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...contentOf(fields),
    ...readParts(refusal),
    ...(audio ? [readPart({ ...audio, type: 'audio' }), ...readParts(textMember(audio, 'transcript'))] : []),
  ];
  const ids = new Set(said.flatMap((part) => (part.type === 'tool_call' ? (part.id ?? []) : [])));
  // LangChain repeats calls as parts and in `tool_calls`.
  const calls = callsOf(fields).filter((call) => !(call.type === 'tool_call' && ids.has(call.id ?? '')));
  return [...said, ...calls];
}

function contentOf(fields: JsonObject): MessagePart[] {
  const parts = readParts(memberOf(fields, 'parts'));
  return parts.length > 0 ? parts : readParts(memberOf(fields, 'content'));
}

function callsOf(fields: JsonObject): MessagePart[] {
  const call = memberOf(fields, 'function_call');
  const calls = [
    ...listOf(memberOf(fields, 'tool_calls', 'toolCalls')),
    ...(call === undefined ? [] : [call]),
  ];
  const additional = objectMember(fields, 'additional_kwargs');
  if (calls.length === 0 && additional) return callsOf({ ...additional, additional_kwargs: null });
  return calls.map((sent) => (isObject(sent) ? readToolCall(sent) : undefined) ?? readPart(sent));
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  const json = typeof value === 'string' ? parseJson(value) : value;
  if (json === undefined || json === '') return [];
  return Array.isArray(json) ? json : [json];
}
