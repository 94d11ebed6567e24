/** Messages as the server describes them in `mapped.fields`; it checked them when it mapped the span. */
export interface ShownMessage {
  role: string;
  name?: string;
  parts: ShownPart[];
  finishReason?: string;
}

export type ShownPart =
  | { type: 'text' | 'reasoning'; text: string }
  | ShownToolCall
  | ToolResult
  | MediaPart
  | { type: 'other'; value: unknown };

export interface ShownToolCall {
  type: 'tool_call';
  id?: string;
  name: string;
  arguments: unknown;
}

export interface ToolResult {
  type: 'tool_result';
  id?: string;
  name?: string;
  result: unknown;
}

export interface MediaPart {
  type: 'image' | 'audio' | 'video' | 'file';
  uri?: string;
  fileId?: string;
  mimeType?: string;
  size?: number;
  mediaIndex?: number;
}

export interface ShownDocument {
  id?: string;
  content?: string;
  score?: number;
  metadata?: unknown;
}

/** A message whose tool calls have their results, where they follow later in the conversation. */
export interface MessageWithResults {
  message: ShownMessage;
  results: ReadonlyMap<ShownToolCall, ToolResult>;
}

/**
 * Pairs the tool calls of a conversation with their results: by id, and calls without one by name in order. Messages that
 * hold nothing but paired results are left out.
 */
export function pairTools(messages: readonly ShownMessage[]): MessageWithResults[] {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
  const paired = new Set<ToolResult>();
  const turns = messages.map((message) => {
    const found = new Map<ShownToolCall, ToolResult>();
    for (const call of message.parts.filter((part) => part.type === 'tool_call')) {
      const result = results.find((one) => !paired.has(one) && belongTogether(call, one));
      if (result === undefined) continue;
      paired.add(result);
      found.set(call, result);
    }
    return { message, results: found };
  });
  return turns
    .map(({ message, results: found }) => ({
      message: {
        ...message,
        parts: message.parts.filter((part) => part.type !== 'tool_result' || !paired.has(part)),
      },
      results: found,
    }))
    .filter(({ message }, at) => message.parts.length > 0 || messages[at]?.parts.length === 0);
}

const belongTogether = (call: ShownToolCall, result: ToolResult): boolean =>
  call.id === undefined || result.id === undefined ? call.name === result.name : call.id === result.id;

/** Returns the place of the first message that is shown at once: the last one of the user, or the last of all. */
export function lastTurn(turns: readonly MessageWithResults[]): number {
  const ofUser = turns.findLastIndex(({ message }) => message.role === 'user');
  return ofUser === -1 ? Math.max(0, turns.length - 1) : ofUser;
}
