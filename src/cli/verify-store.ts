import { setImmediate } from 'node:timers/promises';
import type { StoreConnection } from '../storage/database.ts';
import { isPostgres } from '../storage/engine.ts';
import { isOfIndex } from '../storage/sqlite/check-indexes.ts';
import { checkPages } from '../storage/sqlite/check-pages.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { checkTraceRow } from '../traces/check-trace-row.ts';
import { type Fault, type ReportFault, strayRows, tracesToVerify, verifyTrace } from '../traces/verify.ts';
import { watchInterrupt } from './interrupt.ts';
import { checkInvariants } from './invariants.ts';
import type { Io } from './io.ts';
import { ProgressLine } from './progress.ts';

/** Faults that are kept and printed; all are counted. */
const MAX_FAULTS = 100;

export interface Verified {
  /** Number of traces that were verified; null if the store is of an older version. */
  traces: number | null;
  faults: number;
  /** Number of faults that `verify --repair` repairs. */
  mendable: number;
  /** The first faults. */
  found: Fault[];
  isComplete: boolean;
}

export interface Verification {
  schema: number;
  /** True if what the store has computed is computed again. */
  isDeep: boolean;
  isServed: boolean;
  io: Io;
}

/** Checks the pages of a store of any version, and the traces of one of this version. */
export async function verifyStore(
  database: StoreConnection,
  { schema, isDeep, isServed, io }: Verification,
): Promise<Verified> {
  using interrupt = watchInterrupt();
  const found: Fault[] = [];
  let faults = 0;
  let mendable = 0;
  const report = (fault: Fault): void => {
    faults += 1;
    if (fault.canMend) mendable += 1;
    if (found.length < MAX_FAULTS) found.push(fault);
  };
  for (const fault of isPostgres ? [] : checkPages(database))
    report({ trace: '-', fault, ...(isOfIndex(fault) && { canMend: true }) });
  if (schema !== SCHEMA_VERSION) return { traces: null, faults, mendable, found, isComplete: false };
  let traces = 0;
  const isStopped = interrupt.came;
  try {
    traces = await verifyTraces(database, { report, isStopped, isDeep }, io);
    if (!isStopped()) database.snapshot(() => strayRows(database)).forEach(report);
    if (isDeep) await verifyRest(database, { report, isStopped, isServed }, io);
  } catch (error) {
    // A damaged page ends the statement that reads it.
    if (!database.hasFailed(error)) throw error;
    report({ trace: '-', fault: `the rest cannot be read (${(error as Error).message})` });
  }
  return { traces, faults, mendable, found, isComplete: !isStopped() };
}

interface Verifying {
  report: ReportFault;
  isStopped: () => boolean;
  isDeep: boolean;
}

/** Verifies each trace on a snapshot of its own, so that a running server can empty its write-ahead log in between. */
async function verifyTraces(
  database: StoreConnection,
  { report, isStopped, isDeep }: Verifying,
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
        if (trace?.tkey !== tkey) return;
        const isComplete = verifyTrace(database, trace, report);
        if (isDeep) checkTraceRow(database, trace, { report, isComplete });
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

/** Compares what is computed of all traces, tests and evals, with a line of progress for each part. */
async function verifyRest(
  database: StoreConnection,
  given: Omit<Verifying, 'isDeep'> & { isServed: boolean },
  io: Io,
): Promise<void> {
  let part = '';
  let progress: ProgressLine | null = null;
  const onProgress = (what: string, rows: number): void => {
    if (what !== part) progress = new ProgressLine(io, null, what);
    part = what;
    progress?.show(rows);
  };
  await checkInvariants(database, { ...given, onProgress, at: Date.now() });
  (progress as ProgressLine | null)?.end();
}
