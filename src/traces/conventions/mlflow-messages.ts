import { readChatMessages } from './chat-messages.ts';
import { readToolDefinitions } from './gen-ai-messages.ts';
import type { Message, ToolDefinition } from './message.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the inputs of a call, the JSON of its arguments, if they contain messages. */
export function mlflowInputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'mlflow.spanInputs') ?? null);
}

/** Reads the outputs of a call, the JSON of its result, if they contain messages. */
export function mlflowOutputMessages(view: AttributeView): Message[] | undefined {
  return readChatMessages(parsedOfKey(view, 'mlflow.spanOutputs') ?? null);
}

/** Reads `mlflow.chat.tools`. */
export function mlflowToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  const tools = parsedOfKey(view, 'mlflow.chat.tools');
  return tools === undefined ? undefined : readToolDefinitions(tools);
}
