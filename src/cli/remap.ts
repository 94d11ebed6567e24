import { setImmediate } from 'node:timers/promises';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { countOutdated, remapTraces } from '../ingest/remap.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { hexOf } from '../storage/dialect.ts';
import { createPriceList, type PriceList } from '../traces/prices/price-list.ts';
import { checkStoreExists, openForLongRun, storeFailure } from './data-folder.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { readPricesFile } from './prices-file.ts';
import { grouped, ProgressLine } from './progress.ts';

const LIMIT_FLAG = '--limit';
const PRICES_FILE_FLAG = '--prices-file';
/** Most unmapped traces that are listed by id. */
const MAX_NAMED = 10;
/** Most traces that a start of the server counts. */
const MAX_NOTICED = 100_000;

/** Maps stored traces again by the rules of this version. It may be stopped and started again at any time. */
export async function remap(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, PRICES_FILE_FLAG, LIMIT_FLAG],
    switches: ['--json'],
  });
  if (words[0] !== undefined) throw new StartupError(`remap takes no "${words[0].slice(0, 80)}".`);
  const limit = readLimit(flags.get(LIMIT_FLAG));
  const { config } = readConfig(flags, io.env);
  const { pricesFile } = config;
  const prices = createPriceList({ file: pricesFile === null ? {} : readPricesFile(pricesFile) });
  checkStoreExists(config);
  const database = openForLongRun(config);
  try {
    await remapStore(database, prices, limit, flags.has('--json'), io);
  } catch (error) {
    throw storeFailure(error, config);
  } finally {
    database.close();
  }
}

/** Returns a notice for the log of a start; null when the rules of this version have mapped all stored traces. */
export function outdatedNotice(database: Database): string | null {
  const count = countOutdated(database, MAX_NOTICED + 1);
  if (count === 0) return null;
  const [number, them] =
    count > MAX_NOTICED
      ? [`more than ${traces(MAX_NOTICED)} were`, 'them']
      : count === 1
        ? ['1 trace was', 'it']
        : [`${traces(count)} were`, 'them'];
  return `${number} mapped by an older rule set; \`touchstone remap\` maps ${them} again`;
}

async function remapStore(
  database: StoreConnection,
  prices: PriceList,
  limit: number,
  isJson: boolean,
  io: Io,
): Promise<void> {
  const total = countOutdated(database, limit);
  if (total === 0 && !isJson) {
    io.out('Nothing to do: the rules of this version mapped all traces.\n');
    return;
  }
  const counts = { mapped: 0, deleted: 0, tooLarge: 0, failed: 0 };
  const named: Record<'tooLarge' | 'failed', string[]> = { tooLarge: [], failed: [] };
  const progress = new ProgressLine(isJson ? { ...io, out: io.err } : io, total);
  using interrupt = watchInterrupt();
  let done = 0;
  for (const { tkey, outcome, reason } of total === 0 ? [] : remapTraces(database, prices)) {
    counts[outcome] += 1;
    if ((outcome === 'tooLarge' || outcome === 'failed') && named[outcome].length < MAX_NAMED) {
      named[outcome].push(traceId(database, tkey) + (reason === '' ? '' : ` (${reason})`));
    }
    progress.show(++done);
    // Lets signal handlers run.
    await setImmediate();
    if (done >= total || interrupt.came()) break;
  }
  progress.end();

  const { mapped, tooLarge, failed } = counts;
  const left = countOutdated(database, Number.MAX_SAFE_INTEGER) - tooLarge - failed;
  if (isJson) io.out(`${JSON.stringify({ ...counts, left, named })}\n`);
  else
    io.out(`${traces(mapped)} mapped again${left > 0 ? `, ${grouped(left)} left for another run` : ''}.\n`);
  if (tooLarge > 0 && !isJson) {
    io.out(
      `${traces(tooLarge)} too large to be mapped, left unchanged: ${list(named.tooLarge, tooLarge)}.\n`,
    );
  }
  if (failed > 0) {
    throw new StartupError(
      `${traces(failed)} could not be mapped, left unchanged: ${list(named.failed, failed)}.`,
    );
  }
  if (left > 0 && interrupt.came())
    throw new StartupError('Interrupted; the next remap continues from here.');
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.MAX_SAFE_INTEGER;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new StartupError(
    `${LIMIT_FLAG} must be a number of traces from 1 to 999999999, not ${JSON.stringify(text.slice(0, 80))}.`,
  );
}

const traceId = (database: Database, tkey: number): string =>
  database.get<{ id: string }>(`SELECT ${hexOf('trace_id')} AS id FROM trace WHERE tkey = :tkey`, { tkey })
    ?.id ?? '?';

const traces = (count: number): string => `${grouped(count)} trace${count === 1 ? '' : 's'}`;

/** Lists the named items of `count`. */
const list = (names: readonly string[], count: number): string =>
  names.join(', ') + (count > names.length ? ` and ${grouped(count - names.length)} more` : '');
