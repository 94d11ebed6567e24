import { calculate, type TokenUsage } from './calculation.ts';
import { foldName, MAX_NAME, spellings } from './model-names.ts';
import type { ModelPrice, PriceTable } from './model-price.ts';
import { MODEL_PRICES } from './table.ts';

/** Table that a price is in; `free` for a variant whose name says that it costs nothing. */
export type PriceSource = 'application' | 'file' | 'built-in' | 'free';

export interface FoundPrice {
  price: ModelPrice;
  /** Name of the price in the table. */
  name: string;
  source: PriceSource;
}

export interface PriceList {
  /**
   * Finds the price of a model by a name that senders use, at a time in Unix milliseconds; null when there is none.
   * Never throws.
   */
  find(model: string, provider?: string | null, at?: number): FoundPrice | null;
  /** Returns a list in which the prices of an application precede these. */
  withApplication(application: PriceTable): PriceList;
  /** Computes the cost in US dollars; null if the price has none for audio, and some tokens are. Counts must not be negative. */
  cost(usage: TokenUsage, price: ModelPrice): number | null;
}

/** Tables that take precedence over the built-in one, the first over the second. */
export interface OwnPrices {
  application?: PriceTable;
  file?: PriceTable;
}

const MAX_REMEMBERED = 4096;
const CONTROL_CHARACTER = /\p{Cc}/u;
const FREE_VARIANT = ':free';
const FREE: ModelPrice = { input: 0, output: 0 };

/**
 * Providers that run on the sender's own machines: their tokens cost nothing, even if others sell the same models.
 */
const SELF_HOSTED: ReadonlySet<string> = new Set([
  'hosted_vllm',
  'llamafile',
  'lm_studio',
  'ollama',
  'ollama_chat',
  'vllm',
]);

/** Creates a list of own prices, and of the built-in table for other models. */
export function createPriceList({ application = {}, file = {} }: OwnPrices = {}): PriceList {
  const own = [createIndex(application, 'application'), createIndex(file, 'file')];
  const builtIn = builtInIndex();
  const remembered = new Map<string, FoundPeriods[]>();

  const search = (model: string, provider: string): FoundPeriods[] => {
    const names = candidates(model, provider);
    const isFree = model.endsWith(FREE_VARIANT);
    const indexes = isSelfHosted(model, provider) ? own : [...own, builtIn];
    return indexes.flatMap((index) => {
      const found = index.find(names);
      if (!found) return [];
      return isFree && !found.name.endsWith(FREE_VARIANT) ? [freeOf(found)] : [found];
    });
  };

  return {
    find: (model, provider, at = Date.now()) => {
      if (model.length > MAX_NAME || CONTROL_CHARACTER.test(model)) return null;
      const host = provider && provider.length <= MAX_NAME ? provider : '';
      const key = `${host}\0${model}`;
      let found = remembered.get(key);
      if (found === undefined) {
        found = search(model.trim(), host.trim());
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(key, found);
      }
      return periodAt(found, at);
    },
    withApplication: (table) => createPriceList({ application: table, file }),
    cost: (usage, price) => {
      const calculated = calculate(usage, price);
      return typeof calculated === 'string' ? null : calculated.cost;
    },
  };
}

/** Prices of a model in the order of their periods, the latest first. */
interface FoundPeriods {
  name: string;
  periods: readonly { start: number; found: FoundPrice }[];
}

const freeOf = ({ name }: FoundPeriods): FoundPeriods => ({
  name,
  periods: [{ start: Number.NEGATIVE_INFINITY, found: { price: FREE, name, source: 'free' } }],
});

/** Returns the price of the first table that has one for this time. */
function periodAt(tables: readonly FoundPeriods[], at: number): FoundPrice | null {
  for (const { periods } of tables) for (const { start, found } of periods) if (at >= start) return found;
  return null;
}

type Index = { find(names: readonly string[]): FoundPeriods | null };

/** Finds the first of several names in the table, exactly or normalised. */
function createIndex(table: PriceTable, source: PriceSource): Index {
  const entries = Object.entries(table).map(([name, prices]) => ({
    name,
    periods: (Array.isArray(prices) ? (prices as readonly ModelPrice[]) : [prices as ModelPrice])
      .map((price) => ({ start: startOf(price), found: { price, name, source } }))
      .sort((a, b) => b.start - a.start),
  }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byFoldedName = new Map(entries.map((entry) => [foldName(entry.name), entry]));
  return {
    find: (names) => {
      for (const name of names) {
        const found = byName.get(name) ?? byFoldedName.get(foldName(name));
        if (found) return found;
      }
      return null;
    },
  };
}

/** Shared by all lists, because applications with own prices have one each. */
let builtInTable: Index | null = null;
const builtInIndex = (): Index => (builtInTable ??= createIndex(MODEL_PRICES, 'built-in'));

const startOf = ({ from }: ModelPrice): number =>
  from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${from}T00:00:00Z`);

/** Returns the names to look up, each first with its provider. */
function candidates(model: string, provider: string): string[] {
  const names = spellings(model);
  return provider === '' ? names : names.flatMap((name) => [`${provider}/${name}`, name]);
}

function isSelfHosted(model: string, provider: string): boolean {
  return [provider, ...model.split('/', 1)].some((host) => SELF_HOSTED.has(host.toLowerCase()));
}
