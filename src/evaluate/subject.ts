import type { ObservationKind } from '../traces/span-kinds.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/**
 * Subject of an evaluation: a test, or a trace without a test. All of it is untrusted: evaluators treat it as data,
 * never as instructions.
 */
export interface Subject {
  /** Input of the test or the trace; null when no span reports it. */
  input: JsonValue;
  output: JsonValue;
  /** Passages returned by retrievers and rerankers, in order of their spans, without repeated texts. */
  documents: readonly SubjectDocument[];
  /**
   * Turns of the test, or of the session up to the trace, earliest first. Empty for a trace without a session, and unless an
   * evaluator reads them.
   */
  turns: readonly ConversationTurn[];
  /** Tool calls in order of their start. */
  toolCalls: readonly ToolCall[];
  /** Spans of the app in order of their start, without those of the service's deliveries. */
  spans: readonly SpanFact[];
  /** Milliseconds from the start of the first span to the end of the last; null without spans. */
  latencyMs: number | null;
  /** Input, output and total tokens; nested reports of the same use count once. */
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
  /** Cost in US dollars; null when no span reports any. */
  cost: number | null;
  /** True if the subject has more spans or texts than were read. */
  isTruncated: boolean;
}

/** Input and output of one trace of a conversation. */
export interface ConversationTurn {
  input: JsonValue;
  output: JsonValue;
}

export interface SubjectDocument {
  id: string | null;
  content: string;
  score: number | null;
}

export interface ToolCall {
  name: string;
  arguments: JsonValue;
  result: JsonValue;
  isError: boolean;
}

export interface SpanFact {
  name: string;
  kind: ObservationKind;
  model: string | null;
  durationMs: number;
  isError: boolean;
}

/** Converts a value to text: text unchanged, null for absent values, JSON for everything else. */
export const textOf = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
