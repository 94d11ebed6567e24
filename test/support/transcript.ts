import type { Message, MessagePart } from '../../src/traces/conventions/message.ts';

/** Messages as a person would write them down, a line each: `assistant: (It may rain.) + get_weather({"city":"Paris"})`. */
export function transcript(messages: readonly Message[]): string[] {
  return messages.map(({ role, parts }) => `${role}: ${parts.map(partText).join(' + ')}`);
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(${part.text})`;
    case 'tool_call':
      return `${part.name}(${JSON.stringify(part.arguments)})${named(part.id)}`;
    case 'tool_result':
      return `→ ${JSON.stringify(part.result)}${named(part.id)}`;
    default:
      return JSON.stringify(part);
  }
}

const named = (id: string | undefined): string => (id === undefined ? '' : ` as ${id}`);
