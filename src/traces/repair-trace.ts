/** Computes what is stored twice about a trace again from its blocks. */
import type { Database } from '../storage/database.ts';
import { missingFacets, pairsOf } from './check-trace-row.ts';
import { contentHash } from './content-hash.ts';
import { finishRefresh, workOutTrace } from './refresh.ts';
import {
  blocksOf,
  isComplete,
  MAX_REPAIRED_SPANS,
  readBlock,
  readTraceBlocks,
  type VerifiedTrace,
} from './verify.ts';

/** Blocks that contain a span, oldest first, and the hash of its newest version. */
interface Place {
  seqs: number[];
  hash: Buffer;
}

interface Places {
  /** Places by the id of the span, in hex. */
  places: Map<string, Place>;
  /** Numbers of blocks that cannot be read. */
  unreadable: Set<number>;
}

/**
 * Enters spans that the directory lacks, counts the spans of the row again, and indexes its facets, in a transaction of the
 * caller. Returns what it did. What the directory has of blocks that cannot be read stays.
 */
export function repairTrace(database: Database, trace: VerifiedTrace): string[] {
  const found = placesOf(database, trace);
  if (found === null) return [];
  const entered = enterMissing(database, trace, found);
  const isCounted = countAgain(database, trace);
  const facets = indexFacets(database, trace);
  return [
    ...(entered > 0 ? [`${entered} of its spans were entered into the directory`] : []),
    ...(isCounted ? ['its spans were counted'] : []),
    ...(facets > 0 ? [`${facets} of its facets were indexed`] : []),
  ];
}

/** Computes sums and texts of a trace again, as maintenance does; returns whether it did. */
export function repairSums(database: Database, { tkey }: { tkey: number }, at: number): boolean {
  const refreshed = workOutTrace(database, { tkey });
  return refreshed !== null && finishRefresh(database, { tkey, asOf: at, refreshed });
}

/** Returns where each span is; null if the trace has too many. */
function placesOf(database: Database, trace: VerifiedTrace): Places | null {
  const places = new Map<string, Place>();
  const unreadable = new Set<number>();
  for (const seq of blocksOf(database, trace)) {
    const block = readBlock(database, trace, seq);
    if (typeof block === 'string') {
      unreadable.add(seq);
      continue;
    }
    if (places.size + block.length > MAX_REPAIRED_SPANS) return null;
    for (const { span, content } of block) {
      const hash = contentHash(content.bytes, content.scope, content.resourceHash);
      const seqs = [...(places.get(span.id)?.seqs ?? []), seq];
      places.set(span.id, { seqs, hash });
    }
  }
  return { places, unreadable };
}

/** Enters spans that the directory lacks, or has in a block without them. Returns their number. */
function enterMissing(
  database: Database,
  { application, tkey }: VerifiedTrace,
  { places, unreadable }: Places,
): number {
  let entered = 0;
  for (const [id, { seqs, hash }] of places) {
    const key = { application, tkey, spanId: Buffer.from(id, 'hex') };
    const entry = database.get<{ seq: number }>(
      'SELECT seq FROM span WHERE application = :application AND tkey = :tkey AND span_id = :spanId',
      key,
    );
    if (entry && (seqs.includes(entry.seq) || unreadable.has(entry.seq))) continue;
    entered += database.run(
      `INSERT INTO span (application, tkey, span_id, hash, seq) VALUES (:application, :tkey, :spanId, :hash, :seq)
       ON CONFLICT (application, tkey, span_id) DO UPDATE SET hash = excluded.hash, seq = excluded.seq`,
      { ...key, hash, seq: seqs.at(-1) as number },
    );
  }
  return entered;
}

/** Counts the spans of the row again, unless a block is lost or changed: then the row has the only count. */
function countAgain(database: Database, trace: VerifiedTrace): boolean {
  const { application, tkey } = trace;
  const found = readTraceBlocks(database, trace, () => undefined);
  const { spanCount, errorCount } = found;
  const isRight = spanCount === trace.spanCount && errorCount === trace.errorCount;
  if (isRight || !isComplete(found)) return false;
  database.run(
    `UPDATE trace SET span_count = :spanCount, error_count = :errorCount WHERE application = :application AND tkey = :tkey`,
    { spanCount, errorCount, application, tkey },
  );
  return true;
}

function indexFacets(database: Database, { application, tkey }: VerifiedTrace): number {
  const row = database.get<{ attributes: string }>(
    'SELECT attributes FROM trace WHERE application = :application AND tkey = :tkey',
    { application, tkey },
  );
  const missing = missingFacets(database, { application, tkey }, pairsOf(row?.attributes ?? '[]') ?? []);
  for (const [key, value] of missing)
    database.run(
      'INSERT INTO trace_attr (application, key, value, tkey) VALUES (:application, :key, :value, :tkey) ON CONFLICT DO NOTHING',
      { application, key, value, tkey },
    );
  return missing.length;
}
