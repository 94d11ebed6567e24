import type { SpanIndex } from '../../../span-index/reader.ts';

/** Steps that a transcript shows at most between the question and the answer. */
const MAX_STEPS = 60;

const KINDS_OF_STEPS: ReadonlySet<string> = new Set(['TOOL', 'RETRIEVER', 'RERANKER', 'GUARDRAIL']);

/**
 * Returns the row of the span that gave the answer: the model call that ended last below the span with the output of the
 * trace; without one, that span; -1 when no span has an output.
 */
export function answerRow(index: SpanIndex): number {
  const { outputSpanId } = index.header;
  const output = outputSpanId === null ? -1 : index.rowOf(outputSpanId);
  if (output === -1) return -1;
  let answer = -1;
  for (let row = output; row < index.subtreeEnd(output); row++)
    if (index.kind(row) === 'LLM' && (answer === -1 || index.end(row) >= index.end(answer))) answer = row;
  return answer === -1 ? output : answer;
}

/** Returns the rows of the tools, searches and guards of the trace in the order in which they began, the latest ones if there are many. */
export function stepRows(index: SpanIndex): number[] {
  const rows: number[] = [];
  for (let row = 0; row < index.rows; row++)
    if (!index.isPlaceholder(row) && KINDS_OF_STEPS.has(index.kind(row))) rows.push(row);
  return rows.toSorted((a, b) => index.start(a) - index.start(b)).slice(-MAX_STEPS);
}
