import type { PriceTable } from '../prices/model-price.ts';
import { createPriceList, type PriceList } from '../prices/price-list.ts';
import type { Database } from '../../storage/database.ts';
import { OwnMappings } from './own-mappings.ts';
import type { OwnRule } from './own-rule.ts';
import { type AppliedOwnRules, appliedOwnRules } from './store.ts';

/** Own rules of an application, ready for use. */
export interface OpenedOwnRules {
  mappings: OwnMappings | null;
  prices: PriceList;
}

const MAX_APPLICATIONS = 500;

/** Opened rules by the price list that they were opened with. */
const opened = new WeakMap<PriceList, Map<number, OpenedOwnRules & { version: string }>>();

/** Opens the rules of an application; `prices` apply to models that it has no price of. Rules are compiled once for each version. */
export function openOwnRules(
  prices: PriceList,
  application: number,
  applied: AppliedOwnRules | null | undefined,
): OpenedOwnRules {
  if (!applied) return { mappings: null, prices };
  let known = opened.get(prices);
  if (!known) opened.set(prices, (known = new Map<number, OpenedOwnRules & { version: string }>()));
  const found = known.get(application);
  if (found?.version === applied.version) return found;
  if (known.size >= MAX_APPLICATIONS) known.clear();
  const rules = JSON.parse(applied.mappings) as OwnRule[];
  const table = JSON.parse(applied.prices) as PriceTable;
  const one = {
    version: applied.version,
    mappings: rules.length === 0 ? null : new OwnMappings(rules),
    prices: Object.keys(table).length === 0 ? prices : prices.withApplication(table),
  };
  known.set(application, one);
  return one;
}

let threadPrices: PriceList | null = null;

/** Sets the prices that this thread applies to models without a price of their application. */
export function setThreadPrices(file: PriceTable): void {
  threadPrices = createPriceList({ file });
}

/** Opens the rules that an application has now. */
export const ownRulesOf = (database: Database, application: number): OpenedOwnRules =>
  openOwnRules((threadPrices ??= createPriceList()), application, appliedOwnRules(database, { application }));
