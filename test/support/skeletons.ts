import type { IncomingSpan, SkeletonSpan } from '../../src/traces/span.ts';
import { SPAN_KINDS } from '../../src/traces/span-kinds.ts';

/** Returns the skeleton of a span that was never stored. */
export function skeletonOf(span: IncomingSpan): SkeletonSpan {
  const hex = (id: string): string => Buffer.from(id, 'latin1').toString('hex');
  return {
    ...span,
    id: hex(span.spanId),
    parentId: span.parentId === '' ? null : hex(span.parentId),
    kind: SPAN_KINDS[span.kind] ?? 'SPAN',
    service: span.resource.service,
    resourceTestId: span.resource.testId,
    block: 0,
    index: 0,
  };
}
