import type { Database, InsertStatement, RowStatement } from '../storage/database.ts';
import { bytesAt, orderedJoin } from '../storage/dialect.ts';
import { RowSet } from '../storage/row-set.ts';
import type { BlockGroup } from './batch.ts';
import type { ByteRange } from './byte-buffer.ts';
import { decodeSkeleton, WantedSpans } from './skeleton.ts';
import { type SkeletonSpan, SpanFlag, STATUS_ERROR } from './span.ts';
import { addSums, countedSums } from './sums.ts';
import type { TraceKey } from './trace-keys.ts';
import type { TraceSums } from './trace-row.ts';

const ADD_SPAN: InsertStatement = {
  sql: 'INSERT INTO span (application, tkey, span_id, hash, seq) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'integer', 'blob', 'blob', 'integer'],
  key: { tkey: 2, seq: 5 },
};
const ADD_SPANS: InsertStatement = {
  sql: `INSERT INTO span (application, tkey, span_id, hash, seq)
             SELECT ?, ?, ${bytesAt('?', 'i * 8 + 1', 8)}, ${bytesAt('?', 'i * 8 + 1', 8)}, ? FROM ordinal WHERE i < ? ON CONFLICT DO NOTHING`,
  columns: ['integer', 'integer', 'blob', 'blob', 'integer', 'integer'],
  key: { tkey: 2, seq: 5 },
};
const ADD_BLOCK: RowStatement = {
  sql: 'INSERT INTO chunk (application, tkey, seq, skeleton, payload) VALUES (?, ?, ?, ?, ?)',
  columns: ['integer', 'integer', 'integer', 'blob', 'blob'],
};

/** A block of spans of one trace that one command stores. */
export interface SentBlock {
  readonly key: TraceKey;
  readonly seq: number;
  readonly block: BlockGroup;
  readonly byteBuffer: Uint8Array;
  /** Sums of its group of spans, from which those that are not new are subtracted. */
  readonly sums: TraceSums;
}

/** Numbers of spans of a block by outcome, counted in events. */
export interface BlockOutcome {
  stored: number;
  duplicate: number;
  replaced: number;
  /** True if the block has a new span or version, and is stored. */
  hasNews: boolean;
  /** True if a span of the block was stored before. */
  overlaps: boolean;
}

/** Adds the spans of blocks to the directory, and stores the blocks with at least one that is new. */
export function storeBlocks(database: Database, blocks: readonly SentBlock[]): BlockOutcome[] {
  const added = addSpans(database, blocks);
  const known = new KnownBlocks(database, blocks);
  const outcomes = blocks.map((sent, index): BlockOutcome => {
    const { block } = sent;
    const news = added[index] as number;
    const outcome = { stored: eventsOf(block), duplicate: 0, replaced: 0, hasNews: news > 0 };
    if (news === block.count) return { ...outcome, overlaps: false };
    const { duplicate, replaced, hasNews } = meetStored(database, sent, known);
    const stored = outcome.stored - duplicate - replaced;
    return { stored, duplicate, replaced, hasNews: hasNews || outcome.hasNews, overlaps: true };
  });
  const rows = new RowSet(ADD_BLOCK);
  for (const [index, { key, seq, block, byteBuffer }] of blocks.entries()) {
    if (!outcomes[index]?.hasNews) continue;
    const { application, tkey } = key;
    rows.add(application, tkey, seq, bytesIn(byteBuffer, block.skeleton), bytesIn(byteBuffer, block.payload));
  }
  rows.write(database);
  return outcomes;
}

/** Adds spans to the directory in the order of their blocks; returns the number of new ones of each block. */
function addSpans(database: Database, blocks: readonly SentBlock[]): number[] {
  const isAlone = blocks.every(({ block }) => block.count === 1);
  return database.runManyNew(
    isAlone ? ADD_SPAN : ADD_SPANS,
    blocks.map(({ key: { application, tkey }, seq, block, byteBuffer }) => {
      const row = [
        application,
        tkey,
        bytesIn(byteBuffer, block.spanIds),
        bytesIn(byteBuffer, block.hashes),
        seq,
      ];
      if (!isAlone) row.push(block.count);
      return row;
    }),
  );
}

/** Span indexes of blocks, which may be stored already or wait for the end of this command. */
class KnownBlocks {
  private readonly database: Database;
  private readonly blocks: readonly SentBlock[];
  private sent: Map<string, SentBlock> | null = null;

