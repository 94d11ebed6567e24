/** Compares what is stored of traces: rows, blocks, the directory of spans, and resources. */
import type { Database } from '../storage/database.ts';
import { hexOf } from '../storage/dialect.ts';
import { contentHash } from './content-hash.ts';
import { decodePayload, type PayloadSpan } from './payload.ts';
import { decodeSkeleton } from './skeleton.ts';
import type { TraceKey } from './trace-keys.ts';

/** Traces of one page. */
const PAGE_TRACES = 200;
/** Most rows without a trace that are reported. */
const MAX_STRAY = 100;

export interface Fault {
  /** Id of the trace in hex, or its key if it has no row. */
  trace: string;
  fault: string;
}

interface VerifiedTrace extends TraceKey {
  traceId: string;
  spanCount: number;
}

/** Returns the traces after a key, of all applications, in the order of their keys. */
export const tracesToVerify = (database: Database, { after }: { after: number }): VerifiedTrace[] =>
  database.all<VerifiedTrace>(
    `SELECT tkey, application, ${hexOf('trace_id')} AS "traceId", span_count AS "spanCount"
     FROM trace WHERE tkey > :after ORDER BY tkey LIMIT ${PAGE_TRACES}`,
    { after },
  );

interface DirectoryRow {
  id: string;
  hash: Buffer;
  seq: number;
}

/** Reads every block of a trace and returns what does not fit together. */
export function verifyTrace(database: Database, trace: VerifiedTrace): Fault[] {
  const { application, tkey, spanCount, traceId } = trace;
  const faults: Fault[] = [];
  const report = (fault: string): void => void faults.push({ trace: traceId, fault });
  const directory = database.all<DirectoryRow>(
    `SELECT ${hexOf('span_id')} AS id, hash, seq FROM span WHERE application = :application AND tkey = :tkey`,
    { application, tkey },
  );
  if (directory.length !== spanCount)
    report(`its row counts ${spanCount} spans, and the directory has ${directory.length}`);
  const current = new Map(directory.map((row) => [row.id, row]));
  const found = new Set<string>();
  let unreadable = 0;
  for (const seq of blocksOf(database, trace)) {
    const block = readBlock(database, trace, seq);
    if (typeof block === 'string') {
      unreadable += 1;
      report(`block ${seq} ${block}`);
      continue;
    }
    for (const { id, content } of block) {
      const row = current.get(id);
      if (!row) report(`span ${id} of block ${seq} is not in the directory`);
      // An earlier version of a span that was replaced stays until the trace is rewritten.
      if (row?.seq !== seq) continue;
      found.add(id);
      const hash = contentHash(content.bytes, content.scope, content.resourceHash);
      if (!hash.equals(row.hash))
        report(`span ${id} of block ${seq} is not the one that was stored: its sum differs`);
    }
  }
  const missing = directory.filter(({ id }) => !found.has(id)).length;
  if (missing > 0 && unreadable === 0) report(`${missing} spans of the directory are in no block`);
  return faults;
}

const blocksOf = (database: Database, { application, tkey }: TraceKey): number[] =>
  database
    .all<{ seq: number }>(
      'SELECT seq FROM chunk WHERE application = :application AND tkey = :tkey ORDER BY seq',
      { application, tkey },
    )
    .map(({ seq }) => seq);

/** Decodes both parts of a block; returns its spans, or what is wrong with it. */
function readBlock(
  database: Database,
  { application, tkey }: TraceKey,
  seq: number,
): { id: string; content: PayloadSpan }[] | string {
  const block = database.get<{ skeleton: Buffer; payload: Buffer }>(
    'SELECT skeleton, payload FROM chunk WHERE application = :application AND tkey = :tkey AND seq = :seq',
    { application, tkey, seq },
  );
  if (!block) return 'is missing';
  try {
    const { spans, resources } = decodeSkeleton(block.skeleton, seq);
    const contents = decodePayload(block.payload);
    if (spans.length !== contents.length)
      return `has ${spans.length} spans in its index and ${contents.length} stored`;
    const lost = resources.find((hash) => !hasResource(database, application, hash));
    if (lost) return `refers to resource ${lost.toString('hex')}, which is not stored`;
    return spans.map(({ id }, index) => ({ id, content: contents[index] as PayloadSpan }));
  } catch (error) {
    return `cannot be decoded (${(error as Error).message})`;
  }
}

const hasResource = (database: Database, application: number, hash: Buffer): boolean =>
  database.get('SELECT 1 FROM resource WHERE application = :application AND hash = :hash AND refs > 0', {
    application,
    hash,
  }) !== undefined;

/** Returns blocks and entries of the directory whose trace has no row, and is not being deleted either. */
export const strayRows = (database: Database): Fault[] =>
  (['chunk', 'span'] as const).flatMap((table) =>
    database
      .all<{ tkey: number; n: number }>(
        `SELECT tkey, count(*) AS n FROM ${table}
         WHERE NOT EXISTS (SELECT 1 FROM trace WHERE trace.tkey = ${table}.tkey)
           AND NOT EXISTS (SELECT 1 FROM purge WHERE purge.tkey = ${table}.tkey)
         GROUP BY tkey LIMIT ${MAX_STRAY}`,
      )
      .map(({ tkey, n }) => ({
        trace: `key ${tkey}`,
        fault: `${n} ${table === 'chunk' ? 'blocks' : 'spans of the directory'} belong to no trace`,
      })),
  );
