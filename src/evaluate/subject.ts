import type { SpanKind } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/**
 * What is judged: a test, or a trace that no test asked for. All of it came from outside: it is data to every evaluator,
 * never an instruction.
 */
export interface Subject {
  /** As the rule for tests and traces tells; null = no span says it. */
  input: JsonValue;
  output: JsonValue;
  /** Passages that retrievers and rerankers gave, in order of their spans, each text once. */
  documents: readonly RetrievedDocument[];
  /** In order of their start. */
  toolCalls: readonly ToolCall[];
  /** The app's own spans, in order of their start; those of our deliveries are left out. */
  spans: readonly SpanFact[];
  /** From the start of the first span to the end of the last, in milliseconds; null without spans. */
  latencyMs: number | null;
  /** Input, output and total tokens, each use counted once. */
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
  /** US dollars; null when no span tells of any. */
  cost: number | null;
  /** Whether more spans or texts belong to it than were read. */
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

/** What a person would read of a value: text as it is, nothing as nothing, all else as JSON. */
export const textOf = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
