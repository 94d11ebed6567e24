import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import {
  checkSnapshot,
  listSnapshots,
  type NewerRows,
  newerRows,
  schemaOf,
  type Snapshot,
} from '../storage/sqlite/snapshots.ts';
import { exportOtlp, type OtlpPosition } from '../traces/otlp-file/read.ts';
import { requireFile } from './database.ts';
import { checkStoreExists, openFolderForLongRun, storeFile, takeDataFolder } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';
import { moveAside, syncFolder } from './replace-store.ts';

const DISCARD_FLAG = '--discard';
const JSON_FLAG = '--json';
/** Traces that are looked up at once. */
const TRACES_AT_ONCE = 200;

interface RolledBack {
  from: number;
  to: number;
  /** Number of rows by table that the store has no longer, except traces. */
  lost: Record<string, number>;
  /** Files with the traces that the store has no longer. */
  traces: { applicationId: string; traces: number; file: string }[];
  /** Folder with the former store. */
  replaced: string;
}

/**
 * Goes back to the snapshot from before the last migration. What is newer needs `--discard`: its traces are exported first.
 * Returns 1, without any change, if something is newer and the flag is missing. Throws StartupError.
 */
export function rollback(args: readonly string[], io: Io): number {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: [DISCARD_FLAG, JSON_FLAG] });
  if (words[0] !== undefined) throw new StartupError(`migrate rollback takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const { dataDir } = config;
  requireFile(
    config,
    'migrate rollback',
    'restore a copy from before the migration with pg_restore, or by point-in-time recovery.',
  );
  checkStoreExists(config);
  const isJson = flags.has(JSON_FLAG);
  const release = takeDataFolder(dataDir);
  try {
    const snapshot = lastSnapshot(dataDir);
    const newer = compare(dataDir, snapshot);
    const isNewer = newer.traces.size + newer.others.size > 0;
    if (isNewer && !flags.has(DISCARD_FLAG)) {
      io.out(isJson ? `${JSON.stringify({ wouldLose: countsOf(newer) })}\n` : needsFlag(newer, snapshot));
      return 1;
    }
    const done = goBack(dataDir, snapshot, newer, isJson ? { ...io, out: io.err } : io);
    io.out(isJson ? `${JSON.stringify(done)}\n` : report(done));
    return 0;
  } catch (error) {
    throw folderFailure(error, dataDir);
  } finally {
    release();
  }
}

/** Returns the snapshot of the last migration. Throws StartupError if there is none, or if it is damaged. */
function lastSnapshot(dataDir: string): Snapshot {
  const store = storeFile(dataDir);
  const schema = schemaOf(store);
  if (schema !== SCHEMA_VERSION)
    throw new StartupError(
      `${store} has the schema ${schema}, and this version of Touchstone has ${SCHEMA_VERSION}: a rollback needs the version that made the last migration.`,
    );
  const snapshot = listSnapshots(store).find((one) => one.schema < schema);
  if (!snapshot)
    throw new StartupError(
      `There is no snapshot beside ${store}: it was never migrated, or without a snapshot. Restore a backup instead.`,
    );
  checkSnapshot(snapshot);
  return snapshot;
}

function compare(dataDir: string, snapshot: Snapshot): NewerRows {
  const database = openFolderForLongRun(dataDir);
  try {
    return newerRows(database.connection, snapshot);
  } finally {
    database.close();
  }
}

function goBack(dataDir: string, snapshot: Snapshot, newer: NewerRows, io: Io): RolledBack {
  const traces = exportNewer(dataDir, snapshot, newer, io);
  const replaced = moveAside(dataDir, false) ?? dataDir;
  renameSync(snapshot.file, storeFile(dataDir));
  syncFolder(dataDir);
  return {
    from: SCHEMA_VERSION,
    to: snapshot.schema,
    lost: Object.fromEntries(newer.others),
    traces,
    replaced,
  };
}

/** Writes the newer traces of each application to a file. */
function exportNewer(dataDir: string, { schema }: Snapshot, newer: NewerRows, io: Io): RolledBack['traces'] {
  if (newer.traces.size === 0) return [];
  const all = newer.traces.values().reduce((sum, { traceIds }) => sum + traceIds.length, 0);
  const progress = new ProgressLine(io, all);
  const database = openFolderForLongRun(dataDir);
  let done = 0;
  try {
    return [...newer.traces].map(([applicationId, { application, traceIds }]) => {
      const file = join(dataDir, `newer-than-${schema}-${applicationId}.otlp.jsonl`);
      writeComplete(file, (write) => {
        for (let at = 0; at < traceIds.length; at += TRACES_AT_ONCE) {
          const some = traceIds.slice(at, at + TRACES_AT_ONCE);
          for (const bytes of pagesOf(database, application, some)) write(bytes);
          progress.show((done += some.length));
        }
      });
      return { applicationId, traces: traceIds.length, file };
    });
  } finally {
    progress.end();
    database.close();
  }
}

function* pagesOf(
  database: ReturnType<typeof openFolderForLongRun>,
  application: number,
  traceIds: Buffer[],
): Generator<Uint8Array, void> {
  let from: OtlpPosition | null = { after: null, open: null };
  while (from !== null) {
    const page = exportOtlp(database, {
      application,
      filter: { traceIds, includeSamples: true, includeDeliveries: true },
      format: 'otlp-jsonl',
      from,
      // One more, so that the end is noticed.
      limit: traceIds.length + 1,
    });
    yield page.bytes;
    from = page.next;
  }
}

/** Writes a file that appears under its name when it is complete and on disk. */
function writeComplete(file: string, make: (write: (bytes: Uint8Array) => void) => void): void {
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, 'wx', 0o600);
  try {
    make((bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    });
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
}

const countsOf = ({ traces, others }: NewerRows): Record<string, number> => ({
  ...(traces.size > 0 && {
    trace: traces.values().reduce((sum, { traceIds }) => sum + traceIds.length, 0),
  }),
  ...Object.fromEntries(others),
});

/** Formats numbers of rows by table, such as "3 of trace, 1 of human annotation". */
const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([table, count]) => `${grouped(count)} of ${table.replaceAll('_', ' ')}`)
    .join(', ');

const needsFlag = (newer: NewerRows, { at, file }: Snapshot): string =>
  `The store has rows that the snapshot ${file} of ${new Date(at).toISOString()} does not have: ${countsText(countsOf(newer))}. Changes of older rows are not counted.
Nothing was changed. With ${DISCARD_FLAG}, traces are exported to files first, which import traces sends to the older version; the rest remains only in the store that is moved aside.
`;

function report({ from, to, lost, traces, replaced }: RolledBack): string {
  return [
    `Rolled back from schema ${from} to ${to}. The former store is in ${replaced}; delete it when you no longer need it.`,
    ...(Object.keys(lost).length > 0 ? [`No longer there: ${countsText(lost)}.`] : []),
    ...traces.map(
      ({ applicationId, traces: count, file }) =>
        `Newer traces of application ${applicationId}: ${grouped(count)}, in ${file}; send them with import traces once the older version runs.`,
    ),
    'Now start the version of Touchstone that ran before: this one would migrate the store again.',
    '',
  ].join('\n');
}
