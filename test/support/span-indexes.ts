/** Span indexes made from spans, without a store. */
import { SpanIndex } from '../../src/span-index/reader.ts';
import { encodeSkeleton } from '../../src/traces/skeleton.ts';
import { type IncomingSpan, SpanFlag } from '../../src/traces/span.ts';
import { SpanColumns } from '../../src/traces/span-index/columns.ts';
import { packSpanIndex } from '../../src/traces/span-index/pack.ts';
import { orderTree } from '../../src/traces/span-index/tree-order.ts';
import { BASE_NS, incomingSpans } from './spans.ts';

/** Returns the span index of stored blocks. */
export function indexOf(
  blocks: readonly { seq: number; skeleton: Buffer }[],
  isTruncated = false,
): SpanIndex {
  const columns = new SpanColumns(blocks);
  const entries = Uint32Array.from({ length: columns.count }, (_, entry) => entry).filter(
    (entry) => !((columns.flags[entry] as number) & SpanFlag.traceEvent),
  );
  return new SpanIndex(
    packSpanIndex(columns, orderTree(columns, entries), isTruncated) as Uint8Array<ArrayBuffer>,
  );
}

const [TEMPLATE] = incomingSpans([{ id: 1 }]) as [IncomingSpan];
const MILLISECOND_NS = 1_000_000n;

export interface PlainSpan
  extends Partial<Pick<IncomingSpan, 'name' | 'kind' | 'status' | 'totalTokens' | 'model'>> {
  /** Number from 1; the order of the starts. */
  id: number;
  parent?: number;
}

const idText = (id: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(id, 4);
  return bytes.toString('latin1');
};

/** Returns the id by which a span index names a span. */
export const spanIdOf = (id: number): string => id.toString(16).padStart(16, '0');

/** Returns the span index of a trace. */
export function indexOfSpans(spans: readonly PlainSpan[]): SpanIndex {
  const incoming = spans.map(({ id, parent, ...rest }): IncomingSpan => {
    const start = BASE_NS + BigInt(id) * MILLISECOND_NS;
    return {
      ...TEMPLATE,
      name: `span ${id}`,
      ...rest,
      spanId: idText(id),
      parentId: parent === undefined ? '' : idText(parent),
      start,
      end: start + MILLISECOND_NS,
    };
  });
  return indexOf([{ seq: 0, skeleton: encodeSkeleton(incoming, 1) }]);
}
