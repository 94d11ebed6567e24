/** Limits of a table of prices, in a file and by API. */
export const PRICE_LIMITS = {
  /** Largest price, in US dollars per million tokens. */
  price: 1_000_000,
  /** Largest factor of a service tier. */
  factor: 100,
  /** Largest number of input tokens above which a request is long. */
  tokens: 1_000_000_000,
  /** Most periods, thresholds and service tiers of a model. */
  periods: 50,
  thresholds: 10,
  tiers: 20,
} as const;
