import { readChatMessages } from './chat-messages.ts';
import type { Message } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the input of a Langfuse observation, which may be any value, if it consists of messages. */
export function langfuseInputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'langfuse.observation.input') ?? null);
}

/** Reads the output of a Langfuse observation if it consists of messages. */
export function langfuseOutputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'langfuse.observation.output') ?? null);
}
