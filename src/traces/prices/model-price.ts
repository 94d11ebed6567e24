/**
 * US dollars per million text tokens. Without a price of their own, tokens read from or written to a prompt cache
 * cost what other input does.
 */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Prices by model name, or by `provider/model` for what one host alone charges. Plain data: it can cross to a worker. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;
