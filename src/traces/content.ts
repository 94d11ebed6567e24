import { argumentsOfCall, callArguments } from './conventions/call-arguments.ts';
import { readChatMessages } from './conventions/chat-messages.ts';
import { parseJson } from './conventions/json.ts';
import { type Message, textOfMessages } from './conventions/message.ts';
import type { SpanView } from './conventions/span-view.ts';
import { compose, COMPOSED_TEXTS } from './conventions/sources.ts';
import { withSystem } from './conventions/gen-ai-messages.ts';
import type { SpanMapping } from './mapping.ts';
import { OWN_VOCABULARY } from './own-rules/own-rule.ts';
import { SPAN_KINDS, type ObservationKind } from './span-kinds.ts';
import type { JsonValue } from './span-wire.ts';

export type Side = 'input' | 'output';

/** A mapped value, and its source. */
export interface Given<T = JsonValue> {
  value: T;
  vocabulary: string;
  /** Key of the attribute or of the rule: `llm.input_messages.#`. */
  from: string;
}

/** Returns the messages of one side of a model call. */
export function messagesOf(mapping: SpanMapping, view: SpanView, side: Side): Given<Message[]> | null {
  if (!mapping.has(`${side}Messages`)) return null;
  const messages = compose(view, `${side}Messages`);
  if (messages === null || side === 'output' || !mapping.has('systemInstructions')) return messages;
  const instructions = compose(view, 'systemInstructions');
  return instructions === null
    ? messages
    : { ...messages, value: withSystem(messages.value, instructions.value) };
}

const LLM = SPAN_KINDS.indexOf('LLM' satisfies ObservationKind);
const TOOL = SPAN_KINDS.indexOf('TOOL' satisfies ObservationKind);

/**
 * Returns the input or output of a span as its sender reported it. If that consists of messages, or belongs to a model
 * call with known messages, which may be its raw request or response or a rendering of them (`assistant: Hello`),
 * returns the text that a person would read.
 */
export function contentOf(mapping: SpanMapping, view: SpanView, side: Side): Given | null {
  const said = saidOf(mapping, view, side);
  const isText = typeof said?.value !== 'object';
  // The value of a native event, or of an own rule, is used unchanged.
  const isGiven = mapping.has('event') || (isText && said?.vocabulary === OWN_VOCABULARY);
  if (said !== null && (isGiven || (isText && mapping.kind !== LLM))) return said;
  const messages = messagesOf(mapping, view, side);
  // Some senders have the roles of messages alone.
  const isEmpty = said !== null && messages?.value.every(({ parts }) => parts.length === 0) === true;
  if (messages !== null && !isEmpty) {
    const value = mapping.kind === TOOL ? ofTool(messages.value, side) : readable(messages.value, side);
    return { ...messages, value };
  }
  const chat = said && readChatMessages(said.value);
  if (said && chat) return { ...said, value: readable(chat, side) };
  if (said !== null || side === 'input') return said;
  if (mapping.kind === TOOL) return resultAmongInput(mapping, view);
  if (!mapping.has('documents')) return null;
  return compose(view, 'documents') as Given | null;
}

/** Returns the result of a tool that its span reports as a message after that of the call. */
function resultAmongInput(mapping: SpanMapping, view: SpanView): Given | null {
  const messages = messagesOf(mapping, view, 'input');
  const parts = messages?.value.flatMap((message) => message.parts) ?? [];
  const result = parts.findLast(({ type }) => type === 'tool_result');
  const isAfterCall = parts.some(({ type }) => type === 'tool_call');
  return messages && isAfterCall && result?.type === 'tool_result'
    ? { ...messages, value: result.result }
    : null;
}

/** Returns why the model stopped: as reported for the call, else as its messages have it. */
export function finishReasonsOf(mapping: SpanMapping, view: SpanView): Given | null {
  const rule = mapping.ruleOf('finishReasons');
  const value = mapping.json('finishReasons');
  if (rule && value !== null) return { value, vocabulary: rule.vocabulary, from: rule.key };
  const messages = messagesOf(mapping, view, 'output');
  const reasons = messages?.value.flatMap(({ finishReason }) => finishReason ?? []) ?? [];
  return messages && reasons.length > 0 ? { ...messages, value: reasons } : null;
}

