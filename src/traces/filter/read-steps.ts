import type { Database } from '../../storage/database.ts';
import { eachNumber, hexOf, numbersOf } from '../../storage/dialect.ts';
import { decodeLogRecord, type LogRecordMessage } from '../log-record.ts';
import { logsOfSpan } from '../span-logs.ts';
import { unpack } from '../pack.ts';
import { decodePayload } from '../payload.ts';
import { TraceFlag } from '../rollup.ts';
import { decodeSkeleton } from '../skeleton.ts';
import { type Attributes, decodeResource } from '../span-wire.ts';
import { WIRE_BYTES, WireReader } from '../wire/reader.ts';
import type { ReadStep } from './step-terms.ts';

/** A trace whose steps are searched. */
export interface SearchedTrace {
  tkey: number;
  flags: number;
}

/** Blocks of a large trace that are read at once. */
const BLOCKS_AT_ONCE = 8;

interface Block {
  tkey: number;
  seq: number;
  skeleton: Buffer;
  payload: Buffer;
}

/** Stored bytes of what a search reads of a trace. */
export interface StepBytes {
  payloads: number;
  logs: number;
}

/** Returns the stored bytes of the steps of traces, by trace key. */
export function bytesOfSteps(
  database: Database,
  application: number,
  tkeys: readonly number[],
): Map<number, StepBytes> {
  const rows = database.all<StepBytes & { tkey: number }>(
    `SELECT value AS tkey,
       (SELECT coalesce(sum(length(payload)), 0) FROM chunk WHERE application = :application AND tkey = value) AS payloads,
       (SELECT coalesce(sum(length(record)), 0) FROM span_log WHERE application = :application AND tkey = value) AS logs
     FROM ${eachNumber(':tkeys')} AS wanted`,
    { application, tkeys: JSON.stringify(tkeys) },
  );
  return new Map(rows.map(({ tkey, ...bytes }) => [tkey, bytes]));
}

/** A trace that is too large to be read at once. */
export interface LargeTrace {
  traceId: Buffer;
  hasLogs: boolean;
}

/** Reads the steps of a group of traces by a few statements, or those of one large trace piece by piece. */
export class StepsOfTraces {
  private readonly database: Database;
  private readonly application: number;
  private readonly resources: Map<string, Attributes>;
  private readonly tkeys: string;
  /** Packed log records by span; they are unpacked one span after the other. */
  private readonly logs: Map<string, Buffer[]>;
  private readonly large: LargeTrace | null;
  private readonly current: Map<string, number>;
  private readonly overlapping: ReadonlySet<number>;
  private readonly blocks = new Map<number, Block[]>();

  /** `resources` keeps the attributes of resources between groups. */
  constructor(
    database: Database,
    application: number,
    traces: readonly SearchedTrace[],
    { resources, large }: { resources: Map<string, Attributes>; large: LargeTrace | null },
  ) {
    this.database = database;
    this.application = application;
    this.resources = resources;
    this.tkeys = JSON.stringify(traces.map(({ tkey }) => tkey));
    this.overlapping = new Set(
      traces.filter(({ flags }) => flags & TraceFlag.overlap).map(({ tkey }) => tkey),
    );
    this.current = this.readCurrent();
    this.large = large;
    this.logs = large ? new Map<string, Buffer[]>() : this.readLogs();
    if (large) return;
    for (const block of this.readBlocks(-1, Number.MAX_SAFE_INTEGER)) {
      const blocks = this.blocks.get(block.tkey);
      if (blocks) blocks.push(block);
      else this.blocks.set(block.tkey, [block]);
    }
  }

  /** Yields the current version of each step of a trace of the group. */
  *of(tkey: number): Generator<ReadStep> {
    const read = this.blocks.get(tkey);
    if (read) {
      yield* this.steps(read);
      return;
    }
    for (let seq = -1; ; ) {
      const blocks = this.readBlocks(seq, BLOCKS_AT_ONCE);
      yield* this.steps(blocks);
      const last = blocks.at(-1);
      if (!last || blocks.length < BLOCKS_AT_ONCE) return;
      ({ seq } = last);
    }
  }

