import { KINDS_BELOW } from '../input-output.ts';
import { SpanFlag } from '../span.ts';
import { SPAN_KINDS } from '../span-kinds.ts';
import type { SpanColumns } from './columns.ts';
import type { TreeOrder } from './tree-order.ts';

const IS_BELOW = SPAN_KINDS.map((kind) => KINDS_BELOW.has(kind));

/**
 * Returns the entry of the span whose output is that of the trace, as `chooseInputOutput` chooses it for a trace without native
 * `trace` events; -1 if no span has one.
 */
export function outputEntry(columns: SpanColumns, tree: TreeOrder): number {
  const { order, spans, depth } = tree;
  let best = -1;
  let bestLevel = Number.POSITIVE_INFINITY;
  /** True while the rows are below a top-level node that is no level of its own: a placeholder or a delivery. */
  let isBelowOther = false;
  for (const node of order) {
    const entry = node < spans.length ? (spans[node] as number) : -1;
    const flags = entry === -1 ? 0 : (columns.flags[entry] as number);
    const isOther = entry === -1 || (flags & SpanFlag.delivery) !== 0;
    if (depth[node] === 0) isBelowOther = isOther;
    if (isOther) continue;
    const below = (depth[node] as number) - (isBelowOther ? 1 : 0);
    const level = flags & SpanFlag.hasTraceOutput ? -1 : below;
    const isEligible =
      level === -1 ||
      ((flags & SpanFlag.hasOutput) !== 0 && (below === 0 || IS_BELOW[columns.kind[entry] as number]));
    if (!isEligible || level > bestLevel) continue;
    if (level === bestLevel && !endsLater(columns, entry, best)) continue;
    best = entry;
    bestLevel = level;
  }
  return best;
}

/** Reports whether an entry ends after another one; of two that end together the smaller id wins. */
function endsLater({ endHigh, endLow, idHigh, idLow }: SpanColumns, entry: number, other: number): boolean {
  for (const half of [endHigh, endLow])
    if (half[entry] !== half[other]) return (half[entry] as number) > (half[other] as number);
  for (const half of [idHigh, idLow])
    if (half[entry] !== half[other]) return (half[entry] as number) < (half[other] as number);
  return false;
}
