import { UsageFlag } from '../../span-index/format.ts';
import { doubledCalls, hasSeveralScopes, type ReportedCall } from '../doubled-calls.ts';
import { SpanFlag } from '../span.ts';
import type { SpanColumns } from './columns.ts';

/** Nodes that have a model or usage; the functions take an index into `nodes`. */
interface UsageNodes {
  nodes: Uint32Array;
  /** Returns the entry of the columns. */
  entryOf: (i: number) => number;
  /** Returns the place in the columns of usage. */
  placeOf: (i: number) => number;
}

const REPORTED_ELSEWHERE = UsageFlag.tokensBelow | UsageFlag.costBelow;

/** Returns bits of UsageFlag for each of the nodes, as `sums.ts` marks their spans. */
export function usageFlagsOf(
  columns: SpanColumns,
  parent: Int32Array,
  { nodes, entryOf, placeOf }: UsageNodes,
): Uint8Array {
  const { usage } = columns;
  const tokensBelow = reportedBelow(parent, nodes, (i) => usage.totalTokens[placeOf(i)] as number);
  const costBelow = reportedBelow(parent, nodes, (i) => usage.cost[placeOf(i)] as number);
  const marks = Uint8Array.from(
    nodes,
    (node) => (tokensBelow[node] ? UsageFlag.tokensBelow : 0) | (costBelow[node] ? UsageFlag.costBelow : 0),
  );
  if (!hasSeveralScopes(usage.scopeHash.subarray(0, usage.count))) return marks;
  const models = columns.models.texts;
  const calls = Array.from(nodes.keys()).filter((i) => {
    const place = placeOf(i);
    const isUsed = (usage.totalTokens[place] as number) > 0 || (usage.cost[place] as number) > 0;
    return isUsed && marks[i] === 0;
  });
  for (const index of doubledCalls(calls.map((i) => reportedCall(columns, models, entryOf(i), placeOf(i)))))
    marks[calls[index] as number] = REPORTED_ELSEWHERE;
  return marks;
}

/**
 * Marks the nodes above those that report something: frameworks give the usage of a model call on the call and, summed up,
 * on the agent around it. `reports` has an amount for each of `nodes`. Each node is visited once, so that the walk upwards
 * is linear in all.
 */
function reportedBelow(parent: Int32Array, nodes: Uint32Array, reports: (i: number) => number): Uint8Array {
  const isAbove = new Uint8Array(parent.length);
  for (let i = 0; i < nodes.length; i++) {
    if (reports(i) <= 0) continue;
    for (
      let at = parent[nodes[i] as number] as number;
      at >= 0 && isAbove[at] === 0;
      at = parent[at] as number
    )
      isAbove[at] = 1;
  }
  return isAbove;
}

function reportedCall(
  columns: SpanColumns,
  models: readonly string[],
  entry: number,
  place: number,
): ReportedCall {
  const { usage, flags, parentHigh, parentLow, startHigh, startLow, endHigh, endLow } = columns;
  const long = (high: Uint32Array, low: Uint32Array): bigint =>
    (BigInt(high[entry] as number) << 32n) | BigInt(low[entry] as number);
  const model = usage.model[place] as number;
  const ofSpan = flags[entry] as number;
  return {
    scopeHash: usage.scopeHash[place] as number,
    responseHash: usage.responseHash[place] as number,
    parent: String(long(parentHigh, parentLow)),
    start: long(startHigh, startLow),
    end: long(endHigh, endLow),
    model: model === 0 ? null : (models[model - 1] ?? null),
    inputTokens: usage.inputTokens[place] as number,
    outputTokens: usage.outputTokens[place] as number,
    totalTokens: usage.totalTokens[place] as number,
    cost: usage.cost[place] as number,
    isCostSent: (ofSpan & SpanFlag.costKnown) !== 0 && !(ofSpan & SpanFlag.costEstimated),
  };
}
