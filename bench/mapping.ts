import { scanTraces } from '../src/ingest/otlp/scan.ts';
import { mapSpan } from '../src/traces/map-span.ts';
import { SpanMapping } from '../src/traces/mapping.ts';
import { createPriceList } from '../src/traces/prices/price-list.ts';
import { rollUp } from '../src/traces/rollup.ts';
import type { IncomingSpan } from '../src/traces/span.ts';
import { readSums } from '../src/traces/sums.ts';
import { SpanSource } from './payloads.ts';

const ROUNDS = 60;

/**
 * Returns the microseconds that mapping a span takes in this process: every field that ingest needs, and the texts of
 * its trace. This is more than ingest takes, which maps a span while it decodes it.
 */
export function mappingMicroseconds(spansEach: number): number {
  const prices = createPriceList();
  const shape = { traceSpans: 8, isRich: true, sessionTraces: 4, order: 'together' } as const;
  const source = new SpanSource(shape, 'protobuf', 1);
  const { spans } = scanTraces(source.body(spansEach), 0n, prices);
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  const mapping = new SpanMapping();
  const once = (): void => {
    for (const { bytes } of spans) askAll(mapSpan(bytes, mapping));
    for (const members of traces.values())
      rollUp(members, new Map(members.map((span): [string, IncomingSpan] => [span.spanId, span])));
  };
  const askAll = (mapped: SpanMapping): void => {
    readSums(mapped, prices, {
      model: mapped.name('model'),
      provider: mapped.name('provider'),
      start: 0n,
    });
    void [mapped.kind, mapped.flags, mapped.isError, mapped.testId()];
    for (const field of ['environment', 'sessionId', 'userId', 'traceName'] as const) mapped.name(field);
    if (mapped.has('tags')) mapped.tags();
    if (mapped.has('metadata')) mapped.metadataPairs();
  };
  for (let round = 0; round < ROUNDS / 3; round++) once();
  const started = performance.now();
  for (let round = 0; round < ROUNDS; round++) once();
  return ((performance.now() - started) * 1000) / (ROUNDS * spans.length);
}
