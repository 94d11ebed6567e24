import { setImmediate } from 'node:timers/promises';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { remapChosen } from '../ingest/remap.ts';
import type { StoreConnection } from '../storage/database.ts';
import { dollars } from '../traces/format.ts';
import { openOwnRules } from '../traces/own-rules/open.ts';
import { appliedOwnRules } from '../traces/own-rules/store.ts';
import { isDay } from '../traces/prices/check-prices.ts';
import type { TokenPrice } from '../traces/prices/model-price.ts';
import { createPriceList, type PriceList } from '../traces/prices/price-list.ts';
import { chooseApplication } from './choose-application.ts';
import { checkStoreExists, openForLongRun, storeFailure } from './data-folder.ts';
import type { StorePlace } from './database.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { readPricesFile } from './prices-file.ts';
import { grouped, ProgressLine } from './progress.ts';
import { formatTable } from './tables.ts';

const PRICES_FILE_FLAG = '--prices-file';
const APPLICATION_FLAG = '--application-id';
const FROM_FLAG = '--from';
const AT_FLAG = '--at';
const PROVIDER_FLAG = '--provider';
const JSON_FLAG = '--json';
const DRY_RUN_FLAG = '--dry-run';

/** Shows the price of a model for the application: the table and the name by which it is found, and its amounts. */
export async function showPrice(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, PRICES_FILE_FLAG, APPLICATION_FLAG, PROVIDER_FLAG, AT_FLAG],
    switches: [JSON_FLAG],
  });
  const [model] = words;
  if (model === undefined || words.length > 1) throw new StartupError('prices needs the name of one model.');
  const { config } = readConfig(flags, io.env);
  const day = flags.get(AT_FLAG);
  const at = day === undefined ? Date.now() : dayOf(AT_FLAG, day);
  await onStore(config, (database) => {
    const { application } = chooseApplication(database, flags.get(APPLICATION_FLAG));
    const own = openOwnRules(
      filePrices(config.pricesFile),
      application,
      appliedOwnRules(database, { application }),
    );
    const found = own.prices.find(model, flags.get(PROVIDER_FLAG), at);
    if (flags.has(JSON_FLAG)) io.out(`${JSON.stringify({ model, found })}\n`);
    else if (!found) io.out(`No table has a price of ${model}; its cost is unknown.\n`);
    else {
      io.out(`${model}: price of ${found.name} (${found.source}), US dollars per million tokens\n`);
      io.out(formatTable(['FOR', 'PRICE'], rowsOf(found.price)));
    }
  });
}

/** Checks a file of prices, and reports its number of models. */
export function checkPricesFile(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [], switches: [JSON_FLAG] });
  const [path] = words;
  if (path === undefined || words.length > 1) throw new StartupError('prices check needs one file.');
  const models = Object.keys(readPricesFile(path)).length;
  io.out(
    flags.has(JSON_FLAG) ? `${JSON.stringify({ models })}\n` : `${grouped(models)} models, no problem.\n`,
  );
}

/** Calculates the costs of stored traces again by the prices of now. It works while a server runs. A dry run changes nothing. */
export async function applyPrices(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, PRICES_FILE_FLAG, APPLICATION_FLAG, FROM_FLAG],
    switches: [JSON_FLAG, DRY_RUN_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`prices apply takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const day = flags.get(FROM_FLAG);
  const from = day === undefined ? 0 : dayOf(FROM_FLAG, day);
  const isJson = flags.has(JSON_FLAG);
  const isDry = flags.has(DRY_RUN_FLAG);
  await onStore(config, async (database) => {
    const { application } = chooseApplication(database, flags.get(APPLICATION_FLAG));
    const progress = new ProgressLine(isJson ? { ...io, out: io.err } : io, null, 'traces');
    using interrupt = watchInterrupt();
    const sums: AppliedPrices = { calculated: 0, unchanged: 0, before: 0, after: 0 };
    const steps = remapChosen(database, filePrices(config.pricesFile), { application, from, isDry });
    for (const { outcome, costs } of steps) {
      sums[outcome === 'mapped' ? 'calculated' : 'unchanged'] += 1;
      sums.before += costs.before;
      sums.after += costs.after;
      progress.show(sums.calculated + sums.unchanged);
      await setImmediate();
      if (interrupt.came()) break;
    }
    progress.end();
    const shown = { ...sums, before: dollars(sums.before), after: dollars(sums.after) };
    io.out(isJson ? `${JSON.stringify({ ...shown, dryRun: isDry })}\n` : sentenceOf(shown, isDry));
    if (interrupt.came()) throw new StartupError('Interrupted; the rest keep their costs.');
  });
}

interface AppliedPrices {
  calculated: number;
  unchanged: number;
  /** Cost of all these traces, in US dollars. */
  before: number;
  after: number;
}

function sentenceOf({ calculated, unchanged, before, after }: AppliedPrices, isDry: boolean): string {
  const rest = unchanged > 0 ? ` ${grouped(unchanged)} ${isDry ? 'would be' : 'were'} left unchanged.` : '';
  return isDry
    ? `${grouped(calculated)} traces would be calculated again: $${before} now, $${after} then.${rest} Nothing was changed.\n`
    : `${grouped(calculated)} traces calculated again: $${before} before, $${after} now.${rest}\n`;
}

async function onStore(
  place: StorePlace,
  work: (database: StoreConnection) => void | Promise<void>,
): Promise<void> {
  checkStoreExists(place);
  const database = openForLongRun(place);
  try {
    await work(database);
  } catch (error) {
    throw storeFailure(error, place);
  } finally {
    database.close();
  }
}

const filePrices = (path: string | null): PriceList =>
  createPriceList({ file: path === null ? {} : readPricesFile(path) });

function rowsOf(price: object, label = ''): string[][] {
  return Object.entries(price).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [[`${label}${name}`, String(value)]];
    if (Array.isArray(value)) return value.flatMap((one: TokenPrice) => rowsOf(one, `${label}${name} `));
    return rowsOf(value, `${label}${name} `);
  });
}

function dayOf(flag: string, text: string): number {
  if (!isDay(text))
    throw new StartupError(`${flag} must be a day as YYYY-MM-DD, not ${JSON.stringify(text.slice(0, 80))}.`);
  return Date.parse(text);
}
