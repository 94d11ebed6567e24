import { doubledCalls, hasSeveralScopes, type ReportedCall } from './doubled-calls.ts';
import type { SpanMapping } from './mapping.ts';
import { calculate } from './prices/calculation.ts';
import type { PriceList } from './prices/price-list.ts';
import { reportedUsage, unreadableCounts } from './reported-usage.ts';
import { sentCost } from './sent-cost.ts';
import { NO_SUMS, SpanFlag, type SkeletonSpan, type SpanSums } from './span.ts';

const NOTHING = { sums: NO_SUMS, flags: 0 } as const;

/**
 * Reads the usage that a span reports, and its bits of SpanFlag. `model` and `provider` are those of the mapping, and `start` is
 * the time whose prices apply, in Unix nanoseconds.
 */
export function readSums(
  mapping: SpanMapping,
  prices: PriceList,
  { model, provider, start }: { model: string | null; provider: string | null; start: bigint },
): { sums: Readonly<SpanSums>; flags: number } {
  if (!mapping.hasUsage) return NOTHING;
  const usage = reportedUsage(mapping);
  const { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } =
    usage;
  const sent = sentCost(mapping);
  let cost = sent?.cost ?? 0;
  let flags = (usage.isOdd ? SpanFlag.oddTokens : 0) | (sent ? SpanFlag.costKnown : 0);
  if (totalTokens === 0 && cost === 0) return { sums: NO_SUMS, flags };

  // The cost of a total alone is unknown: input and output have different prices.
  const isPriced = inputTokens + outputTokens > 0 && usage.rest === 0;
  if (!sent && isPriced && unreadableCounts(mapping).length === 0) {
    const found = model === null ? null : prices.find(model, provider, Number(start / 1_000_000n));
    const calculated = found && calculate(usage, found.price, found.name, mapping.name('serviceTier'));
    if (calculated !== null && typeof calculated === 'object') {
      cost = calculated.cost;
      flags |= SpanFlag.costEstimated | SpanFlag.costKnown;
    }
  }
  const tokens = { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens };
  return { sums: { ...tokens, reasoningTokens, cost }, flags };
}

/** Returns the usage that a span adds to its trace, without usage that other spans report. */
export function countedSums(span: SpanSums & { flags: number }): Readonly<SpanSums> {
  const isTokensBelow = (span.flags & SpanFlag.tokensBelow) !== 0;
  const isCostBelow = (span.flags & SpanFlag.costBelow) !== 0;
  if (!isTokensBelow && !isCostBelow) return span;
  const { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } =
    isTokensBelow ? NO_SUMS : span;
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    cost: isCostBelow ? 0 : span.cost,
  };
}

/** Reports whether a span, or a set of spans, used a model. */
export function hasSums({ totalTokens, cost }: Readonly<SpanSums>): boolean {
  return totalTokens > 0 || cost > 0;
}

/** Adds `sums` to `total`, or subtracts them with −1. */
export function addSums(total: SpanSums, sums: Readonly<SpanSums>, times: 1 | -1 = 1): void {
  total.inputTokens += times * sums.inputTokens;
  total.outputTokens += times * sums.outputTokens;
  total.totalTokens += times * sums.totalTokens;
  total.cacheReadTokens += times * sums.cacheReadTokens;
  total.cacheWriteTokens += times * sums.cacheWriteTokens;
  total.reasoningTokens += times * sums.reasoningTokens;
  total.cost += times * sums.cost;
}

type Reporting = Pick<
  SkeletonSpan,
  keyof SpanSums | 'flags' | 'scopeHash' | 'responseHash' | 'start' | 'end' | 'model' | 'parentId'
>;

/**
 * Marks spans whose usage other spans report: frameworks report the usage of a model call on the call and, summed up,
 * on the agent around it, and two instrumentations may report the same call. `parents` contains the index of each
 * span's parent, or -1.
 */
export function markReportedElsewhere(spans: readonly Reporting[], parents: readonly number[]): void {
  markAbove(spans, parents, ({ totalTokens }) => totalTokens > 0, SpanFlag.tokensBelow);
  markAbove(spans, parents, ({ cost }) => cost > 0, SpanFlag.costBelow);
  const calls = spans.filter((span) => hasSums(span) && !(span.flags & REPORTED_ELSEWHERE));
  if (!hasSeveralScopes(calls.map(({ scopeHash }) => scopeHash))) return;
  for (const index of doubledCalls(calls.map(reportedCall)))
    (calls[index] as Reporting).flags |= REPORTED_ELSEWHERE;
}

const REPORTED_ELSEWHERE = SpanFlag.tokensBelow | SpanFlag.costBelow;

const reportedCall = (span: Reporting): ReportedCall => ({
  ...span,
  parent: span.parentId ?? '',
  isCostSent: (span.flags & SpanFlag.costKnown) !== 0 && !(span.flags & SpanFlag.costEstimated),
});

/** Marks ancestors. Each span is marked once, so the total time is linear, and loops of parents end. */
function markAbove(
  spans: readonly Reporting[],
  parents: readonly number[],
  reports: (span: SpanSums) => boolean,
  flag: number,
): void {
  for (const span of spans) span.flags &= ~flag;
  for (const [index, span] of spans.entries()) {
    if (!reports(span)) continue;
    for (let at = parents[index] as number; at >= 0 && at !== index; at = parents[at] as number) {
      const above = spans[at] as { flags: number };
      if (above.flags & flag) break;
      above.flags |= flag;
    }
  }
}
