import type { SpanDetail } from '../../api/generated/schema.ts';
import type { ShownMessage, ShownPart, ShownToolCall } from './span/message.ts';

/** Part of a span that a command is made of. */
type ModelCall = Pick<SpanDetail, 'mapped'>;

/**
 * Writes the model call of a span as a command with curl, in the form of the API that most providers understand. Throws when the
 * span is no model call with messages.
 */
export function modelCallAsCurl({ mapped: { fields } }: ModelCall): string {
  const valueOf = (field: string): unknown => fields[field]?.value;
  const messages = valueOf('inputMessages');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error('The span is no model call with messages.');
  const parameters = valueOf('parameters');
  const body = {
    model: valueOf('model') ?? 'MODEL',
    messages: (messages as ShownMessage[]).flatMap(asRequested),
    ...(typeof parameters === 'object' && parameters !== null && parameters),
    ...(valueOf('toolDefinitions') !== undefined && { tools: valueOf('toolDefinitions') }),
  };
  return [
    'curl https://api.openai.com/v1/chat/completions',
    '-H "authorization: Bearer $OPENAI_API_KEY"',
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function asRequested({ role, parts }: ShownMessage): object[] {
  const results = parts.filter((part) => part.type === 'tool_result');
  if (results.length > 0)
    return results.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: textOf(result) }));
  const calls = parts.filter((part): part is ShownToolCall => part.type === 'tool_call');
  const content = parts.flatMap(contentOf);
  return [
    {
      role,
      content: content.length === 0 ? null : content.join('\n'),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, arguments: given }) => ({
          id,
          type: 'function',
          function: { name, arguments: textOf(given) },
        })),
      }),
    },
  ];
}

function contentOf(part: ShownPart): string[] {
  if (part.type === 'text') return [part.text];
  return part.type === 'tool_call' || part.type === 'reasoning' ? [] : [`[${part.type}]`];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
