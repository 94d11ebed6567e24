import type { LogRecordMessage } from './log-record.ts';
import { mapSpan } from './map-span.ts';
import { SpanMapping } from './mapping.ts';
import type { PriceList } from './prices/price-list.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { SPAN_KINDS } from './span-kinds.ts';
import { hasSums, readSums } from './sums.ts';

const NOTHING = Buffer.alloc(0);
/** Shared by the thread, because the values are copied at once. */
const [mapping, ofSpan] = [new SpanMapping(), new SpanMapping()];

/**
 * Adds values of the log records of a span that it lacks itself: content, kind, model and usage. Returns the session that
 * they name; null when they name none. `bytesOf` reads the Span message, which names the provider whose prices apply.
 */
export function addLogged(
  span: SkeletonSpan,
  records: readonly LogRecordMessage[],
  { prices, bytesOf }: { prices: PriceList; bytesOf: (span: SkeletonSpan) => Buffer },
): string | null {
  mapSpan(NOTHING, mapping, records);
  span.flags |= mapping.flags;
  if (span.kind === 'SPAN' && mapping.kind !== 0) span.kind = SPAN_KINDS[mapping.kind] ?? 'SPAN';
  span.model ??= mapping.name('model');
  if (!hasSums(span) && (span.flags & SpanFlag.costKnown) === 0) {
    const provider = mapping.hasUsage ? mapSpan(bytesOf(span), ofSpan).name('provider') : null;
    const { sums, flags } = readSums(mapping, prices, { ...span, provider });
    Object.assign(span, sums);
    span.flags |= flags;
  }
  return mapping.name('sessionId');
}
