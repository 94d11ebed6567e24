import { readChatMessages } from './conventions/chat-messages.ts';
import { parseJson } from './conventions/json.ts';
import { type Message, textOfMessages } from './conventions/message.ts';
import type { SpanView } from './conventions/span-view.ts';
import { compose, EMBEDDED_TEXTS } from './conventions/sources.ts';
import { withSystem } from './conventions/gen-ai-messages.ts';
import type { SpanMapping } from './mapping.ts';
import type { JsonValue } from './span-wire.ts';

export type Side = 'input' | 'output';

/** A value of our model, and what gave it. */
export interface Given<T = JsonValue> {
  value: T;
  vocabulary: string;
  /** The attribute's key, or the rule's: `llm.input_messages.#`. */
  from: string;
}

/** The messages of one side of a model call. */
export function messagesOf(mapping: SpanMapping, view: SpanView, side: Side): Given<Message[]> | null {
  if (!mapping.has(`${side}Messages`)) return null;
  const messages = compose(view, `${side}Messages`);
  if (messages === null || side === 'output' || !mapping.has('systemInstructions')) return messages;
  const instructions = compose(view, 'systemInstructions');
  return instructions === null
    ? messages
    : { ...messages, value: withSystem(messages.value, instructions.value) };
}

/**
 * Returns the input or output of a span as its sender reported it. If that is messages, or the raw request or
 * response of a model call whose messages are known, it is what a person would read of them.
 */
export function contentOf(mapping: SpanMapping, view: SpanView, side: Side): Given | null {
  const said = saidOf(mapping, view, side);
  // A native event says exactly what it means.
  if (said !== null && (typeof said.value !== 'object' || mapping.has('event'))) return said;
  const messages = messagesOf(mapping, view, side);
  if (messages !== null) return { ...messages, value: readable(messages.value, side) };
  const chat = said && readChatMessages(said.value);
  if (said && chat) return { ...said, value: readable(chat, side) };
  if (said !== null || side === 'input' || !mapping.has('documents')) return said;
  return compose(view, 'documents') as Given | null;
}

/** Returns the input or output of the complete trace as one span reports it. */
export function traceContentOf(mapping: SpanMapping, side: Side): JsonValue {
  return mapping.json(side === 'input' ? 'traceInput' : 'traceOutput');
}

function saidOf(mapping: SpanMapping, view: SpanView, side: Side): Given | null {
  const rule = mapping.ruleOf(side);
  if (rule === null) return null;
  const { vocabulary, key: from } = rule;
  // What stands under the start of many keys is no value: without texts it is vectors.
  const value = EMBEDDED_TEXTS[from]?.(view) ?? (rule.isOpen ? null : mapping.value(side));
  if (value === null) return null;
  const isJson = rule.json ?? mapping.text(`${side}MimeType`) === 'application/json';
  return { value: isJson && typeof value === 'string' ? parseText(value) : value, vocabulary, from };
}

/** A JSON text of an object or a list, parsed, or of one text. */
function parseText(text: string): JsonValue {
  if (!/^\s*"/.test(text)) return parseJson(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Returns the user's last message, or the model's response; where that is no text, the messages themselves. */
function readable(messages: readonly Message[], side: Side): JsonValue {
  const shown = side === 'input' ? lastOf(messages, 'user') : lastOf(messages, 'assistant');
  const text = textOfMessages(shown);
  return text === '' ? (shown as unknown as JsonValue) : text;
}

/** The last of a role that say something and stand together; all messages when there are none. */
function lastOf(messages: readonly Message[], role: string): readonly Message[] {
  const end =
    messages.findLastIndex((message) => message.role === role && textOfMessages([message]) !== '') + 1;
  const start = messages.findLastIndex((message, index) => index < end && message.role !== role) + 1;
  return end === 0 ? messages : messages.slice(start, end);
}
