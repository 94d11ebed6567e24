import type { LongPrice, ModelPrice, TokenPrice } from './model-price.ts';
import { BASE_TIER, tierFactor } from './service-tier.ts';

/** Tokens of one model call. As in OpenTelemetry, input includes tokens read from or written to a cache. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Tokens among those written that a cache keeps for an hour, not for minutes. */
  cacheWriteHourTokens?: number;
  /** Tokens among the input, among those read from a cache, and among the output that are audio. */
  audio?: { inputTokens: number; cacheReadTokens: number; outputTokens: number };
}

/** Tokens of one price. */
export const COST_PARTS = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'audioInput',
  'audioCacheRead',
  'output',
  'audioOutput',
] as const;
export type CostPartName = (typeof COST_PARTS)[number];

/** One line of a calculation: `cost` is quantity × price. */
export interface CostPart {
  part: CostPartName;
  quantity: number;
  /** Price in US dollars per million tokens, with the factor of the tier. */
  pricePerMillion: number;
  cost: number;
}

export interface Calculation {
  /** Sum of the costs of `parts`, in US dollars. */
  cost: number;
  /** Parts with at least one token. */
  parts: CostPart[];
  /** Service tier whose prices were used; `standard` for list prices. */
  tier: string;
  /** Factor by which the tier changes list prices; null if it has prices of its own. */
  factor: number | null;
  /** Threshold of input tokens above which the price is another, and was exceeded; null if none was. */
  above: number | null;
}

/** Reason why a cost cannot be calculated. */
export type NoCalculation = 'tier' | 'audio';

/**
 * Calculates the cost of a call. `name` is that of the price in its table, by which discounts of tiers are known. Counts
 * must not be negative.
 */
export function calculate(
  usage: TokenUsage,
  price: ModelPrice,
  name = '',
  tier: string | null = null,
): Calculation | NoCalculation {
  const tierName = (tier ?? '').toLowerCase();
  const own = price.tiers && Object.hasOwn(price.tiers, tierName) ? price.tiers[tierName] : undefined;
  const factor = own ?? tierFactor(name, tierName);
  if (factor === null) return 'tier';
  const isFactor = typeof factor === 'number';
  const long = isFactor ? longPrice(price.long, usage.inputTokens) : null;
  const applied = withCachePrices(isFactor ? (long ?? price) : factor, price);
  const parts = partsOf(usage, applied, isFactor ? factor : 1);
  if (parts === null) return 'audio';
  let cost = 0;
  for (const part of parts) cost += part.cost;
  const isBase = isFactor && factor === 1;
  return {
    cost,
    parts,
    tier: isBase ? BASE_TIER : tierName,
    factor: isFactor ? factor : null,
    above: long?.above ?? null,
  };
}

function longPrice(long: ModelPrice['long'], inputTokens: number): LongPrice | null {
  if (long === undefined) return null;
  let found: LongPrice | null = null;
  for (const one of Array.isArray(long) ? (long as readonly LongPrice[]) : [long as LongPrice])
    if (inputTokens > one.above && (found === null || one.above > found.above)) found = one;
  return found;
}

/**
 * Completes the price of long requests or of a tier: where it has none for cached tokens, they keep the discount of the
 * list price.
 */
function withCachePrices(price: TokenPrice, list: TokenPrice): TokenPrice {
  if (price === list) return price;
  const share = list.input > 0 ? price.input / list.input : 1;
  const scaled = Object.fromEntries(
    CACHE_PRICES.flatMap((name) => {
      const listed = list[name];
      return listed === undefined ? [] : [[name, listed * share]];
    }),
  );
  return { ...scaled, ...price };
}

const CACHE_PRICES = ['cacheRead', 'cacheWrite', 'cacheWriteHour'] as const satisfies (keyof TokenPrice)[];

/** Price of tokens that a cache keeps for an hour, as a multiple of other input; only Anthropic reports them. */
const HOUR_FACTOR = 2;

const NO_AUDIO = { inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

function partsOf(usage: TokenUsage, price: TokenPrice, factor: number): CostPart[] | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = usage;
  const { audio = NO_AUDIO } = usage;
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite = input,
    cacheWriteHour = input * HOUR_FACTOR,
  } = price;
  const { audioInput, audioOutput, audioCacheRead = audioInput } = price;
  const audioCached = Math.min(audio.cacheReadTokens, cacheReadTokens);
  const audioIn = Math.max(0, Math.min(audio.inputTokens, inputTokens) - audioCached);
  const audioOut = Math.min(audio.outputTokens, outputTokens);
  const hour = Math.min(cacheWriteHourTokens, cacheWriteTokens);
  const parts: CostPart[] = [];
  const add = (part: CostPartName, quantity: number, rate: number): void => {
    if (quantity <= 0) return;
    const pricePerMillion = rate * factor;
    parts.push({ part, quantity, pricePerMillion, cost: (quantity * pricePerMillion) / 1e6 });
  };
  add('input', Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens - audioIn), input);
  add('cacheRead', cacheReadTokens - audioCached, cacheRead);
  add('cacheWrite', cacheWriteTokens - hour, cacheWrite);
  add('cacheWriteHour', hour, cacheWriteHour);
  if (audioIn + audioCached + audioOut > 0) {
    if (audioInput === undefined || audioOutput === undefined || audioCacheRead === undefined) return null;
    add('audioInput', audioIn, audioInput);
    add('audioCacheRead', audioCached, audioCacheRead);
    add('audioOutput', audioOut, audioOutput);
  }
  add('output', outputTokens - audioOut, output);
  return parts;
}
