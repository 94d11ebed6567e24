import { dollars } from './format.ts';
import type { SpanMapping } from './mapping.ts';
import { calculate, type CostPartName, type TokenUsage } from './prices/calculation.ts';
import type { FoundPrice, PriceList } from './prices/price-list.ts';
import { PRICES_DATE } from './prices/table.ts';
import type { Field } from './conventions/rule.ts';
import { type ReportedUsage, reportedUsage, unreadableCounts } from './reported-usage.ts';
import { sentCost } from './sent-cost.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { hasSums } from './sums.ts';

/** A cost as a calculation: what was counted, its price, and where each number came from. */
export interface CostExplanation {
  /** `reported`: the sender sent the cost. `unknown`: it cannot be calculated, which `notes` explain. */
  basis: 'reported' | 'calculated' | 'unknown';
  certainty: 'high' | 'medium' | 'low';
  /** Cost in US dollars: the sum of `parts`, or what the sender sent. */
  cost: number | null;
  parts: {
    part: CostPartName;
    quantity: number;
    /** US dollars per million tokens, with the factor of the tier. */
    pricePerMillion: number;
    cost: number;
    /** Key of the attribute with the number. */
    from: string;
  }[];
  /** Price of the table; null when there is none. */
  price: { name: string; source: FoundPrice['source']; validFrom: string | null } | null;
  /** Service tier; `from` is the key of the attribute that names it. */
  tier: { name: string; from: string | null; factor: number | null } | null;
  /** Threshold of input tokens that the call exceeded, and by which its price is another. */
  above: number | null;
  /** Sentences on what the cost depends on. */
  notes: string[];
}

/** Fields whose numbers a part is made from; the first one that was sent is shown. */
const FIELDS_OF: Readonly<Record<CostPartName, readonly Field[]>> = {
  input: ['inputTokens', 'totalTokens'],
  cacheRead: ['cacheReadTokens'],
  cacheWrite: ['cacheWriteTokens'],
  cacheWriteHour: ['cacheWriteHourTokens'],
  audioInput: ['audioInputTokens'],
  audioCacheRead: ['audioCacheReadTokens'],
  output: ['outputTokens', 'totalTokens'],
  audioOutput: ['audioOutputTokens'],
};

/** Explains the cost of a span; null if it reports no usage. `mapping` belongs to the same span. */
export function explainCost(
  span: SkeletonSpan,
  mapping: SpanMapping,
  prices: PriceList,
): CostExplanation | null {
  const sent = sentCost(mapping);
  const model = mapping.name('model');
  const unreadable = unreadableCounts(mapping);
  if (!sent && !hasSums(span) && (unreadable.length === 0 || model === null)) return null;
  const reported = reportedUsage(mapping);
  const tierKey = mapping.ruleOf('serviceTier')?.key ?? null;
  const tierName = mapping.name('serviceTier');
  const base = { parts: [], price: null, tier: null, above: null, notes: notesOf(span, mapping, reported) };
  if (sent) {
    const notes = [`the sender sent the cost as ${sent.keys.join(' and ')}`, ...base.notes];
    return { ...base, basis: 'reported', certainty: 'high', cost: dollars(sent.cost), notes };
  }
  const unknown = (...reasons: string[]): CostExplanation => ({
    ...base,
    basis: 'unknown',
    certainty: 'low',
    cost: null,
    notes: [...reasons, ...base.notes],
  });
  if (unreadable.length > 0)
    return unknown(...unreadable.map((key) => `the value of ${key} is not a number of tokens`));
  if (span.inputTokens + span.outputTokens === 0)
    return unknown('only the total of tokens was sent; input and output have different prices');
  if (reported.rest > 0)
    return unknown(`the total has ${reported.rest} tokens that are neither input nor output`);
  if (model === null) return unknown('no model was sent');
  const found = prices.find(model, mapping.name('provider'), Number(span.start / 1_000_000n));
  if (!found) return unknown(`no table has a price of ${model}`);
  const usage = { ...reported, ...tokensOfSpan(span) };
  const calculated = calculate(usage, found.price, found.name, tierName);
  const price = { name: found.name, source: found.source, validFrom: found.price.from ?? null };
  if (calculated === 'tier')
    return { ...unknown(`the price of ${found.name} in the tier ${tierName} is not known`), price };
  if (calculated === 'audio')
    return { ...unknown(`the price of ${found.name} has none for audio tokens`), price };
  const doubts = doubtsOf(span, calculated.cost, { model, found, tierName });
  const isOdd = (span.flags & SpanFlag.oddTokens) !== 0 || reported.isReasoningOdd;
  const isLow = isOdd || !isStored(span, calculated.cost);
  return {
    ...base,
    basis: 'calculated',
    certainty: isLow ? 'low' : doubts.length > 0 ? 'medium' : 'high',
    cost: calculated.cost,
    parts: calculated.parts.map((part) => ({ ...part, from: keyOf(part.part, mapping) })),
    price,
    tier: { name: calculated.tier, from: tierKey, factor: calculated.factor },
    above: calculated.above,
    notes: [...doubts, ...base.notes],
  };
}

const tokensOfSpan = ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: SkeletonSpan): Pick<
  TokenUsage,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
> => ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });

/** Returns the key of the attribute that a number came from; those of parts that are left over are those of the total. */
const keyOf = (part: CostPartName, mapping: SpanMapping): string =>
  FIELDS_OF[part].map((field) => mapping.ruleOf(field)?.key).find((key) => key !== undefined) ?? 'span';

function doubtsOf(
  span: SkeletonSpan,
  cost: number,
  { model, found, tierName }: { model: string; found: FoundPrice; tierName: string | null },
): string[] {
  const doubts: string[] = [];
  if (found.source === 'built-in') doubts.push(`list prices as of ${PRICES_DATE}`);
  if (found.name !== model) doubts.push(`${model} has the price of ${found.name}`);
  if (tierName === null) doubts.push('no service tier was sent: the prices of the standard tier');
  if (!isStored(span, cost))
    doubts.push(
      `stored as $${dollars(span.cost)}, calculated with other prices or rules; \`touchstone prices apply\` calculates it again`,
    );
  return doubts;
}

const isStored = (span: SkeletonSpan, cost: number): boolean =>
  Math.abs(span.cost - cost) <= Math.abs(cost) * 1e-9;

function notesOf({ flags }: SkeletonSpan, mapping: SpanMapping, reported: ReportedUsage): string[] {
  const notes: string[] = [];
  const costKey = mapping.unreadableKey('cost');
  if (costKey !== null) notes.push(`the value of ${costKey} is not a cost`);
  if (flags & SpanFlag.oddTokens)
    notes.push('more cached tokens than input tokens: counted as further input');
  if (reported.isReasoningOdd)
    notes.push('more tokens of reasoning than output tokens: counted as further output');
  if (flags & SpanFlag.costBelow) notes.push('counted on other spans');
  return notes;
}
