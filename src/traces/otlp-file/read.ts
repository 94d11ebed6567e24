import type { Database } from '../../storage/database.ts';
import { orderedJoin } from '../../storage/dialect.ts';
import { currentSpans } from '../current-spans.ts';
import { type TraceFilter, type TracePlace, TraceWhere } from '../trace-where.ts';
import { unpack } from '../pack.ts';
import { resourcesOfBlocks, type RewriteInput } from '../rewrite.ts';
import { TraceFlag } from '../rollup.ts';
import { decodeSkeleton } from '../skeleton.ts';
import type { TraceKey } from '../trace-keys.ts';
import { WireWriter } from '../wire/writer.ts';
import { LOGS_DATA, TRACES_DATA } from './messages.ts';
import { toOtlpJson } from './to-json.ts';

export const OTLP_FORMATS = ['otlp-jsonl', 'otlp-proto'] as const;
export type OtlpFormat = (typeof OTLP_FORMATS)[number];

/** Stored bytes after which a page ends; a single block or record may be larger. */
const PAGE_BYTES = 512 * 1024;
/** Most traces and blocks of a page. */
const PAGE_TRACES = 200;
const PAGE_BLOCKS = 500;
/** Most log records that are read at once. */
const RECORDS_AT_ONCE = 200;

/** Place between two pages. */
export interface OtlpPosition {
  /** Last trace that is complete; null before the first one. */
  after: TracePlace | null;
  /** Trace of which a part was read; null if none. */
  open: OpenTrace | null;
}

interface OpenTrace {
  tkey: number;
  /** Sequence number of the next block. */
  seq: number;
  /** Id of the last log record that was read, after all blocks; null before that. */
  record: number | null;
}

export interface OtlpPage {
  /** Lines or messages of the file. */
  bytes: Uint8Array;
  /** Number of traces that this page completes. */
  traces: number;
  /** Null after the last page. */
  next: OtlpPosition | null;
}

interface Found {
  start: bigint;
  traceId: Buffer;
  tkey: bigint;
  flags: bigint;
}

/**
 * Returns a page of an export in OTLP, the newest traces first: their current spans as they were sent, in JSON with the log
 * records of the spans. A large trace takes several pages. At most `limit` traces.
 */
