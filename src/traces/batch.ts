import { contentHash } from './content-hash.ts';
import { ByteBuffer, type ByteRange } from './byte-buffer.ts';
import { RULE_SET_VERSION } from './conventions/rule-set.ts';
import { encodePayload } from './payload.ts';
import { type Rollup, rollUp, TraceFlag } from './rollup.ts';
import { encodeSkeleton, MAX_BLOCK_SPANS } from './skeleton.ts';
import type { IncomingResource, IncomingSpan } from './span.ts';
import { hasSums, markReportedElsewhere } from './sums.ts';

/** Spans prepared for the writer: grouped by trace, encoded and rolled up. All their bytes are in one byte buffer. */
export interface SpanBatch {
  byteBuffer: Uint8Array;
  resources: { hash: ByteRange; bytes: ByteRange }[];
  traces: TraceGroup[];
  /**
   * Number of spans that occur twice in the batch: with the same content, and with other content, of which the last
   * is kept. Counted in events.
   */
  duplicate: number;
  replaced: number;
}

export interface TraceGroup {
  traceId: ByteRange;
  blocks: BlockGroup[];
  /** Roll-up over all spans of all blocks. */
  rollup: Rollup;
}

export interface BlockGroup {
  count: number;
  /** Eight bytes per span: ids, and hashes of the content. */
  spanIds: ByteRange;
  hashes: ByteRange;
  skeleton: ByteRange;
  payload: ByteRange;
  /** Indexes into `resources`. */
  resources: number[];
  /** Values of IncomingSpan per span; null when all are 1 (or false). */
  events: number[] | null;
  completes: boolean[] | null;
}

const MAX_BLOCK_BYTES = 1024 * 1024;

/** Groups `spans`, given in any order, by trace; those of a trace keep the given order. */
export function buildBatch(spans: readonly IncomingSpan[]): SpanBatch {
  const batch = new BatchBuilder();
  for (const span of spans) batch.add(span);
  return batch.build();
}

interface Hashed {
  span: IncomingSpan;
  hash: Buffer;
}

class BatchBuilder {
  private readonly traces = new Map<string, Map<string, Hashed>>();
  private readonly resources = new Map<IncomingResource, number>();
  private readonly byteBuffer = new ByteBuffer();
  /** Ids of traces whose spans were replaced. */
  private readonly replacedIn = new Set<string>();
  private duplicate = 0;
  private replaced = 0;

  add(span: IncomingSpan): void {
    let trace = this.traces.get(span.traceId);
    if (!trace) this.traces.set(span.traceId, (trace = new Map<string, Hashed>()));
    const digest = contentHash(span.bytes, span.scope, span.resource.hash);
    const known = trace.get(span.spanId);
    if (known) {
      if (known.hash.equals(digest)) {
        this.duplicate += span.events;
        return;
      }
      this.replaced += known.span.events;
      this.replacedIn.add(span.traceId);
    }
    trace.set(span.spanId, { span, hash: digest });
  }

  build(): SpanBatch {
    const traces: TraceGroup[] = [];
    for (const [traceId, members] of this.traces) {
      const spans: IncomingSpan[] = [];
      const byId = new Map<string, IncomingSpan>();
      for (const [id, { span }] of members) {
        spans.push(span);
        byId.set(id, span);
      }
      markUsage(spans);
      const blocks = splitIntoBlocks([...members.values()]).map((block) => this.block(block));
      const rollup = rollUp(spans, byId);
      if (this.replacedIn.has(traceId)) rollup.flags |= TraceFlag.replaced;
      traces.push({ traceId: this.byteBuffer.add(Buffer.from(traceId, 'latin1')), blocks, rollup });
    }
    const resources = [...this.resources.keys()].map(({ hash: digest, bytes }) => ({
      hash: this.byteBuffer.add(digest),
      bytes: this.byteBuffer.add(bytes),
    }));
    return {
      byteBuffer: this.byteBuffer.build(),
      resources,
      traces,
      duplicate: this.duplicate,
      replaced: this.replaced,
    };
  }

  private block(members: readonly Hashed[]): BlockGroup {
    const spans = members.map(({ span }) => span);
    const resources = new Set<number>();
    for (const { resource } of spans) resources.add(this.resourceIndex(resource));
    return {
      count: members.length,
      spanIds: this.byteBuffer.add(Buffer.from(spans.map(({ spanId }) => spanId).join(''), 'latin1')),
      hashes: this.byteBuffer.add(Buffer.concat(members.map((member) => member.hash))),
      skeleton: this.byteBuffer.add(encodeSkeleton(spans, RULE_SET_VERSION)),
      payload: this.byteBuffer.add(encodePayload(spans)),
      resources: [...resources],
      events: spans.some(({ events }) => events !== 1) ? spans.map(({ events }) => events) : null,
      completes: spans.some(({ completes }) => completes) ? spans.map(({ completes }) => completes) : null,
    };
  }

  private resourceIndex(resource: IncomingResource): number {
    let index = this.resources.get(resource);
    if (index === undefined) this.resources.set(resource, (index = this.resources.size));
    return index;
  }
}

/** Marks the use that other spans of the batch report too. Most spans report no use of a model. */
function markUsage(spans: readonly IncomingSpan[]): void {
  if (!spans.some(hasSums)) return;
  const places = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  markReportedElsewhere(
    spans,
    spans.map(({ parentId }) => places.get(parentId) ?? -1),
  );
}

/** Splits spans into blocks, small enough that reading one span costs little more than its own size. */
function splitIntoBlocks(members: Hashed[]): Hashed[][] {
  const blocks: Hashed[][] = [];
  let bytes = 0;
  for (const member of members) {
    const size = member.span.bytes.length;
    const last = blocks.at(-1);
    if (last && last.length < MAX_BLOCK_SPANS && bytes + size <= MAX_BLOCK_BYTES) {
      last.push(member);
      bytes += size;
    } else {
      blocks.push([member]);
      bytes = size;
    }
  }
  return blocks;
}
