import { isObject } from '../../contract/is-object.ts';
import type { Message } from './message.ts';
import { readParts, readToolCall } from './message-parts.ts';
import { type AttributeView, parsedOfKey } from './span-view.ts';

/** Returns a reader of the calls of tools in a response, with the text beside them; undefined without calls. */
export function livekitOutputMessages(prefix: string): (view: AttributeView) => Message[] | undefined {
  return (view) => {
    const sent = parsedOfKey(view, `${prefix}.function_calls`);
    const calls = Array.isArray(sent)
      ? sent.flatMap((call) => (isObject(call) ? readToolCall(call) : undefined) ?? [])
      : [];
    if (calls.length === 0) return undefined;
    return [{ role: 'assistant', parts: [...readParts(view.value(`${prefix}.text`)), ...calls] }];
  };
}
