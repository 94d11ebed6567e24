/**
 * Price in US dollars per million tokens. Without prices of their own, tokens read from or written to a prompt
 * cache cost as much as other input; those of long requests and of tiers keep the discount of the list price.
 */
export interface ModelPrice extends TokenPrice {
  /**
   * Prices of requests with more input tokens than `above`, for all of their tokens; of several that apply, the one
   * with the highest threshold counts.
   */
  readonly long?: LongPrice | readonly LongPrice[];
  /** Prices by service tier: a factor of the prices above, or prices of its own. */
  readonly tiers?: Readonly<Record<string, number | TokenPrice>>;
  /** First day (UTC) on which the price is valid, as `2026-09-01`; default: always. */
  readonly from?: string;
}

export type LongPrice = TokenPrice & { readonly above: number };

export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Price of tokens that a cache keeps for an hour. Default: twice the price of input, as Anthropic has it. */
  readonly cacheWriteHour?: number;
  /** Prices of audio tokens. Without them, the cost of a call with audio is unknown. */
  readonly audioInput?: number;
  readonly audioOutput?: number;
  /** Default: the price of other audio input. */
  readonly audioCacheRead?: number;
}

/**
 * Prices by model name, or by `provider/model` for the price of one host; a list has the prices of several periods.
 * Plain data, which can be sent to a worker.
 */
export type PriceTable = Readonly<Record<string, ModelPrice | readonly ModelPrice[]>>;
