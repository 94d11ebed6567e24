import { createContext } from 'react';
import type { ShownMessage, ShownPart } from '../span/message.ts';

/** Text of a trace that notes can quote. */
export interface NotableText {
  spanId: string;
  /** Other spans that notes on this text may name; null stands for the complete trace. */
  also: readonly (string | null)[];
  field: 'INPUT' | 'OUTPUT';
  /** The text as it was sent. */
  source: string;
  /** Place of the text in the input or output of the span; null if it is all of it. */
  base: number | null;
}

/** Span whose input and output are shown. */
export interface NotedSpan extends Pick<NotableText, 'spanId' | 'also'> {
  parts: ReadonlyMap<ShownPart, Pick<NotableText, 'field' | 'source' | 'base'>>;
}

/** Span that the parts of messages below belong to; null where notes cannot be written. */
export const NotedSpanContext = createContext<NotedSpan | null>(null);

/** Returns the text of each part of the messages of a span, and its place in all of them. A line end stands between two parts. */
export function partsOfSpan(
  input: readonly ShownMessage[],
  output: readonly ShownMessage[],
): NotedSpan['parts'] {
  const found: [ShownPart, Pick<NotableText, 'field' | 'source' | 'base'>][] = [];
  for (const [field, messages] of [
    ['INPUT', input],
    ['OUTPUT', output],
  ] as const) {
    const parts = messages.flatMap((message) => message.parts);
    let base = 0;
    for (const part of parts) {
      const source = textOfPart(part);
      found.push([part, { field, source, base: parts.length === 1 ? null : base }]);
      base += source.length + 1;
    }
  }
  return new Map(found);
}

function textOfPart(part: ShownPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool_call':
      return quotableText(part.arguments);
    case 'tool_result':
      return quotableText(part.result);
    case 'other':
      return quotableText(part.value);
    default:
      return '';
  }
}

/** Returns a value as the text that notes quote: texts as they are, others as JSON. */
export const quotableText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
