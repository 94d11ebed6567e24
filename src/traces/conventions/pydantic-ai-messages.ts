import { readChatMessages } from './chat-messages.ts';
import type { Message } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the conversation of an agent run without the answer with which it ends. */
export function pydanticAiInputMessages(view: AttributeView): Message[] | undefined {
  const messages = allMessages(view);
  return messages && unlessEmpty(messages.slice(0, answerStart(messages)));
}

/** Reads the answer with which the conversation of an agent run ends. */
export function pydanticAiOutputMessages(view: AttributeView): Message[] | undefined {
  const messages = allMessages(view);
  return messages && unlessEmpty(messages.slice(answerStart(messages)));
}

function allMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'pydantic_ai.all_messages') ?? null);
}

function answerStart(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
}

function unlessEmpty(messages: Message[]): Message[] | undefined {
  return messages.length === 0 ? undefined : messages;
}
