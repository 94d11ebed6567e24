import type { JsonValue } from '../span-wire.ts';

/** One message of a conversation with a model, from any vocabulary. */
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
  /** A part of unknown type, as it was sent. */
  | { type: 'other'; value: JsonValue };

/** An image or other media: its address, never its bytes. */
export interface Media {
  type: 'image' | 'audio' | 'video' | 'file';
  /** Address outside the trace. Bytes that were sent remain in the span's attributes. */
  uri?: string;
  fileId?: string;
  mimeType?: string;
  /** Size of the sent data, in bytes. */
  size?: number;
  /** Number under which the response for a single span offers the sent bytes. */
  mediaIndex?: number;
}

/** A tool that was offered to the model. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of the tool's arguments. */
  parameters?: JsonValue;
}

/** A retrieved document. */
export interface RetrievedDocument {
  id?: string;
  content?: string;
  score?: number;
  metadata?: JsonValue;
}

/** Evaluation of an output that its sender recorded on the span. */
export interface ReportedEvaluation {
  name: string;
  score?: number;
  label?: string;
  explanation?: string;
}

/** Returns the plain text of messages, as a person would read the input or output. */
export function textOfMessages(messages: readonly Message[]): string {
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n');
}
