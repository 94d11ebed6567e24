import type { Database } from '../../storage/database.ts';
import { hexOf, numbersOf } from '../../storage/dialect.ts';
import { decodeLogRecord, type LogRecordMessage } from '../log-record.ts';
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

/** Most log records of a group of traces whose texts are searched. */
const MAX_LOGS = 2_000;
/** Blocks of a large trace that are read at once. */
const BLOCKS_AT_ONCE = 8;

interface Block {
  tkey: number;
  seq: number;
  skeleton: Buffer;
  payload: Buffer;
}

/** Returns the stored bytes of the payloads of each trace, by trace key. */
export function bytesOfPayloads(
  database: Database,
  application: number,
  tkeys: readonly number[],
): Map<number, number> {
  const rows = database.all<{ tkey: number; bytes: number }>(
    `SELECT tkey, sum(length(payload)) AS bytes FROM chunk WHERE application = :application AND tkey IN ${numbersOf(':tkeys')}
     GROUP BY tkey`,
    { application, tkeys: JSON.stringify(tkeys) },
  );
  return new Map(rows.map(({ tkey, bytes }) => [tkey, bytes]));
}

/** Reads the steps of a group of traces by a few statements, whatever their number. */
export class StepsOfTraces {
  private readonly database: Database;
  private readonly application: number;
  private readonly resources: Map<string, Attributes>;
  private readonly tkeys: string;
  private readonly logs: Map<string, LogRecordMessage[]>;
  private readonly current: Map<string, number>;
  private readonly overlapping: ReadonlySet<number>;
  private readonly blocks = new Map<number, Block[]>();

  /** `resources` keeps the attributes of resources between groups. With `isLarge`, blocks of the only trace are read piece by piece. */
  constructor(
    database: Database,
    application: number,
    traces: readonly SearchedTrace[],
    { resources, isLarge }: { resources: Map<string, Attributes>; isLarge: boolean },
  ) {
    this.database = database;
    this.application = application;
    this.resources = resources;
    this.tkeys = JSON.stringify(traces.map(({ tkey }) => tkey));
    this.overlapping = new Set(
      traces.filter(({ flags }) => flags & TraceFlag.overlap).map(({ tkey }) => tkey),
    );
    this.current = this.readCurrent();
    this.logs = this.readLogs();
    if (isLarge) return;
    for (const block of this.readBlocks(-1, -1)) {
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
          logs: this.logs.get(`${tkey} ${span.id}`) ?? [],
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

  private readLogs(): Map<string, LogRecordMessage[]> {
    const logs = new Map<string, LogRecordMessage[]>();
    const rows = this.database.all<{ tkey: number; record: Buffer }>(
      `SELECT tkey, record FROM span_log WHERE application = :application AND tkey IN ${numbersOf(':tkeys')}
       ORDER BY id LIMIT :limit`,
      { application: this.application, tkeys: this.tkeys, limit: MAX_LOGS },
    );
    for (const { tkey, record } of rows) {
      const log = decodeLogRecord(unpack(record));
      const key = `${tkey} ${log.spanId.toString('hex')}`;
      const records = logs.get(key);
      if (records) records.push(log);
      else logs.set(key, [log]);
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