export function exportOtlp(
  database: Database,
  args: {
    application: number;
    filter: TraceFilter;
    format: OtlpFormat;
    from: OtlpPosition;
    limit: number;
  },
): OtlpPage {
  const { application, filter, format, from, limit } = args;
  const size = Math.min(limit, PAGE_TRACES);
  const where = new TraceWhere(
    database,
    application,
    from.after === null ? filter : { ...filter, after: from.after },
    { isContinued: true, limits: { found: size } },
  );
  const found = database.allExact<Found & Record<string, bigint | Buffer>>(
    `SELECT start_ns AS start, trace_id AS traceId, tkey, flags FROM trace WHERE ${where.sql}
     ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
    ...where.values,
    size,
  );
  const page = new PageOfFile(database, application, format);
  let { after } = from;
  for (const [index, { start, traceId, tkey, flags }] of found.entries()) {
    const key = { application, tkey: Number(tkey) };
    const begun = from.open?.tkey === key.tkey ? from.open : { tkey: key.tkey, seq: 0, record: null };
    const open = page.add(key, traceId, (Number(flags) & TraceFlag.overlap) !== 0, begun);
    if (open) return { bytes: page.end(), traces: index, next: { after, open } };
    after = { start, traceId };
    if (page.isFull && index < found.length - 1)
      return { bytes: page.end(), traces: index + 1, next: { after, open: null } };
  }
  const { searchedUntil } = where;
  if (found.length < size && searchedUntil)
    return { bytes: page.end(), traces: found.length, next: { after: searchedUntil, open: null } };
  const isEnd = found.length < size || size === limit;
  return { bytes: page.end(), traces: found.length, next: isEnd ? null : { after, open: null } };
}

/** Reads one page. */
class PageOfFile {
  private readonly database: Database;
  private readonly application: number;
  private readonly format: OtlpFormat;
  private readonly spans: Buffer[] = [];
  private readonly records: Buffer[] = [];
  private size = 0;
  private blocks = 0;

  constructor(database: Database, application: number, format: OtlpFormat) {
    this.database = database;
    this.application = application;
    this.format = format;
  }

  get isFull(): boolean {
    return this.size >= PAGE_BYTES || this.blocks >= PAGE_BLOCKS;
  }

  /** Adds as much of a trace as the page has space for; returns where it continues, null if it is complete. */
  add(key: TraceKey, traceId: Buffer, overlaps: boolean, from: OpenTrace): OpenTrace | null {
    let { seq } = from;
    if (from.record === null) {
      const { blocks, isLast } = this.readBlocks(key, seq);
      if (blocks.length > 0) this.addBlocks(key, overlaps, blocks);
      seq = (blocks.at(-1)?.seq ?? seq - 1) + 1;
      if (!isLast) return { ...from, seq };
    }
    // A file of protobuf messages has messages of one type only.
    if (this.format === 'otlp-proto') return null;
    const record = this.addRecords(traceId, from.record ?? 0);
    return record === null ? null : { tkey: key.tkey, seq, record };
  }

  end(): Uint8Array {
    const spans = Buffer.concat(this.spans);
    if (this.format === 'otlp-proto') return spans.length === 0 ? spans : withLength(spans);
    const lines = [
      ...(spans.length === 0 ? [] : [`${toOtlpJson(spans, TRACES_DATA)}\n`]),
      ...(this.records.length === 0 ? [] : [`${toOtlpJson(logsData(this.records), LOGS_DATA)}\n`]),
    ];
    return Buffer.from(lines.join(''));
  }

  private readBlocks(
    { application, tkey }: TraceKey,
    from: number,
  ): { blocks: RewriteInput['blocks']; isLast: boolean } {
    const space = Math.max(1, PAGE_BLOCKS - this.blocks);
    const rows = this.database.all<{ seq: number; bytes: number }>(
      `SELECT seq, length(payload) AS bytes FROM chunk
       WHERE application = :application AND tkey = :tkey AND seq >= :from ORDER BY seq LIMIT :space`,
      { application, tkey, from, space },
    );
    const blocks: RewriteInput['blocks'] = [];
    for (const { seq, bytes } of rows) {
      if (blocks.length > 0 && this.isFull) break;
      this.size += bytes;
      this.blocks += 1;
      const block = this.database.get<RewriteInput['blocks'][number]>(
        'SELECT seq, skeleton, payload FROM chunk WHERE application = :application AND tkey = :tkey AND seq = :seq',
        { application, tkey, seq },
      );
      if (block) blocks.push(block);
    }
    return { blocks, isLast: blocks.length === rows.length && rows.length < space };
  }

  private addBlocks(key: TraceKey, overlaps: boolean, blocks: RewriteInput['blocks']): void {
    const directory = blocks.map(({ seq, skeleton }) => {
      const ids = decodeSkeleton(Buffer.from(skeleton), seq).spans.map(({ id }) => id);
      return { seq, ids: overlaps ? this.currentOf(key, seq, ids) : ids };
    });
    this.spans.push(
      currentSpans({
        application: this.application,
        version: 0,
        receivedAt: 0,
        blocks,
        spanIds: Buffer.from(directory.flatMap(({ ids }) => ids).join(''), 'hex'),
        spanBlocks: directory.flatMap(({ seq, ids }) => ids.map(() => seq)),
        resources: resourcesOfBlocks(this.database, this.application, blocks),
      }),
    );
  }

  /** Returns those spans of a block whose current version it has. */
  private currentOf({ application, tkey }: TraceKey, seq: number, ids: readonly string[]): string[] {
    const rows = this.database.all<{ i: number }>(
      `SELECT i FROM ordinal ${orderedJoin} span
         ON application = :application AND tkey = :tkey AND span_id = substr(:ids, i * 8 + 1, 8)
       WHERE i < :count AND seq = :seq`,
      { application, tkey, ids: Buffer.from(ids.join(''), 'hex'), count: ids.length, seq },
    );
    return rows.map(({ i }) => ids[i] as string);
  }

  /** Adds the log records of a trace after `from`; returns the last one if the page is full before the end. */
  private addRecords(traceId: Buffer, from: number): number | null {
    for (let last = from; ; ) {
      const rows = this.database.all<{ id: number; bytes: number }>(
        `SELECT id, length(record) AS bytes FROM span_log
         WHERE application = :application AND trace_id = :traceId AND id > :last ORDER BY id LIMIT :limit`,
        { application: this.application, traceId, last, limit: RECORDS_AT_ONCE },
      );
      for (const { id, bytes } of rows) {
        if (this.size >= PAGE_BYTES && this.records.length > 0) return last;
        this.size += bytes;
        const row = this.database.get<{ record: Buffer }>('SELECT record FROM span_log WHERE id = :id', {
          id,
        });
        if (row) this.records.push(unpack(row.record));
        last = id;
      }
      if (rows.length < RECORDS_AT_ONCE) return null;
    }
  }
}

/** Puts the length in front of a message: four bytes, the highest first, as the Collector's file exporter does. */
function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/** Wraps log records, whose resource and scope are not stored, in one LogsData message. */
function logsData(records: readonly Buffer[]): Buffer {
  const writer = new WireWriter();
  const resourceLogs = writer.begin(1);
  const scopeLogs = writer.begin(2);
  for (const record of records) writer.bytesField(2, record);
  writer.end(scopeLogs);
  writer.end(resourceLogs);
  return writer.toBuffer();
}
