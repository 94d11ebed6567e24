import type { JsonValue } from '../span-wire.ts';
import { readDocument } from './gen-ai-documents.ts';
import { isObject } from '../../contract/is-object.ts';
import type { RetrievedDocument } from './message.ts';
import { messagesAt } from './messages-at.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the input of a LangSmith run, whose attribute is the JSON of any inputs, if it consists of messages. */
export const langsmithInputMessages = messagesAt('gen_ai.prompt');

/** Reads the output of a LangSmith run if it consists of messages. */
export const langsmithOutputMessages = messagesAt('gen_ai.completion');

/** Reads the documents that a retriever returned: `{ outputs: [{ page_content, metadata }] }`. */
export function langsmithDocuments(view: AttributeView): RetrievedDocument[] | undefined {
  const value = parsedOfKey(view, 'gen_ai.completion');
  const outputs = isObject(value) ? (value['outputs'] ?? value['output'] ?? value['documents']) : value;
  if (!Array.isArray(outputs) || outputs.length === 0) return undefined;
  const isDocument = (item: JsonValue): boolean => isObject(item) && typeof item['page_content'] === 'string';
  return outputs.every(isDocument) ? outputs.map(readDocument) : undefined;
}
