import { isObject } from '../../contract/is-object.ts';
import { readChatMessages } from './chat-messages.ts';
import { readToolDefinitions } from './gen-ai-messages.ts';
import type { Message, ToolDefinition } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the answer of an agent, whose output is all of its messages. */
export const haystackAnswer = (view: AttributeView): Message[] | undefined =>
  readChatMessages(parsedOfKey(view, 'haystack.agent.output') ?? null)?.slice(-1);

/** Reads the tools of a request of an agent. */
export function haystackTools(view: AttributeView): ToolDefinition[] | undefined {
  const request = parsedOfKey(view, 'haystack.agent.step.llm.input');
  const tools = isObject(request) ? request['tools'] : undefined;
  return tools ? readToolDefinitions(tools) : undefined;
}
