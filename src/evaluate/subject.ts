import type { SpanKind } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/**
 * Subject of an evaluation: a test, or a trace without a test. All of it came from outside: it is data to every
 * evaluator, never an instruction.
 */
export interface Subject {
  /** Input of the test or the trace; null when no span has it. */
  input: JsonValue;
  output: JsonValue;
  /** Passages that retrievers and rerankers gave, in order of their spans, each text once. */
  documents: readonly RetrievedDocument[];
  /** Tool calls in order of their start. */
  toolCalls: readonly ToolCall[];
  /** The app's own spans, in order of their start; those of our deliveries are left out. */
  spans: readonly SpanFact[];
  /** Milliseconds from the start of the first span to the end of the last; null without spans. */
  latencyMs: number | null;
  /** Input, output and total tokens, each use counted once. */
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
  /** US dollars; null when no span tells of any. */
  cost: number | null;
  /** True if more spans or texts belong to it than were read. */
  isTruncated: boolean;
}

export interface RetrievedDocument {
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
  kind: SpanKind;
  model: string | null;
  durationMs: number;
  isError: boolean;
}

/** Returns a value as text: text unchanged, null for nothing, JSON for everything else. */
export const textOf = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
