import { readChatMessages } from './chat-messages.ts';
import type { Message } from './message.ts';
import { type AttributeView, parsed } from './span-view.ts';

/** What an observation of Langfuse was given, if that is messages: any value may stand there. */
export function langfuseInputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsed(view, 'langfuse.observation.input') ?? null);
}

/** What an observation of Langfuse gave, if that is messages. */
export function langfuseOutputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsed(view, 'langfuse.observation.output') ?? null);
}
