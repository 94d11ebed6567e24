import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import { jsonText, parseJson } from './json.ts';
import type { Message, MessagePart } from './message.ts';
import { readToolCall } from './message-parts.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Reads the answer of a model as Sentry sent it before it used `gen_ai.output.messages`: texts, calls and an object. */
export function sentryOutputMessages(view: AttributeView): Message[] | undefined {
  const [texts, calls, objects] = ['text', 'tool_calls', 'object'].map((name) =>
    listAt(view, `gen_ai.response.${name}`),
  ) as [JsonValue[], JsonValue[], JsonValue[]];
  const parts: MessagePart[] = [
    ...[...texts, ...objects].map((said) => ({ type: 'text' as const, text: jsonText(said) })),
    ...calls.flatMap((call) => {
      const sent = typeof call === 'string' ? parseJson(call) : call;
      return (isObject(sent) && readToolCall(sent)) || [];
    }),
  ];
  return parts.length > 0 ? [{ role: 'assistant', parts }] : undefined;
}

function listAt(view: AttributeView, key: string): JsonValue[] {
  const value = parsedOfKey(view, key);
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
