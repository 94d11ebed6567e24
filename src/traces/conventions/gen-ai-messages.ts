import type { JsonValue } from '../span-wire.ts';
import { messageOf, readChatMessages } from './chat-messages.ts';
import { isObject } from '../../contract/is-object.ts';
import { isJsonObject, type JsonObject, jsonText, parseJson } from './json.ts';
import { defined, memberOf, objectMember, textMember } from './members.ts';
import { type Message, textOfMessages, type ToolDefinition } from './message.ts';
import { withoutBytes } from './media-parts.ts';
import { readParts } from './message-parts.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads messages, parts and tools of OpenTelemetry's GenAI conventions since 1.37, on spans and events alike. */
export function genAiInputMessages(view: AttributeView): Message[] | undefined {
  return messagesOrText(unquoted(parsedOfKey(view, 'gen_ai.input.messages')), 'user');
}

export function genAiOutputMessages(view: AttributeView): Message[] | undefined {
  const value = unquoted(parsedOfKey(view, 'gen_ai.output.messages'));
  return spokenIn(value) ?? messagesOrText(value, 'assistant');
}

/** Reads `gen_ai.completion` in the form `{ completion, reasoning }`. */
export const genAiCompletion = (view: AttributeView): Message[] | undefined =>
  spokenIn(parsedOfKey(view, 'gen_ai.completion'));

/** Returns a reader of an attribute with messages, or with what `role` said. */
export const saidAt =
  (key: string, role: string) =>
  (view: AttributeView): Message[] | undefined =>
    messagesOrText(parsedOfKey(view, key), role);

/** Returns the text, or the messages, that a sender wrote as JSON a second time: `"Hi"` in quotes. */
function unquoted(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*".*"\s*$/s.test(value)) return value;
  // Only objects and lists are parsed. A text such as `"yes" or "no"` is no JSON, and stays as it is.
  const list = parseJson(`[${value}]`);
  const text = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  return typeof text === 'string' ? parseJson(text) : value;
}

/** Reads a result of a model that has no role: `{ text, toolCalls }` or `{ completion, reasoning }`. */
function spokenIn(value: JsonValue | undefined): Message[] | undefined {
  if (!isObject(value) || textMember(value, 'role', 'type') !== undefined) return undefined;
  const content = textMember(value, 'text', 'completion');
  return content === undefined ? undefined : [messageOf('assistant', { ...value, content, parts: null })];
}

/** Returns a reader of an attribute with the instructions of a model: text, parts or messages. */
export function instructionsAt(key: string): (view: AttributeView) => string | undefined {
  return (view) => {
    const value = parsedOfKey(view, key);
    if (value === undefined) return undefined;
    const messages = readChatMessages(value) ?? [{ role: 'system', parts: readParts(value) }];
    return textOfMessages(messages) || jsonText(withoutBytes(value));
  };
}

export const genAiSystemInstructions = instructionsAt('gen_ai.system_instructions');

/** Returns a reader of an attribute with the tools of a request. */
export function toolsAt(key: string): (view: AttributeView) => ToolDefinition[] | undefined {
  return (view) => {
    const value = parsedOfKey(view, key);
    return value === undefined ? undefined : readToolDefinitions(value);
  };
}

export const genAiToolDefinitions = toolsAt('gen_ai.tool.definitions');

/** Prepends the instructions to the messages, unless there is such a message already. */
export function withSystem(messages: Message[], instructions: string | undefined): Message[] {
  const first = messages[0]?.role;
  if (!instructions || first === 'system' || first === 'developer') return messages;
  return [{ role: 'system', parts: [{ type: 'text', text: instructions }] }, ...messages];
}

/** Reads messages; any other value becomes one message of `role`. */
export function messagesOrText(value: JsonValue | undefined, role: string): Message[] | undefined {
  if (value === undefined) return undefined;
  const messages = readChatMessages(value);
  if (messages) return messages;
  const parts = readParts(value);
  return parts.length > 0 ? [{ role, parts }] : undefined;
}

/**
 * Reads the tools of a request, or one tool, in the form of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK or GenAI's
 * own schema; each may be JSON text. Drops tools without a name; returns undefined if none has one.
 */
export function readToolDefinitions(value: JsonValue): ToolDefinition[] | undefined {
  const json = typeof value === 'string' ? parseJson(value) : value;
  const definitions = (Array.isArray(json) ? json : [json]).flatMap(definitionsIn);
  return definitions.length > 0 ? definitions : undefined;
}

function definitionsIn(value: JsonValue): ToolDefinition[] {
  const json = typeof value === 'string' ? parseJson(value) : value;
  if (typeof json === 'string') return json === '' ? [] : [{ name: json }];
  if (!isObject(json)) return [];
  const declarations = memberOf(json, 'functionDeclarations', 'function_declarations');
  const tools = Array.isArray(declarations) ? declarations.filter(isJsonObject) : [json];
  return tools.flatMap((tool) => readToolDefinition(tool) ?? []);
}

function readToolDefinition(tool: JsonObject): ToolDefinition | undefined {
  const fields = objectMember(tool, 'function', 'toolSpec', 'data') ?? tool;
  // Tools that the provider runs have only a type.
  const name = textMember(fields, 'name') ?? textMember(tool, 'type');
  const schema = memberOf(fields, 'parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema');
  const json =
    typeof schema === 'string' ? parseJson(schema) : isObject(schema) ? memberOf(schema, 'json') : undefined;
  const parameters = withoutBytes(json ?? schema ?? null) ?? undefined;
  const description = textMember(fields, 'description');
  return name === undefined
    ? undefined
    : { name, ...defined<Omit<ToolDefinition, 'name'>>({ description, parameters }) };
}