  private *steps(blocks: readonly Block[]): Generator<ReadStep> {
    for (const { tkey, seq, skeleton, payload } of blocks) {
      const { spans, resources } = decodeSkeleton(skeleton, seq);
      this.readResources(resources);
      const payloads = decodePayload(payload);
      for (const span of spans) {
        if (this.overlapping.has(tkey) && this.current.get(`${tkey} ${span.id}`) !== seq) continue;
        const opened = payloads[span.index];
        if (!opened) continue;
        yield {
          skeleton: span,
          bytes: opened.bytes,
          logs: this.logsOf(tkey, span.id),
          resource: this.resources.get(opened.resourceHash.toString('hex')) ?? {},
        };
      }
    }
  }

  private readBlocks(after: number, limit: number): Block[] {
    return this.database.all<Block>(
      `SELECT tkey, seq, skeleton, payload FROM chunk
       WHERE application = :application AND tkey IN ${numbersOf(':tkeys')} AND seq > :after ORDER BY tkey, seq LIMIT :limit`,
      { application: this.application, tkeys: this.tkeys, after, limit },
    );
  }

  /** Finds the current block of each span of traces whose blocks overlap. */
  private readCurrent(): Map<string, number> {
    if (this.overlapping.size === 0) return new Map();
    const rows = this.database.all<{ tkey: number; id: string; seq: number }>(
      `SELECT tkey, ${hexOf('span_id')} AS id, seq FROM span
       WHERE application = :application AND tkey IN ${numbersOf(':tkeys')}`,
      { application: this.application, tkeys: JSON.stringify([...this.overlapping]) },
    );
    return new Map(rows.map(({ tkey, id, seq }) => [`${tkey} ${id}`, seq]));
  }

  private logsOf(tkey: number, spanId: string): readonly LogRecordMessage[] {
    const { large } = this;
    if (large === null)
      return (this.logs.get(`${tkey} ${spanId}`) ?? []).map((record) => decodeLogRecord(unpack(record)));
    if (!large.hasLogs) return [];
    const id = Buffer.from(spanId, 'hex');
    return logsOfSpan(this.database, this.application, large.traceId, id).get(spanId) ?? [];
  }

  private readLogs(): Map<string, Buffer[]> {
    const rows = this.database.all<{ tkey: number; span: string; record: Buffer }>(
      `SELECT tkey, ${hexOf('span_id')} AS span, record FROM span_log
       WHERE application = :application AND tkey IN ${numbersOf(':tkeys')} ORDER BY id`,
      { application: this.application, tkeys: this.tkeys },
    );
    const logs = new Map<string, Buffer[]>();
    for (const { tkey, span, record } of rows) {
      const key = `${tkey} ${span}`;
      const records = logs.get(key);
      if (records) records.push(record);
      else logs.set(key, [record]);
    }
    return logs;
  }

  private readResources(hashes: readonly Buffer[]): void {
    const unknown = hashes.filter((hash) => !this.resources.has(hash.toString('hex')));
    if (unknown.length === 0) return;
    if (this.resources.size > MAX_RESOURCES) this.resources.clear();
    const rows = this.database.all<{ hash: Buffer; bytes: Buffer }>(
      `SELECT hash, bytes FROM resource WHERE application = ? AND hash IN (${unknown.map(() => '?').join(', ')})`,
      this.application,
      ...unknown,
    );
    for (const { hash, bytes } of rows) this.resources.set(hash.toString('hex'), attributesOf(bytes));
  }
}

/** Most resources whose attributes are kept; a block has far fewer. */
const MAX_RESOURCES = 2_000;

/** Returns the attributes of a ResourceSpans message without its spans. */
function attributesOf(bytes: Buffer): Attributes {
  const messages: Buffer[] = [];
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) messages.push(reader.bytes());
    else reader.skip(tag);
  }
  return decodeResource(Buffer.concat(messages)).attributes;
}
