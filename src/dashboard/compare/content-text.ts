import type { SpanDetail } from '../../api/generated/schema.ts';
import type { ShownMessage, ShownPart } from '../trace/span/message.ts';

/** Returns the input or output of a span as text to compare: of messages, everything that they contain. */
export function contentText(span: SpanDetail | null, side: 'input' | 'output'): string {
  const valueOf = (field: string): unknown => span?.mapped.fields[field]?.value;
  const messages = valueOf(side === 'input' ? 'inputMessages' : 'outputMessages');
  if (Array.isArray(messages) && messages.length > 0)
    return (messages as ShownMessage[]).map((one) => messageText(one, messages.length > 1)).join('\n\n');
  const value = valueOf(side);
  return value === undefined ? '' : jsonText(value);
}

const messageText = ({ role, parts }: ShownMessage, namesRole: boolean): string =>
  [...(namesRole ? [`${role}:`] : []), ...parts.map(partText)].join('\n');

function partText(part: ShownPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool_call':
      return `Tool call ${part.name} ${jsonText(part.arguments)}`;
    case 'tool_result':
      return `Result ${part.name ?? part.id ?? ''} ${jsonText(part.result)}`;
    case 'other':
      return jsonText(part.value);
    default:
      return `[${part.type}] ${part.uri ?? part.fileId ?? part.mimeType ?? ''}`;
  }
}

/** Writes a value in the same form, however its sender wrote it: JSON within a text as JSON. */
function jsonText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
