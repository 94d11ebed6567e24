import type { JsonValue } from '../span-wire.ts';
import { messagesOrText, readToolDefinitions } from './gen-ai-messages.ts';
import { isObject } from '../../contract/is-object.ts';
import { isJsonObject, type JsonObject, jsonText, parseJson } from './json.ts';
import { defined, memberOf, textMember } from './members.ts';
import type { Message, MessagePart, RetrievedDocument, ToolDefinition } from './message.ts';
import { readPart } from './message-parts.ts';
import { type AttributeView, parsedOfKey, textOfKey } from './span-view.ts';

/** Reads `ai.prompt.messages` of a model call, or `ai.prompt` of its caller: `{ system?, prompt? | messages? }`. */
export function vercelInputMessages(view: AttributeView): Message[] | undefined {
  const messages = parsedOfKey(view, 'ai.prompt.messages');
  if (messages !== undefined) return messagesOrText(messages, 'user');
  const prompt = parsedOfKey(view, 'ai.prompt');
  if (!isObject(prompt)) return messagesOrText(prompt, 'user');
  // The system prompt may consist of messages.
  const { system, ...rest } = prompt;
  const found = [...(messagesOrText(system, 'system') ?? []), ...(messagesOrText(rest, 'user') ?? [])];
  return found.length > 0 ? found : undefined;
}

/** Reads one message from `ai.response.*`, or before version 4 from `ai.result.*`. */
export function vercelOutputMessages(view: AttributeView): Message[] | undefined {
  const [reasoning, words, object, toolCalls, files] = [
    'reasoning',
    'text',
    'object',
    'toolCalls',
    'files',
  ].map((name) => view.value(`ai.response.${name}`) ?? view.value(`ai.result.${name}`));
  if ([reasoning, words, object, toolCalls, files].every((value) => value === undefined)) return undefined;
  const parts: MessagePart[] = [
    ...said('reasoning', reasoning),
    ...said('text', words),
    ...said('text', object),
    ...listOf(toolCalls).map((call) => readPart(isObject(call) ? { ...call, type: 'tool-call' } : call)),
    ...listOf(files).map((file) => readPart(isObject(file) ? { ...file, type: 'file' } : file)),
  ];
  const finishReason = textOfKey(view, 'ai.response.finishReason') ?? textOfKey(view, 'ai.finishReason');
  return [{ role: 'assistant', parts, ...defined<{ finishReason: string }>({ finishReason }) }];
}

/** Reads `ai.prompt.tools`. */
export function vercelToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  const tools = parsedOfKey(view, 'ai.prompt.tools');
  return tools === undefined ? undefined : readToolDefinitions(tools);
}

/** Reads `ai.documents`, with scores and in the order of `ai.ranking`. */
export function vercelDocuments(view: AttributeView): RetrievedDocument[] | undefined {
  const documents = listOf(view.value('ai.documents')).map(readDocument);
  const unranked = new Map<JsonValue | undefined, RetrievedDocument>(documents.entries());
  const ranked = listOf(view.value('ai.ranking'))
    .filter(isJsonObject)
    .map((rank) => readRank(rank, unranked));
  const found = ranked.length > 0 ? ranked : documents;
  return found.length > 0 ? found : undefined;
}

/** Reads the embedded texts from `ai.value` or `ai.values`, each of them JSON. */
export function vercelEmbeddingTexts(view: AttributeView): string[] | undefined {
  const single = view.value('ai.value');
  const texts = single === undefined ? listOf(view.value('ai.values')) : [unquoted(single)];
  return texts.length > 0 ? texts.map(jsonText) : undefined;
}

function said(type: 'text' | 'reasoning', value: JsonValue | undefined): MessagePart[] {
  return value === undefined || value === '' ? [] : [{ type, text: jsonText(value) }];
}

/**
 * Reads a rank: `{ index, relevanceScore }`. The document may be missing. Each document is used once, so that many
 * ranks cannot multiply a large one.
 */
function readRank(
  rank: JsonObject,
  unranked: Map<JsonValue | undefined, RetrievedDocument>,
): RetrievedDocument {
  const index = memberOf(rank, 'index', 'originalIndex');
  const score = memberOf(rank, 'relevanceScore', 'score');
  const document = unranked.get(index) ?? (index === undefined ? {} : { id: jsonText(index) });
  unranked.delete(index);
  return { ...document, ...(typeof score === 'number' && { score }) };
}

function readDocument(document: JsonValue): RetrievedDocument {
  if (!isObject(document)) return { content: jsonText(document) };
  const content = textMember(document, 'content', 'text');
  const id = memberOf(document, 'id');
  return {
    ...defined<{ id: string }>({ id: id === undefined ? undefined : jsonText(id) }),
    content: content ?? jsonText(document),
    ...(content !== undefined && { metadata: document }),
  };
}

/** Reads a list that is JSON completely or in its elements. */
function listOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  const list = unquoted(value);
  return (Array.isArray(list) ? list : [list]).map(unquoted);
}

/** Parses JSON of any kind. */
function unquoted(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  if (!value.startsWith('"')) return parseJson(value);
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}
