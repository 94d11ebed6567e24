import type { JsonValue } from '../span-wire.ts';
import { isBase64Uri } from './data-uri.ts';
import { isObject } from '../../contract/is-object.ts';
import { type JsonObject, parseJson } from './json.ts';
import { readMedia, withoutBytes } from './media-parts.ts';
import { defined, memberOf, objectMember, textMember } from './members.ts';
import type { MessagePart } from './message.ts';

type PartReader = (part: JsonObject) => MessagePart | undefined;

/** Readers of parts by `type`, for all APIs and frameworks with types. */
const READERS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ['text', readText],
  ['input_text', readText],
  ['output_text', readText],
  ['refusal', readText],
  ['reasoning', readReasoning],
  ['thinking', readReasoning],
  ['reasoningContent', readBedrockReasoning],
  ['tool_call', readToolCall],
  ['tool-call', readToolCall],
  ['tool_use', readToolCall],
  ['function', readToolCall],
  ['function_call', readToolCall],
  ['custom_tool_call', readToolCall],
  ['server_tool_call', readToolCall],
  ['server_tool_use', readToolCall],
  ['mcp_tool_use', readToolCall],
  ['tool_call_response', readToolResult],
  ['tool-result', readToolResult],
  ['tool_result', readToolResult],
  ['function_call_output', readToolResult],
  ['custom_tool_call_output', readToolResult],
  ['server_tool_call_response', readToolResult],
  ['web_search_tool_result', readToolResult],
  ['code_execution_tool_result', readToolResult],
  ['mcp_tool_result', readToolResult],
  ['other', (part) => ({ type: 'other', value: withoutBytes(part['value'] ?? null) })],
]);

const GEMINI_TEXT_KEYS: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'thought_signature',
]);
const CALL_IDS = ['call_id', 'callId', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'id', 'ref'];

/** Reads the content of a message: text, a list of parts, one part, or text that is the JSON of parts. */
export function readParts(content: JsonValue | undefined): MessagePart[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return partsInText(content) ?? [readPart(content)];
  if (Array.isArray(content))
    return content.map((part) => readPart(typeof part === 'string' ? jsonPart(part) : part));
  const parts = isObject(content) ? content['parts'] : undefined;
  return Array.isArray(parts) ? parts.map(readPart) : [readPart(content)];
}

/** Returns the part that a text is the JSON of, as senders write it whose attributes have no objects; else the text. */
function jsonPart(text: string): JsonValue {
  const json = parseJson(text);
  return isObject(json) && textMember(json, 'type') !== undefined ? json : text;
}

/** Reads one part. Parts of unknown type become `other`. */
export function readPart(part: JsonValue): MessagePart {
  if (typeof part === 'string') return readTextOrMedia(part);
  const known = isObject(part) ? readKnown(part) : undefined;
  return known ?? { type: 'other', value: withoutBytes(part) };
}

/** Reads a tool call in any known form; undefined if it has no name. */
export function readToolCall(part: JsonObject): MessagePart | undefined {
  const call = objectMember(part, 'function') ?? part;
  const name = textMember(call, 'name', 'toolName');
  if (name === undefined) return undefined;
  const value = memberOf(call, 'arguments', 'args', 'input', 'server_tool_call') ?? null;
  return { type: 'tool_call', ...idOf(part), name, arguments: toolValue(value) };
}

/** Reads the result of a tool. A failure becomes part of the result: `{ error }`. */
export function readToolResult(part: JsonObject): MessagePart {
  const sent = memberOf(part, 'response', 'result', 'output', 'content', 'server_tool_call_response') ?? null;
  const { value, failed } = outputOf(sent);
  const result = toolValue(value);
  const isError = failed || part['is_error'] === true || part['status'] === 'error';
  return {
    type: 'tool_result',
    ...idOf(part),
    ...defined<{ name: string }>({ name: textMember(part, 'name', 'toolName') }),
    result: isError ? { error: result } : result,
  };
}

function readKnown(part: JsonObject): MessagePart | undefined {
  const type = textMember(part, 'type');
  if (type === undefined) return readUntyped(part) ?? readMedia(part);
  return READERS.get(type)?.(part) ?? readTextDocument(part) ?? readMedia(part);
}

