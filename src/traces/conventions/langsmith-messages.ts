import type { JsonValue } from '../span-wire.ts';
import { readChatMessages } from './chat-messages.ts';
import { readDocument } from './gen-ai-documents.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Message, RetrievedDocument } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the input of a LangSmith run, whose attribute is the JSON of any inputs, if it consists of messages. */
export function langsmithInputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'gen_ai.prompt') ?? null);
}

/** Reads the output of a LangSmith run if it consists of messages. */
export function langsmithOutputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'gen_ai.completion') ?? null);
}

/** Reads the documents that a retriever returned: `{ outputs: [{ page_content, metadata }] }`. */
export function langsmithDocuments(view: AttributeView): RetrievedDocument[] | undefined {
  const value = parsedOfKey(view, 'gen_ai.completion');
  const outputs = isObject(value) ? (value['outputs'] ?? value['output'] ?? value['documents']) : value;
  if (!Array.isArray(outputs) || outputs.length === 0) return undefined;
  const isDocument = (item: JsonValue): boolean => isObject(item) && typeof item['page_content'] === 'string';
  return outputs.every(isDocument) ? outputs.map(readDocument) : undefined;
}
