import type { JsonValue } from '../span-wire.ts';

/** One message of a conversation with a model, whatever vocabulary it came in. */
export interface Message {
  /** Role as sent; usually `system`, `user`, `assistant` or `tool`. */
  role: string;
  name?: string;
  parts: MessagePart[];
  finishReason?: string;
}

export type MessagePart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; id?: string; name: string; arguments: JsonValue }
  | { type: 'tool_result'; id?: string; name?: string; result: JsonValue }
  | Media
  /** A part that no rule knows, as it was sent. */
  | { type: 'other'; value: JsonValue };

/** An image or the like: where it is, never its bytes. */
export interface Media {
  type: 'image' | 'audio' | 'video' | 'file';
  /** An address outside of the trace. Bytes that were sent along stay in the span's attributes. */
  uri?: string;
  fileId?: string;
  mimeType?: string;
  /** Size of what was sent along, in bytes. */
  size?: number;
  /** Number under which a single span offers the bytes that were sent along. */
  mediaIndex?: number;
}

/** A tool the model was offered. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of its arguments. */
  parameters?: JsonValue;
}

/** Something that was retrieved. */
export interface RetrievedDocument {
  id?: string;
  content?: string;
  score?: number;
  metadata?: JsonValue;
}

/** Evaluation of an output that its sender recorded on the span. */
export interface Evaluation {
  name: string;
  score?: number;
  label?: string;
  explanation?: string;
}

/** The plain text of messages: what a person would read as the input or output. */
export function textOfMessages(messages: readonly Message[]): string {
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n');
}
