/**
 * Price in US dollars per million text tokens. Without prices of their own, tokens read from or written to a prompt
 * cache cost as much as other input.
 */
export interface ModelPrice extends TokenPrice {
  /** Price of requests with more input tokens than `above`, for all of their tokens. */
  readonly long?: TokenPrice & { readonly above: number };
}

export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Prices of audio tokens. Without them, the cost of a call with audio is unknown. */
  readonly audioInput?: number;
  readonly audioOutput?: number;
  /** Default: the price of other audio input. */
  readonly audioCacheRead?: number;
}

/**
 * Prices by model name, or by `provider/model` for the price of one host. Plain data, which can be sent to a worker.
 */
export type PriceTable = Readonly<Record<string, ModelPrice>>;