  constructor(database: Database, blocks: readonly SentBlock[]) {
    this.database = database;
    this.blocks = blocks;
  }

  /** Returns spans of a block by their ids, possibly with further ones. */
  spans({ application, tkey }: TraceKey, seq: number, ids: readonly Buffer[]): Map<string, SkeletonSpan> {
    this.sent ??= new Map(this.blocks.map((one) => [`${one.key.tkey} ${one.seq}`, one]));
    const sent = this.sent.get(`${tkey} ${seq}`);
    const skeleton = sent
      ? bytesIn(sent.byteBuffer, sent.block.skeleton)
      : this.database.get<{ skeleton: Buffer }>(
          'SELECT skeleton FROM chunk WHERE application = ? AND tkey = ? AND seq = ?',
          application,
          tkey,
          seq,
        )?.skeleton;
    const wanted = new WantedSpans();
    for (const id of ids) wanted.add(id);
    const spans = skeleton ? decodeSkeleton(skeleton, seq, wanted).spans : [];
    return new Map(spans.map((span) => [span.id, span]));
  }
}

/** Compares the spans of a block that the directory already contains: they are duplicates or other versions. */
function meetStored(
  database: Database,
  { key, seq, block, byteBuffer, sums }: SentBlock,
  known: KnownBlocks,
): { duplicate: number; replaced: number; hasNews: boolean } {
  const { application, tkey } = key;
  const spanIds = bytesIn(byteBuffer, block.spanIds);
  const hashes = bytesIn(byteBuffer, block.hashes);
  const stored = database.all<{ i: number; hash: Buffer; oldSeq: number }>(
    `SELECT i, hash, seq AS "oldSeq"
       FROM ordinal ${orderedJoin} span ON application = ? AND tkey = ? AND span_id = ${bytesAt('?', 'i * 8 + 1', 8)}
       WHERE i < ? AND seq <> ?`,
    application,
    tkey,
    spanIds,
    block.count,
    seq,
  );
  const own = decodeSkeleton(bytesIn(byteBuffer, block.skeleton), seq).spans;
  const idOf = (i: number): Buffer => spanIds.subarray(i * 8, i * 8 + 8);
  const hashOf = (i: number): Buffer => hashes.subarray(i * 8, i * 8 + 8);
  let duplicate = 0;
  let replaced = 0;
  const changed: { i: number; oldSeq: number }[] = [];
  for (const { i, hash, oldSeq } of stored) {
    if (!hash.equals(hashOf(i))) changed.push({ i, oldSeq });
    else {
      subtract(sums, own[i] as SkeletonSpan);
      duplicate += block.events?.[i] ?? 1;
    }
  }
  for (const [oldSeq, members] of Map.groupBy(changed, (member) => member.oldSeq)) {
    const old = known.spans(
      key,
      oldSeq,
      members.map(({ i }) => idOf(i)),
    );
    for (const { i } of members) {
      const id = (own[i] as SkeletonSpan).id;
      const before = old.get(id);
      if (!before)
        throw new Error(`the directory names block ${oldSeq} for span ${id}, which it does not hold`);
      subtract(sums, before);
      if (!block.completes?.[i]) replaced += block.events?.[i] ?? 1;
    }
  }
  database.runMany(
    MOVE_SPAN,
    changed.map(({ i }) => [hashOf(i), seq, application, tkey, idOf(i)]),
  );
  return { duplicate, replaced, hasNews: changed.length > 0 };
}

const MOVE_SPAN: RowStatement = {
  sql: 'UPDATE span SET hash = ?, seq = ? WHERE application = ? AND tkey = ? AND span_id = ?',
  columns: ['blob', 'integer', 'integer', 'integer', 'blob'],
};

function subtract(sums: TraceSums, span: SkeletonSpan): void {
  if (!(span.flags & SpanFlag.traceEvent)) {
    sums.spanCount -= 1;
    if (span.status === STATUS_ERROR) sums.errorCount -= 1;
  }
  addSums(sums, countedSums(span), -1);
}

export function bytesIn(byteBuffer: Uint8Array, [start, end]: ByteRange): Buffer {
  return Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
}

export function eventsOf(block: BlockGroup): number {
  return block.events ? block.events.reduce((sum, count) => sum + count, 0) : block.count;
}
