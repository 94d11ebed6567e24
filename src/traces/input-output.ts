import { type SkeletonSpan, SpanFlag } from './span.ts';
import type { ObservationKind } from './span-kinds.ts';
import { byStart, levels, type TraceTree } from './tree.ts';

/** Kinds of spans below the root whose input and output may stand for the complete trace; those of a tool may not. */
export const KINDS_BELOW: ReadonlySet<ObservationKind> = new Set(['AGENT', 'CHAIN', 'LLM']);

/**
 * Kinds of spans whose output is never the answer of an app that reports its trace by `trace` events, even if their
 * steps have no parent.
 */
export const KINDS_OF_PARTS: ReadonlySet<ObservationKind> = new Set([
  'TOOL',
  'RETRIEVER',
  'RERANKER',
  'EMBEDDING',
  'GUARDRAIL',
  'EVALUATOR',
]);

export interface InputOutput {
  inputSpanId: string | null;
  outputSpanId: string | null;
}

/**
 * Chooses the spans whose input and output are those of the trace: `explicit` spans (native `trace` events), or spans
 * that report them for their complete trace; else the first level from the top that has any. Input and output are
 * chosen independently; of equal candidates the smaller id wins.
 */
export function chooseInputOutput(
  tree: Pick<TraceTree, 'topLevel'>,
  explicit: readonly SkeletonSpan[],
): InputOutput {
  let input = latest(explicit.filter(hasInput), 'start');
  let output = latest(explicit.filter(hasOutput), 'start');
  // The delivery span is skipped, because the app itself reports its input.
  const levelsDown = [...levels(tree, ({ flags }) => (flags & SpanFlag.delivery) !== 0)];
  const all = levelsDown.flat();
  input ??= all.filter(saysTraceInput).sort(byStart)[0];
  output ??= latest(all.filter(saysTraceOutput), 'end');
  let depth = 0;
  for (const level of levelsDown) {
    if (input !== undefined && output !== undefined) break;
    const eligible = level.filter(({ kind }) =>
      depth > 0 ? KINDS_BELOW.has(kind) : explicit.length === 0 || !KINDS_OF_PARTS.has(kind),
    );
    input ??= eligible.find(hasInput);
    output ??= latest(eligible.filter(hasOutput), 'end');
    depth++;
  }
  return { inputSpanId: input?.id ?? null, outputSpanId: output?.id ?? null };
}

function hasInput(span: SkeletonSpan): boolean {
  return (span.flags & SpanFlag.hasInput) !== 0;
}

function hasOutput(span: SkeletonSpan): boolean {
  return (span.flags & SpanFlag.hasOutput) !== 0;
}

function saysTraceInput(span: SkeletonSpan): boolean {
  return (span.flags & SpanFlag.hasTraceInput) !== 0;
}

function saysTraceOutput(span: SkeletonSpan): boolean {
  return (span.flags & SpanFlag.hasTraceOutput) !== 0;
}

function latest(spans: readonly SkeletonSpan[], time: 'start' | 'end'): SkeletonSpan | undefined {
  let best: SkeletonSpan | undefined;
  for (const span of spans) {
    const wins =
      best === undefined || span[time] > best[time] || (span[time] === best[time] && span.id < best.id);
    if (wins) best = span;
  }
  return best;
}
