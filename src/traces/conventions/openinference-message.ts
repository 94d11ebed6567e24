import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { parseJson } from './json.ts';
import { defined } from './members.ts';
import type { Message, MessagePart } from './message.ts';
import { readPart, readParts, readToolResult } from './message-parts.ts';
import { type AttributeView, elements, textOfKey, under } from './span-view.ts';

type TextPart = Extract<MessagePart, { type: 'text' }>;

/** Roles of messages that contain the result of a tool. */
const RESULT_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);
/** Placeholder for content that the sender was configured to hide. */
const HIDDEN = '__REDACTED__';

/** Reads one element of `llm.input_messages` or `llm.output_messages`; undefined if it is empty. */
export function readOpenInferenceMessage(view: AttributeView, defaultRole: string): Message | undefined {
  const sentRole = textOfKey(view, 'message.role');
  const role = sentRole ?? defaultRole;
  const isResult = RESULT_ROLES.has(role) || view.value('message.tool_call_id') !== undefined;
  const contents = elements(view, 'message.contents.').flatMap(readContent);
  const calls = callsOf(view, contents, isResult);
  const parts = isResult
    ? [...calls, ...resultParts(view, role, contents)]
    : [...spokenParts(view, contents), ...calls];
  if (sentRole === undefined && parts.length === 0) {
    const unread = Object.fromEntries(under(view, ''));
    return Object.keys(unread).length === 0 ? undefined : { role, parts: [readPart(unread)] };
  }
  const name = isResult ? undefined : textOfKey(view, 'message.name');
  return { role, ...defined<{ name: string }>({ name }), parts };
}

/** Reads the text parts. Some senders repeat one text as the content and as an element of the contents. */
function spokenParts(view: AttributeView, contents: readonly MessagePart[]): MessagePart[] {
  const content = view.value('message.content');
  const isTwice = contents.some((part) => part.type === 'text' && part.text === content);
  return isTwice ? [...contents] : [...readParts(content), ...contents];
}

/** Reads the result of a tool, and everything else in the message. */
function resultParts(view: AttributeView, role: string, contents: readonly MessagePart[]): MessagePart[] {
  const content = view.value('message.content');
  const isResult = (part: MessagePart): part is TextPart =>
    part.type === 'text' && (content === undefined ? RESULT_ROLES.has(role) : part.text === content);
  const texts = contents.filter(isResult).map((part) => part.text);
  const result = readToolResult({
    tool_call_id: view.value('message.tool_call_id') ?? null,
    name: view.value('message.name') ?? view.value('message.function_call_name') ?? null,
    content: content ?? (texts.length > 0 ? texts.join('\n') : null),
  });
  return [result, ...contents.filter((part) => !isResult(part))];
}

/** Reads tool calls that are not already among the contents, where some senders repeat them. */
function callsOf(view: AttributeView, contents: readonly MessagePart[], isResult: boolean): MessagePart[] {
  const calls = elements(view, 'message.tool_calls.').map(readCall);
  const functionName = view.value('message.function_call_name');
  // In the result of a function, the name identifies the function.
  if (functionName !== undefined && !isResult) {
    const sent = view.value('message.function_call_arguments_json') ?? null;
    calls.push(readPart({ type: 'function_call', name: functionName, arguments: sent }));
  }
  const known = new Set(contents.map(callIdentity));
  return calls.filter((call) => call.type !== 'tool_call' || !known.has(callIdentity(call)));
}

/** Reads one element of the contents of a message; an empty list if it has only a type. */
function readContent(view: AttributeView): MessagePart[] {
  if (view.value('tool_call.function.name') !== undefined) return [readCall(view)];
  const { type = 'text', text: words, ...more } = Object.fromEntries(under(view, 'message_content.'));
  if (words !== undefined) return [readTyped(type, words)];
  const media = Object.hasOwn(more, 'audio.audio.url') ? 'audio' : 'image';
  const url = more[`${media}.${media}.url`];
  if (url === HIDDEN) return [{ type: media }];
  if (url !== undefined) return [readPart({ type: media, url })];
  const mimeType = more['image.media_type'];
  if (typeof mimeType === 'string') return [{ type: 'image', mimeType }];
  return Object.keys(more).length === 0 ? [] : [readPart({ ...more, type })];
}

/** Reads a part in JSON, as senders write those that OpenInference has no type for. */
function readTyped(type: JsonValue, words: JsonValue): MessagePart {
  const part = readPart({ type, text: words });
  if (part.type !== 'other' || typeof words !== 'string') return part;
  const value = parseJson(words);
  return isObject(value) ? readPart(value) : { type: 'text', text: words };
}

function readCall(view: AttributeView): MessagePart {
  return readPart({
    type: 'tool_call',
    id: view.value('tool_call.id') ?? null,
    name: view.value('tool_call.function.name') ?? null,
    arguments: view.value('tool_call.function.arguments') ?? null,
  });
}

function callIdentity(part: MessagePart): string | undefined {
  return part.type === 'tool_call' ? (part.id ?? JSON.stringify([part.name, part.arguments])) : undefined;
}