/** Reads parts that are recognised by the name of a member. */
function readUntyped(part: JsonObject): MessagePart | undefined {
  const text = textMember(part, 'text');
  if (text !== undefined && Object.keys(part).every((key) => GEMINI_TEXT_KEYS.has(key))) {
    return part['thought'] === true ? { type: 'reasoning', text } : { type: 'text', text };
  }
  if (objectMember(part, 'reasoningContent')) return readBedrockReasoning(part);
  const call = objectMember(part, 'functionCall', 'function_call', 'toolUse', 'toolRequest');
  if (call) return readToolCall(call);
  // Gemini CLI writes calls without a wrapper.
  if (textMember(part, 'callId') !== undefined && objectMember(part, 'args')) return readToolCall(part);
  const result = objectMember(part, 'functionResponse', 'function_response', 'toolResult', 'toolResponse');
  return result ? readToolResult(result) : readHaystack(part);
}

/** Reads parts of Haystack: `{ tool_call: { tool_name } }` and `{ tool_call_result: { result, origin } }`. */
function readHaystack(part: JsonObject): MessagePart | undefined {
  const call = objectMember(part, 'tool_call');
  if (call) return readToolCall({ ...call, name: call['tool_name'] ?? null });
  const answer = objectMember(part, 'tool_call_result');
  const { id = null, tool_name: name = null } = (answer && objectMember(answer, 'origin')) ?? {};
  return answer && readToolResult({ ...answer, id, name });
}

function readText(part: JsonObject): MessagePart | undefined {
  const text = textMember(part, 'text', 'content', 'refusal');
  return text === undefined ? undefined : { type: 'text', text };
}

function readReasoning(part: JsonObject): MessagePart | undefined {
  const text =
    textMember(part, 'text', 'content', 'thinking', 'reasoning') ??
    joinedText(part['summary']) ??
    joinedText(part['content']);
  return text === undefined ? undefined : { type: 'reasoning', text };
}

/** Reads reasoning of Bedrock's Converse API: `{ reasoningContent: { reasoningText: { text } } }`. */
function readBedrockReasoning(part: JsonObject): MessagePart | undefined {
  const content = objectMember(part, 'reasoningContent', 'content');
  const spoken = content && objectMember(content, 'reasoningText');
  const text = spoken && textMember(spoken, 'text');
  return text === undefined ? undefined : { type: 'reasoning', text };
}

/** Reads a text document: `{ type: 'document', source: { type: 'text', data } }`. */
function readTextDocument(part: JsonObject): MessagePart | undefined {
  const source = objectMember(part, 'source');
  const text = source?.['type'] === 'text' ? textMember(source, 'data') : undefined;
  return text === undefined ? undefined : { type: 'text', text };
}

function readTextOrMedia(text: string): MessagePart {
  return (isBase64Uri(text) && readMedia({ type: 'uri', uri: text })) || { type: 'text', text };
}

/**
 * Reads parts from a text, for senders that can write only text. An unknown part makes the complete text a text part.
 */
function partsInText(text: string): MessagePart[] | undefined {
  if (!/^\s*\[\s*\{/.test(text)) return undefined;
  const list = parseJson(text);
  if (!Array.isArray(list) || !list.every(isPart)) return undefined;
  const parts = list.map(readPart);
  return parts.some(({ type }) => type === 'other') ? undefined : parts;
}

/** Reports whether a value is a part. Without a `type`, it must have only the member that determines its kind. */
function isPart(value: JsonValue): boolean {
  return isObject(value) && (textMember(value, 'type') !== undefined || Object.keys(value).length === 1);
}

function idOf(part: JsonObject): { id?: string } {
  return defined<{ id: string }>({ id: textMember(part, ...CALL_IDS) });
}

/** Unwraps the result of a tool as the AI SDK sends it: `{ type: 'json', value }` and similar. */
function outputOf(output: JsonValue): { value: JsonValue; failed: boolean } {
  const type = isObject(output) ? output['type'] : undefined;
  const isWrapped = typeof type === 'string' && /^((error-)?(text|json)|content)$/.test(type);
  if (!isObject(output) || !isWrapped || !Object.hasOwn(output, 'value'))
    return { value: output, failed: false };
  return { value: output['value'] ?? null, failed: type.startsWith('error-') };
}

/** Reads arguments and results: parses JSON texts, joins blocks of text, and drops bytes. */
function toolValue(value: JsonValue): JsonValue {
  const json = typeof value === 'string' ? parseJson(value) : value;
  const text = joinedText(json);
  return withoutBytes(text === undefined ? json : parseJson(text));
}

/** Joins a list that consists of text parts only; undefined for anything else. */
function joinedText(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts: string[] = [];
  for (const item of value) {
    if (!isObject(item) || !isPart(item)) return undefined;
    const type = textMember(item, 'type') ?? 'text';
    const text = /^(text|(in|out)put_text|summary_text|reasoning_text)$/.test(type)
      ? textMember(item, 'text')
      : undefined;
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}
