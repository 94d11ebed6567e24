import { isObject } from '../../contract/is-object.ts';
import { MAX_NAME } from './model-names.ts';
import type { ModelPrice, PriceTable, TokenPrice } from './model-price.ts';
import { PRICE_LIMITS } from './price-limits.ts';

const MAX_MODELS = 10_000;
const AMOUNTS: readonly string[] = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'audioInput',
  'audioOutput',
  'audioCacheRead',
] satisfies (keyof TokenPrice)[];

/** Throws an error about one of the prices. */
export type WrongPrice = (problem: string) => never;

/** Checks a table of prices, of a file or of the API. Calls `wrong`, which throws, with the first problem of it. */
export function checkPrices(table: unknown, wrong: WrongPrice): PriceTable {
  if (!isObject(table)) return wrong('does not contain a JSON object');
  const models = Object.entries(table);
  if (models.length > MAX_MODELS) wrong(`has ${models.length} models; at most ${MAX_MODELS} are allowed`);
  const known = new Map<string, string>();
  for (const [name] of models) {
    const folded = name.toLowerCase();
    const other = known.get(folded);
    if (other !== undefined)
      wrong(`has prices for both ${shown(other)} and ${shown(name)}, which are the same model`);
    known.set(folded, name);
  }
  return Object.fromEntries(models.map(([name, prices]) => [name, checkModel(name, prices, wrong)]));
}

function checkModel(model: string, value: unknown, wrong: WrongPrice): PriceTable[string] {
  const label = JSON.stringify(model.length > 80 ? `${model.slice(0, 80)}…` : model);
  if (model.trim() === '' || model.length > MAX_NAME)
    wrong(`contains a model ${label}, whose name must have 1 to ${MAX_NAME} characters`);
  if (!Array.isArray(value)) return checkModelPrice(label, value, wrong);
  if (value.length === 0 || value.length > PRICE_LIMITS.periods)
    wrong(`must give ${label} 1 to ${PRICE_LIMITS.periods} periods`);
  const periods = value.map((price: unknown) => checkModelPrice(label, price, wrong));
  if (new Set(periods.map(({ from }) => from)).size < periods.length)
    wrong(`has two prices of ${label} from the same day`);
  return periods;
}

function checkModelPrice(label: string, value: unknown, wrong: WrongPrice): ModelPrice {
  const price = checkTokenPrice(label, value, ['long', 'tiers', 'from'], wrong);
  const { from, long, tiers } = price;
  if (from !== undefined && !isDay(from))
    wrong(`must give ${label} a day from as YYYY-MM-DD; got ${shown(from)}`);
  const thresholds: readonly unknown[] = long === undefined ? [] : Array.isArray(long) ? long : [long];
  if (thresholds.length > PRICE_LIMITS.thresholds)
    wrong(`must give ${label} at most ${PRICE_LIMITS.thresholds} prices of long requests`);
  for (const one of thresholds) {
    const { above } = checkTokenPrice(`${label} long`, one, ['above'], wrong);
    if (!Number.isInteger(above) || (above as number) < 1 || (above as number) > PRICE_LIMITS.tokens)
      wrong(
        `must give ${label} a threshold above that is a number of tokens from 1 to ${PRICE_LIMITS.tokens}`,
      );
  }
  const above = thresholds.map((one) => (one as { above: number }).above);
  if (new Set(above).size < above.length) wrong(`has two prices of ${label} above the same threshold`);
  if (tiers !== undefined) checkTiers(label, tiers, wrong);
  return price as unknown as ModelPrice;
}

function checkTiers(label: string, tiers: unknown, wrong: WrongPrice): void {
  if (!isObject(tiers)) return wrong(`must give ${label} an object tiers`);
  const entries = Object.entries(tiers);
  if (entries.length > PRICE_LIMITS.tiers) wrong(`must give ${label} at most ${PRICE_LIMITS.tiers} tiers`);
  for (const [tier, price] of entries) {
    if (tier !== tier.toLowerCase() || tier.length > MAX_NAME)
      wrong(`must write the tier ${shown(tier)} of ${label} in lower case`);
    if (typeof price !== 'number') checkTokenPrice(`${label} ${tier}`, price, [], wrong);
    else if (price < 0 || price > PRICE_LIMITS.factor)
      wrong(`must give ${label} a factor ${tier} that is from 0 to ${PRICE_LIMITS.factor}`);
  }
}

function checkTokenPrice(
  label: string,
  value: unknown,
  others: readonly string[],
  wrong: WrongPrice,
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) return wrong(`has no object with prices for ${label}`);
  const price: Readonly<Record<string, unknown>> = value;
  const known = [...AMOUNTS, ...others];
  const unknown = Object.keys(price).find((field) => !known.includes(field));
  if (unknown !== undefined)
    wrong(`has an unknown field ${shown(unknown)} in ${label}; known fields are ${known.join(', ')}`);
  for (const field of AMOUNTS) {
    const amount = price[field];
    if (amount === undefined && field !== 'input' && field !== 'output') continue;
    if (typeof amount !== 'number' || amount < 0 || amount > PRICE_LIMITS.price)
      wrong(`must give ${label} a price ${field} that is a number from 0 to ${PRICE_LIMITS.price}`);
  }
  return price;
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

/** Reports whether a value is a day of the calendar as YYYY-MM-DD. */
export const isDay = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);
