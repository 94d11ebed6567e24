import { scanTraces } from '../../src/ingest/otlp/scan.ts';
import { SpanView } from '../../src/traces/conventions/span-view.ts';
import { describe as describeSpan, type DescribedSpan } from '../../src/traces/described.ts';
import { addLogged } from '../../src/traces/logged-span.ts';
import type { LogRecordMessage } from '../../src/traces/log-record.ts';
import type { OwnMappings } from '../../src/traces/own-rules/own-mappings.ts';
import { mapSpan } from '../../src/traces/map-span.ts';
import { SpanMapping } from '../../src/traces/mapping.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { requestOf, spanBytes } from './any-spans.ts';
import { skeletonOf } from './skeletons.ts';
import { BASE_NS, PRICES, type Values } from './spans.ts';
import { type EventSpec, spanView } from './views.ts';

const HEAD = spanBytes({ attributes: [], events: [] });

export interface Sent {
  events?: EventSpec[];
  logs?: LogRecordMessage[];
  /** Fields of the Span message besides. */
  more?: Buffer;
  /** Own mapping rules of the application. */
  own?: OwnMappings | null;
}

/** Returns what the rules map for a span with these attributes, as the server receives it. */
export function described(
  attributes: Values,
  { events = [], logs = [], more = Buffer.alloc(0), own = null }: Sent = {},
): DescribedSpan {
  const sent = Buffer.concat([HEAD, spanView(attributes, events).bytes, more]);
  const [span] = scanTraces(requestOf([sent]), BASE_NS, PRICES, { own }).spans as [IncomingSpan];
  const mapping = mapSpan(span.bytes, new SpanMapping(), logs, own);
  const skeleton = skeletonOf(span);
  if (logs.length > 0) addLogged(skeleton, logs, { prices: PRICES, bytesOf: () => span.bytes });
  return describeSpan(skeleton, new SpanView(span.bytes, logs, own), mapping, PRICES);
}
