import { readChatMessages } from './conventions/chat-messages.ts';
import { parseJson } from './conventions/json.ts';
import { type Message, textOfMessages } from './conventions/message.ts';
import type { SpanView } from './conventions/span-view.ts';
import { compose, EMBEDDED_TEXTS } from './conventions/sources.ts';
import { withSystem } from './conventions/gen-ai-messages.ts';
import type { SpanMapping } from './mapping.ts';
import type { JsonValue } from './span-wire.ts';

export type Side = 'input' | 'output';

/** A mapped value, and its source. */
export interface Given<T = JsonValue> {
  value: T;
  vocabulary: string;
  /** Key of the attribute or of the rule: `llm.input_messages.#`. */
  from: string;
}

/** Returns the messages of one side of a model call. */
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
 * Returns the input or output of a span as its sender reported it. If that consists of messages, or is the raw
 * request or response of a model call with known messages, returns the text that a person would read.
 */
export function contentOf(mapping: SpanMapping, view: SpanView, side: Side): Given | null {
  const said = saidOf(mapping, view, side);
  // The value of a native event is used unchanged.
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
  // Values below the prefix of an open rule are not used: without texts they are vectors.
  const value = EMBEDDED_TEXTS[from]?.(view) ?? (rule.isOpen ? null : mapping.value(side));
  if (value === null) return null;
  const isJson = rule.json ?? mapping.text(`${side}MimeType`) === 'application/json';
  return { value: isJson && typeof value === 'string' ? parseText(value) : value, vocabulary, from };
}

/** Parses a text that is the JSON of an object, a list or one text. */
function parseText(text: string): JsonValue {
  if (!/^\s*"/.test(text)) return parseJson(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Returns the user's last message, or the model's response; the messages themselves when that is not text. */
function readable(messages: readonly Message[], side: Side): JsonValue {
  const shown = side === 'input' ? lastOf(messages, 'user') : lastOf(messages, 'assistant');
  const text = textOfMessages(shown);
  return text === '' ? (shown as unknown as JsonValue) : text;
}

/** Returns the last consecutive messages of a role that have content; all messages when there are none. */
function lastOf(messages: readonly Message[], role: string): readonly Message[] {
  const end =
    messages.findLastIndex((message) => message.role === role && textOfMessages([message]) !== '') + 1;
  const start = messages.findLastIndex((message, index) => index < end && message.role !== role) + 1;
  return end === 0 ? messages : messages.slice(start, end);
}
