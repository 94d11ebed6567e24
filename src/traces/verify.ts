/** Compares what is stored of traces: rows, blocks, the directory of spans, and resources. */
import type { Database } from '../storage/database.ts';
import { bytesAt, hexOf, orderedJoin } from '../storage/dialect.ts';
import { contentHash } from './content-hash.ts';
import { decodePayload, type PayloadSpan } from './payload.ts';
import { decodeSkeleton } from './skeleton.ts';
import { type SkeletonSpan, SpanFlag, STATUS_ERROR } from './span.ts';
import type { TraceKey } from './trace-keys.ts';

/** Traces of one page. */
const PAGE_TRACES = 200;
/** Most rows without a trace that are reported. */
const MAX_STRAY = 100;

export interface Fault {
  /** Id of the trace in hex, or its key if it has no row. */
  trace: string;
  fault: string;
  /** True if `verify --repair` computes it again from the rest of the store. */
  canMend?: true;
}

/** Most spans of a trace that is repaired, because its directory is kept in memory. */
export const MAX_REPAIRED_SPANS = 200_000;

export type ReportFault = (fault: Fault) => void;

export interface VerifiedTrace extends TraceKey {
  traceId: string;
  spanCount: number;
  errorCount: number;
}

/** Returns the traces after a key, of all applications, in the order of their keys. */
export const tracesToVerify = (
  database: Database,
  { after, limit = PAGE_TRACES }: { after: number; limit?: number },
): VerifiedTrace[] =>
  database.all<VerifiedTrace>(
    `SELECT tkey, application, ${hexOf('trace_id')} AS "traceId", span_count AS "spanCount",
       error_count AS "errorCount"
     FROM trace WHERE tkey > :after ORDER BY tkey LIMIT :limit`,
    { after, limit },
  );

/** Spans of one trace, as its blocks and its directory have them. */
interface Found {
  /** Current spans, without events of the trace itself, and those of them with an error. */
  spanCount: number;
  errorCount: number;
  /** Entries of the directory whose block lacks the span. */
  missing: number;
  unreadable: number;
  /** Spans whose sum differs from that of the directory. */
  changed: number;
}

/** Reports whether the blocks have all spans as they were stored, so that the row can be computed from them. */
export const isComplete = ({ missing, unreadable, changed }: Found): boolean =>
  missing === 0 && unreadable === 0 && changed === 0;

/**
 * Reads every block of a trace and reports what does not fit together; returns whether the blocks are complete. Keeps one
 * block in memory.
 */
export function verifyTrace(database: Database, trace: VerifiedTrace, report: ReportFault): boolean {
  const addFault = faultAdder(trace, report);
  const found = readTraceBlocks(database, trace, addFault);
  if (found.unreadable > 0) return false;
  if (found.missing > 0) addFault(`${found.missing} spans of the directory are in no block`);
  else if (found.spanCount !== trace.spanCount)
    addFault(
      `its row counts ${trace.spanCount} spans, and its blocks have ${found.spanCount}`,
      found.changed === 0,
    );
  else if (found.errorCount !== trace.errorCount)
    addFault(
      `its row counts ${trace.errorCount} spans with an error, and its blocks have ${found.errorCount}`,
      found.changed === 0,
    );
  return isComplete(found);
}

type AddFault = (fault: string, canMend?: boolean) => void;

/** Creates the function that reports a fault of a trace. Large traces are not repaired. */
export const faultAdder =
  ({ traceId, spanCount }: VerifiedTrace, report: ReportFault): AddFault =>
  (fault, canMend = false) =>
    report({ trace: traceId, fault, ...(canMend && spanCount <= MAX_REPAIRED_SPANS && { canMend }) });

/** Reads every block of a trace, and says what is wrong with them. */
export function readTraceBlocks(database: Database, trace: VerifiedTrace, addFault: AddFault): Found {
  const found: Found = { spanCount: 0, errorCount: 0, missing: 0, unreadable: 0, changed: 0 };
  const expected = entriesByBlock(database, trace);
  for (const seq of blocksOf(database, trace)) {
    const block = readBlock(database, trace, seq);
    const entries = expected.get(seq) ?? 0;
    expected.delete(seq);
    if (typeof block === 'string') {
      found.unreadable += 1;
      addFault(`block ${seq} ${block}`);
    } else found.missing += entries - countCurrent(database, trace, { seq, block, found, addFault });
  }
  for (const entries of expected.values()) found.missing += entries;
  return found;
}

interface CountedBlock {
  seq: number;
  block: readonly BlockSpan[];
  found: Found;
  addFault: AddFault;
}

/** Compares the spans of a block with the directory; returns how many of them are current. */
function countCurrent(
  database: Database,
  { application, tkey }: TraceKey,
  { seq, block, found, addFault }: CountedBlock,
): number {
  const rows = new Map(entriesOf(database, { application, tkey }, block).map((row) => [row.i, row] as const));
  let current = 0;
  for (const [index, { span, content }] of block.entries()) {
    const row = rows.get(index);
    if (!row) addFault(`span ${span.id} of block ${seq} is not in the directory`, true);
    // An earlier version of a span that was replaced stays until the trace is rewritten.
    if (row?.seq !== seq) continue;
    current += 1;
    if (!contentHash(content.bytes, content.scope, content.resourceHash).equals(row.hash)) {
      found.changed += 1;
      addFault(`span ${span.id} of block ${seq} is not the one that was stored: its sum differs`);
    }
    // An event about the trace itself is stored as a span, and is none.
    if (span.flags & SpanFlag.traceEvent) continue;
    found.spanCount += 1;
    if (span.status === STATUS_ERROR) found.errorCount += 1;
  }
  return current;
}

/** Returns how many spans the directory has in each block. */
const entriesByBlock = (database: Database, { application, tkey }: TraceKey): Map<number, number> =>
  new Map(
    database
      .all<{ seq: number; n: number }>(
        'SELECT seq, count(*) AS n FROM span WHERE application = :application AND tkey = :tkey GROUP BY seq',
        { application, tkey },
      )
      .map(({ seq, n }) => [seq, n]),
  );

/** Returns the entries of the directory for the spans of a block, each with the number of its span. */
const entriesOf = (
  database: Database,
  { application, tkey }: TraceKey,
  block: readonly BlockSpan[],
): { i: number; hash: Buffer; seq: number }[] =>
  database.all(
    `SELECT i, hash, seq FROM ordinal ${orderedJoin} span
       ON application = :application AND tkey = :tkey AND span_id = ${bytesAt(':ids', 'i * 8 + 1', 8)}
     WHERE i < :count`,
    {
      application,
      tkey,
      ids: Buffer.from(block.map(({ span }) => span.id).join(''), 'hex'),
      count: block.length,
    },
  );

/** Returns the numbers of the blocks of a trace. */
export const blocksOf = (database: Database, { application, tkey }: TraceKey): number[] =>
  database
    .all<{ seq: number }>(
      'SELECT seq FROM chunk WHERE application = :application AND tkey = :tkey ORDER BY seq',
      { application, tkey },
    )
    .map(({ seq }) => seq);

export interface BlockSpan {
  span: SkeletonSpan;
  content: PayloadSpan;
}

/** Decodes both parts of a block; returns its spans, or what is wrong with it. */
export function readBlock(
  database: Database,
  { application, tkey }: TraceKey,
  seq: number,
): BlockSpan[] | string {
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
    return spans.map((span, index) => ({ span, content: contents[index] as PayloadSpan }));
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
