import { setImmediate } from 'node:timers/promises';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import type { StoreConnection } from '../storage/database.ts';
import { checkPages } from '../storage/sqlite/check-pages.ts';
import { checkStore } from '../storage/sqlite/check-store.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { type Fault, type ReportFault, strayRows, tracesToVerify, verifyTrace } from '../traces/verify.ts';
import { storeFile } from './data-folder.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { lookFailure, openToLook } from './look-at-store.ts';
import { grouped, ProgressLine } from './progress.ts';

const JSON_FLAG = '--json';
/** Faults that are kept and printed; all are counted. */
const MAX_FAULTS = 100;

interface Verified {
  /** Number of traces that were verified; null if the store is of an older version. */
  traces: number | null;
  faults: number;
  /** The first faults. */
  found: Fault[];
  isComplete: boolean;
}

/** Reads every page and every block of a store, and reports what does not fit together. It changes nothing. */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: [JSON_FLAG] });
  if (words[0] !== undefined) throw new StartupError(`verify takes no "${words[0].slice(0, 80)}".`);
  const { dataDir } = readConfig(flags, io.env).config;
  const isJson = flags.has(JSON_FLAG);
  const store = openToLook(dataDir);
  try {
    const schema = checkStore(store.database, storeFile(dataDir));
    const verified = await verifyStore(store.database, schema, isJson ? { ...io, out: io.err } : io);
    io.out(isJson ? `${JSON.stringify(verified)}\n` : textOf(verified));
    if (!verified.isComplete) throw new StartupError(incompleteText(schema));
    return verified.faults === 0 ? 0 : 1;
  } catch (error) {
    throw lookFailure(error, dataDir);
  } finally {
    store.close();
  }
}

const incompleteText = (schema: number): string =>
  schema === SCHEMA_VERSION
    ? 'Interrupted; not all of the store was verified.'
    : `The store has schema ${schema}, and this version of Touchstone verifies the traces of schema ${SCHEMA_VERSION}; start the server or run migrate, then verify.`;

/** Checks the pages of a store of any version, and the traces of one of this version. */
async function verifyStore(database: StoreConnection, schema: number, io: Io): Promise<Verified> {
  using interrupt = watchInterrupt();
  const found: Fault[] = [];
  let faults = 0;
  const report = (fault: Fault): void => {
    faults += 1;
    if (found.length < MAX_FAULTS) found.push(fault);
  };
  for (const fault of checkPages(database)) report({ trace: '-', fault });
  if (schema !== SCHEMA_VERSION) return { traces: null, faults, found, isComplete: false };
  let traces = 0;
  try {
    traces = await verifyTraces(database, { report, isStopped: interrupt.came }, io);
    if (!interrupt.came()) database.snapshot(() => strayRows(database)).forEach(report);
  } catch (error) {
    // A damaged page ends the statement that reads it.
    if (!database.hasFailed(error)) throw error;
    report({ trace: '-', fault: `the rest cannot be read (${(error as Error).message})` });
  }
  return { traces, faults, found, isComplete: !interrupt.came() };
}

interface Verifying {
  report: ReportFault;
  isStopped: () => boolean;
}

/** Verifies each trace on a snapshot of its own, so that a running server can empty its write-ahead log in between. */
async function verifyTraces(
  database: StoreConnection,
  { report, isStopped }: Verifying,
  io: Io,
): Promise<number> {
  const total = database.get<{ n: number }>('SELECT count(*) AS n FROM trace')?.n ?? 0;
  const progress = new ProgressLine(io, total);
  let done = 0;
  for (let after = -1; !isStopped(); ) {
    const page = tracesToVerify(database, { after });
    for (const { tkey } of page) {
      if (isStopped()) break;
      // Read again, because spans may have arrived since.
      database.snapshot(() => {
        const [trace] = tracesToVerify(database, { after: tkey - 1, limit: 1 });
        if (trace?.tkey === tkey) verifyTrace(database, trace, report);
      });
      progress.show(++done);
      await setImmediate();
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.tkey;
  }
  progress.end();
  return done;
}

function textOf({ traces, faults, found }: Verified): string {
  const what = traces === null ? 'Pages, indexes and references' : `${grouped(traces)} traces`;
  return [
    ...found.map(({ trace, fault }) => `${trace}: ${fault}\n`),
    faults > found.length ? `… and ${grouped(faults - found.length)} more\n` : '',
    faults === 0
      ? `${what} verified; no fault found.\n`
      : `${what} verified; ${faults === 1 ? '1 fault' : `${grouped(faults)} faults`} found. Restore a backup, or delete the traces above.\n`,
  ].join('');
}
