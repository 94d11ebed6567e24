import { readToolDefinitions } from './gen-ai-messages.ts';
import type { ToolDefinition } from './message.ts';
import { messagesAt } from './messages-at.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the inputs of a call, the JSON of its arguments, if they contain messages. */
export const mlflowInputMessages = messagesAt('mlflow.spanInputs');

/** Reads the outputs of a call, the JSON of its result, if they contain messages. */
export const mlflowOutputMessages = messagesAt('mlflow.spanOutputs');

/** Reads `mlflow.chat.tools`. */
export function mlflowToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  const tools = parsedOfKey(view, 'mlflow.chat.tools');
  return tools === undefined ? undefined : readToolDefinitions(tools);
}
