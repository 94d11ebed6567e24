import { isObject } from '../../contract/is-object.ts';
import { readChatMessages } from './chat-messages.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { memberOf, objectMember, textMember } from './members.ts';
import type { Message } from './message.ts';
import { messagesOrText } from './gen-ai-messages.ts';
import { messagesAt } from './messages-at.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

const CHOICE = 'gen_ai.choice';

/**
 * Returns a reader of the events of a call in one attribute, `[{ 'event.name', role, content }]`, without the choices and without the
 * messages of the assistant at the end, with which the model answered.
 */
export const logfireInputMessages =
  (key: string) =>
  (view: AttributeView): Message[] | undefined => {
    const events = eventsAt(view, key);
    return events && readAll(events.slice(0, answerStart(events)));
  };

/** Returns a reader of the choices, or of the messages of the assistant with which the events end. */
export const logfireOutputMessages =
  (key: string) =>
  (view: AttributeView): Message[] | undefined => {
    const events = eventsAt(view, key);
    return events && readAll(events.slice(answerStart(events)));
  };

/** Reads the input of OpenAI's Responses API: a text, or messages and other items. */
export const logfireRawInput = (view: AttributeView): Message[] | undefined =>
  messagesOrText(parsedOfKey(view, 'raw_input'), 'user');

/** Reads the request to a model, if it has messages. */
export const logfireRequestMessages = messagesAt('request_data');

/** Reads the response of a model: `{ message }` or the text of a stream, `{ combined_chunk_content }`. */
export function logfireResponseMessages(view: AttributeView): Message[] | undefined {
  const response = parsedOfKey(view, 'response_data');
  if (!isObject(response)) return undefined;
  const text = textMember(response, 'combined_chunk_content', 'text');
  const message = objectMember(response, 'message');
  if (message) return readChatMessages({ role: 'assistant', ...message });
  return text === undefined ? undefined : [{ role: 'assistant', parts: [{ type: 'text', text }] }];
}

function eventsAt(view: AttributeView, key: string): JsonObject[] | undefined {
  const events = parsedOfKey(view, key);
  if (!Array.isArray(events) || events.length === 0 || !events.every(isJsonObject)) return undefined;
  return events.some((event) => memberOf(event, 'event.name', 'role') !== undefined) ? events : undefined;
}

function answerStart(events: readonly JsonObject[]): number {
  const choice = events.findIndex((event) => event['event.name'] === CHOICE);
  if (choice >= 0) return choice;
  return events.findLastIndex((event) => textMember(event, 'role') !== 'assistant') + 1;
}

function readAll(events: readonly JsonObject[]): Message[] | undefined {
  const messages = events.flatMap((event) => {
    const message = objectMember(event, 'message') ?? event;
    return readChatMessages({ role: 'assistant', ...message }) ?? [];
  });
  return messages.length > 0 ? messages : undefined;
}