/** Returns the input or output of the complete trace as one span reports it. */
export function traceContentOf(mapping: SpanMapping, side: Side): JsonValue {
  return mapping.json(side === 'input' ? 'traceInput' : 'traceOutput');
}

function saidOf(mapping: SpanMapping, view: SpanView, side: Side): Given | null {
  const rule = mapping.ruleOf(side);
  if (rule === null) return null;
  const { vocabulary, key: from } = rule;
  // Values below the prefix of an open rule are not used: without texts they are vectors.
  const isOwn = vocabulary === OWN_VOCABULARY;
  const value =
    (isOwn ? undefined : COMPOSED_TEXTS[side][from]?.(view)) ?? (rule.isOpen ? null : mapping.value(side));
  if (value === null) return null;
  const isJson =
    rule.json ?? (mapping.kind === TOOL || mapping.text(`${side}MimeType`) === 'application/json');
  const given = isJson && typeof value === 'string' ? parseText(value) : value;
  const isSentCall = side === 'input' && !mapping.has('event');
  const plain = isSentCall ? callArguments(given) : given;
  const content = isSentCall && plain !== undefined && mapping.kind === TOOL ? argumentsOfCall(plain) : plain;
  return content === undefined ? null : { value: content, vocabulary, from };
}

/** Parses a text that is the JSON of an object, a list or one text. */
function parseText(text: string): JsonValue {
  if (!/^\s*"/.test(text)) return parseJson(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/**
 * Returns the arguments or the result of a tool that its span reports as messages. Some senders write the arguments as the
 * message of a tool.
 */
function ofTool(messages: readonly Message[], side: Side): JsonValue {
  const parts = messages.flatMap((message) => message.parts);
  const of = (type: 'tool_call' | 'tool_result'): JsonValue | undefined => {
    const part = parts.findLast((found) => found.type === type);
    return part?.type === 'tool_call'
      ? part.arguments
      : part?.type === 'tool_result'
        ? part.result
        : undefined;
  };
  const value =
    side === 'input' ? (of('tool_call') ?? of('tool_result')) : (of('tool_result') ?? of('tool_call'));
  if (value !== undefined) return side === 'input' ? argumentsOfCall(value) : value;
  const other = parts.find((part) => part.type === 'other');
  if (other?.type === 'other' && parts.length === 1) return callArguments(other.value) ?? other.value;
  const said = readable(messages, side);
  return typeof said === 'string' ? parseText(said) : said;
}

/**
 * Returns the user's last message, or the model's response, or the result of a tool; the messages themselves when that
 * is not text.
 */
function readable(messages: readonly Message[], side: Side): JsonValue {
  const shown = side === 'input' ? lastOf(messages, 'user') : lastOf(messages, 'assistant');
  const text = textOfMessages(shown);
  const [part, ...more] = shown.flatMap(({ parts }) => parts);
  if (side === 'output' && part?.type === 'tool_result' && more.length === 0) return part.result;
  return text === '' ? (shown as unknown as JsonValue) : text;
}

/**
 * Returns the last consecutive messages of a role that say something: words or media, but not only results of tools.
 * Without one, all messages but the instructions.
 */
function lastOf(messages: readonly Message[], role: string): readonly Message[] {
  const isSaid = ({ parts }: Message): boolean =>
    parts.some((part) => (part.type === 'text' ? part.text !== '' : !PARTS_OF_TOOLS.has(part.type)));
  const end = messages.findLastIndex((message) => message.role === role && isSaid(message)) + 1;
  const start = messages.findLastIndex((message, index) => index < end && message.role !== role) + 1;
  if (end > 0) return messages.slice(start, end);
  const others = messages.filter((message) => message.role !== 'system' && message.role !== 'developer');
  return others.length > 0 ? others : messages;
}

const PARTS_OF_TOOLS: ReadonlySet<string> = new Set(['tool_call', 'tool_result', 'reasoning']);
