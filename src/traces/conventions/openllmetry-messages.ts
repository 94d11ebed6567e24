import type { JsonValue } from '../span-wire.ts';
import { readChatMessages } from './chat-messages.ts';
import { jsonText, parseJson } from './json.ts';
import { defined } from './members.ts';
import type { Message, ToolDefinition } from './message.ts';
import { readPart } from './message-parts.ts';
import { type AttributeView, elements, parsedOfKey, textOfKey, under } from './span-view.ts';

/** Pattern of the keys of messages. Prompts of completions APIs have a key of their own, `user`. */
const KEY =
  /^(role|content|user|reasoning|reasoning_content|refusal|tool_call_id|finish_reason|function_call|(tool_calls|function_call)\..*)$/;

/** Reads `gen_ai.prompt.N.*`, in old versions `llm.prompts.N.*`. */
export function openLlmetryInputMessages(view: AttributeView): Message[] | undefined {
  return messages(view, 'gen_ai.prompt.', 'user') ?? messages(view, 'llm.prompts.', 'user');
}

/** Reads `gen_ai.completion.N.*`, in old versions `llm.completions.N.*`. */
export function openLlmetryOutputMessages(view: AttributeView): Message[] | undefined {
  return messages(view, 'gen_ai.completion.', 'assistant') ?? messages(view, 'llm.completions.', 'assistant');
}

/** Reads `llm.request.functions.N.*`, where the schema has the name from the provider's API. */
export function openLlmetryToolDefinitions(view: AttributeView): ToolDefinition[] | undefined {
  const tools = elements(view, 'llm.request.functions.').flatMap((tool): ToolDefinition[] => {
    const name = textOfKey(tool, 'name');
    if (name === undefined) return [];
    const more = defined<Omit<ToolDefinition, 'name'>>({
      description: textOfKey(tool, 'description'),
      parameters:
        parsedOfKey(tool, 'parameters') ??
        parsedOfKey(tool, 'arguments') ??
        parsedOfKey(tool, 'input_schema'),
    });
    return [{ name, ...more }];
  });
  return tools.length === 0 ? undefined : tools;
}

function messages(view: AttributeView, prefix: string, defaultRole: string): Message[] | undefined {
  const found = elements(view, prefix).flatMap((element) => readElement(element, defaultRole));
  return found.length === 0 ? undefined : found;
}

/** Reads one flattened message, restored to the form of OpenAI's API. */
function readElement(view: AttributeView, defaultRole: string): Message[] {
  const sent = Object.fromEntries(under(view, ''));
  if (!Object.keys(sent).some((key) => KEY.test(key))) return [];
  // Anthropic's thinking blocks are written as messages with a role of that name.
  const isThinking = sent['role'] === 'thinking';
  // The content of an assistant message with only tool calls is empty and written as the JSON of null.
  const isNothing = sent['role'] === 'assistant' && sent['content'] === 'null';
  const content = isNothing ? null : (sent['content'] ?? sent['user'] ?? null);
  const reasoning = isThinking ? content : (sent['reasoning'] ?? sent['reasoning_content'] ?? null);
  const message = {
    ...sent,
    role: isThinking ? 'assistant' : (textOfKey(view, 'role') ?? defaultRole),
    content: isThinking ? null : content,
    reasoning_content: reasoning === null ? null : reasoningText(reasoning),
    tool_calls: elements(view, 'tool_calls.').map((call) => Object.fromEntries(under(call, ''))),
    function_call: Object.hasOwn(sent, 'function_call.name')
      ? Object.fromEntries(under(view, 'function_call.'))
      : (parsedOfKey(view, 'function_call') ?? null),
  };
  return readChatMessages([message]) ?? [];
}

/** Returns a text, or joins the summaries of OpenAI's Responses API: `[{ type: 'summary_text', text }]`. */
function reasoningText(reasoning: JsonValue): string {
  const summary = typeof reasoning === 'string' ? parseJson(reasoning) : reasoning;
  const part = readPart({ type: 'reasoning', summary });
  return part.type === 'reasoning' ? part.text : jsonText(reasoning);
}
