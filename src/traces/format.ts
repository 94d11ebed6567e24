import { TraceFlag } from './rollup.ts';
import { STATUS_ERROR, STATUS_OK } from './span.ts';
import type { ObservationKind } from './span-kinds.ts';

/** Rounds an amount of money to remove the noise of binary fractions. */
export function dollars(amount: number): number {
  return Number(amount.toPrecision(12));
}

/** Returns a cost in US dollars for the API; null when it is unknown, that is when it is 0 and not `isKnown`. */
export const shownCost = (cost: number, isKnown: boolean): number | null =>
  cost === 0 && !isKnown ? null : dollars(cost);

let lastSecond = Number.NaN;
let lastSecondText = '';

/** Formats Unix nanoseconds as ISO 8601 in UTC, with milliseconds, or nine digits if they are needed. */
export function formatNs(ns: bigint): string {
  const second = Number(ns / 1_000_000_000n);
  // Spans of a trace mostly share their second, whose formatting is the expensive part.
  if (second !== lastSecond) {
    lastSecond = second;
    lastSecondText = new Date(second * 1000).toISOString().slice(0, -4);
  }
  const fraction = String(ns % 1_000_000_000n).padStart(9, '0');
  return `${lastSecondText}${fraction.endsWith('000000') ? fraction.slice(0, 3) : fraction}Z`;
}

/** Returns the milliseconds between two times in nanoseconds, with their fraction. */
export function durationMs(start: bigint, end: bigint): number {
  return Number(end - start) / 1e6;
}

export function statusName(status: number): 'UNSET' | 'OK' | 'ERROR' {
  return status === STATUS_ERROR ? 'ERROR' : status === STATUS_OK ? 'OK' : 'UNSET';
}

const SHOWN_FLAGS = ['replaced', 'unpaired', 'skew', 'redacted', 'dropped', 'oddTokens', 'sample'] as const;

/** Returns the names of the flags of a trace row. */
export function flagNames(flags: number): string[] {
  return SHOWN_FLAGS.filter((name) => flags & TraceFlag[name]);
}

export type StepType =
  | 'llm'
  | 'tool'
  | 'retriever'
  | 'reranker'
  | 'embedding'
  | 'agent'
  | 'guardrail'
  | 'evaluator'
  | 'group';

const STEP_TYPES: Readonly<Partial<Record<ObservationKind, StepType>>> = {
  LLM: 'llm',
  TOOL: 'tool',
  RETRIEVER: 'retriever',
  RERANKER: 'reranker',
  EMBEDDING: 'embedding',
  AGENT: 'agent',
  GUARDRAIL: 'guardrail',
  EVALUATOR: 'evaluator',
};

/** Returns the event type of `POST /v0/ingest` as which a span of this kind is shown. */
export function stepType(kind: ObservationKind): StepType {
  return STEP_TYPES[kind] ?? 'group';
}
