import { isObject } from '../../contract/is-object.ts';
import { readChatMessages } from './chat-messages.ts';
import { objectMember } from './members.ts';
import type { Message } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads a request to Gemini, whose instructions are part of its configuration. */
export function googleAdkInputMessages(view: AttributeView): Message[] | undefined {
  const request = parsedOfKey(view, 'gcp.vertex.agent.llm_request');
  if (!isObject(request)) return undefined;
  const { system_instruction: system = null } = objectMember(request, 'config') ?? {};
  return readChatMessages(system === null ? request : { ...request, system_instruction: system });
}

/** Reads the response of Gemini, which has the fields of one candidate. */
export function googleAdkOutputMessages(view: AttributeView): Message[] | undefined {
  const response = parsedOfKey(view, 'gcp.vertex.agent.llm_response');
  return isObject(response) ? readChatMessages({ candidates: [response] }) : undefined;
}
