import type { JsonValue } from '../span-wire.ts';
import { readChatMessages } from './chat-messages.ts';
import { readDocument } from './gen-ai-documents.ts';
import { typedValue } from './langwatch.ts';
import { readToolDefinitions } from './gen-ai-messages.ts';
import { memberOf } from './members.ts';
import type { Message, RetrievedDocument, ToolDefinition } from './message.ts';
import { isObject } from '../../contract/is-object.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

const valueAt = (view: AttributeView, key: string): JsonValue => typedValue(parsedOfKey(view, key) ?? null);

/** Reads the input of a span if it consists of messages. */
export const langwatchInputMessages = (view: AttributeView): Message[] | undefined =>
  readChatMessages(valueAt(view, 'langwatch.input'));

/** Reads the output of a span if it consists of messages. */
export const langwatchOutputMessages = (view: AttributeView): Message[] | undefined =>
  readChatMessages(valueAt(view, 'langwatch.output'));

/** Returns a reader of the documents that a search found. */
const contextsAt =
  (key: string) =>
  (view: AttributeView): RetrievedDocument[] | undefined => {
    const contexts = valueAt(view, key);
    return Array.isArray(contexts) && contexts.length > 0 ? contexts.map(readDocument) : undefined;
  };

export const langwatchDocuments = contextsAt('langwatch.contexts');
export const langwatchRagDocuments = contextsAt('langwatch.rag.contexts');

/** Reads the tools of a request among its parameters. */
export function langwatchToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  const params = valueAt(view, 'langwatch.params');
  const tools = isObject(params) ? memberOf(params, 'tools') : undefined;
  return tools === undefined ? undefined : readToolDefinitions(tools);
}
