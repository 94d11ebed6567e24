import { readChatMessages } from './chat-messages.ts';
import type { Message } from './message.ts';
import { readParts } from './message-parts.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Returns a reader of an attribute that may be the JSON of anything: of its messages, if it consists of messages. */
export function messagesAt(key: string): (view: AttributeView) => Message[] | undefined {
  return (view) => readChatMessages(parsedOfKey(view, key) ?? null);
}

/** Returns a reader of a list of plain texts: the last one is said by `role`, the roles of those before it are unknown. */
export function textsAt(key: string, role: string): (view: AttributeView) => Message[] | undefined {
  return (view) => {
    const list = parsedOfKey(view, key);
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const texts = list.filter((text) => typeof text === 'string');
    if (texts.length < list.length) return undefined;
    return texts.map((text, i) => ({
      role: i === texts.length - 1 ? role : '',
      parts: readParts(text),
    }));
  };
}
