/** Tiers that cost half of the list price: batches of OpenAI, Anthropic and Google, and flexible processing of OpenAI. */
const HALF: Readonly<Record<string, RegExp>> = {
  batch: /^(?:gpt-|o\d|claude-|gemini-|text-embedding-)/,
  flex: /^(?:gpt-5|o3|o4-mini)/,
};

/** Name under which the tier of list prices is shown. */
export const BASE_TIER = 'standard';

/** Names of the tier that list prices are for. */
const BASE: ReadonlySet<string> = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'on_demand']);

/**
 * Returns the factor by which a service tier changes the list price of a model: 1 for the base tier; null when it is not
 * known, as that of priority processing, whose prices are in the table.
 */
export function tierFactor(model: string, tier: string | null): number | null {
  const name = (tier ?? '').toLowerCase();
  if (BASE.has(name)) return 1;
  const half = Object.hasOwn(HALF, name) ? HALF[name] : undefined;
  return half?.test(model.replace(/^.*\//, '')) ? 0.5 : null;
}
