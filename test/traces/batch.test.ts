import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTraces } from '../../src/ingest/otlp/scan.ts';
import type { ByteRange } from '../../src/traces/byte-buffer.ts';
import { buildBatch, type BlockGroup, type SpanBatch } from '../../src/traces/batch.ts';
import { currentSpans } from '../../src/traces/current-spans.ts';
import { decodePayload } from '../../src/traces/payload.ts';
import type { RewriteInput } from '../../src/traces/rewrite.ts';
import { decodeSkeleton, MAX_BLOCK_SPANS } from '../../src/traces/skeleton.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { decodeProto } from '../support/otlp-proto.ts';
import { wireRequest } from '../support/otlp-wire.ts';
import { BASE_NS, batchOf, incomingSpans, MS, PRICES, type SpanSpec } from '../support/spans.ts';
import { effort } from '../support/effort.ts';

const MIB = 1024 * 1024;

const view =
  ({ byteBuffer }: SpanBatch) =>
  ([start, end]: ByteRange): Buffer =>
    Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
const blocksOf = ({ traces }: SpanBatch): BlockGroup[] => traces.flatMap(({ blocks }) => blocks);

/** What of a batch the store would give back, as if it had stored it in an empty trace each. */
function stored(batch: SpanBatch, trace: number): RewriteInput {
  const bytes = view(batch);
  const blocks = batch.traces[trace]?.blocks ?? [];
  return {
    application: 1,
    version: 1,
    receivedAt: 0,
    blocks: blocks.map(({ skeleton, payload }, seq) => ({
      seq,
      skeleton: bytes(skeleton),
      payload: bytes(payload),
    })),
    spanIds: Buffer.concat(blocks.map(({ spanIds }) => bytes(spanIds))),
    spanBlocks: blocks.flatMap(({ count }, seq) => Array<number>(count).fill(seq)),
    resources: batch.resources.map(({ hash, bytes: window }) => ({
      hash: bytes(hash),
      bytes: bytes(window),
    })),
  };
}

/** Each span with its scope and resource, as protobufjs reads them. */
function flat(body: Buffer): string[] {
  interface Request {
    resourceSpans: { scopeSpans: { spans: object[] }[] }[];
  }
  const { resourceSpans } = decodeProto('ExportTraceServiceRequest', body) as unknown as Request;
  return resourceSpans.flatMap(({ scopeSpans, ...resource }) =>
    scopeSpans.flatMap(({ spans, ...scope }) =>
      spans.map((span) => JSON.stringify({ span, scope, resource })),
    ),
  );
}

const rewrapped = (spans: readonly IncomingSpan[]): string[] =>
  spans.flatMap((span) => {
    const batch = buildBatch([span]);
    return flat(currentSpans(stored(batch, 0)));
  });

describe('buildBatch', () => {
  it('keeps every span complete: with its resource put back it is OTLP again', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        const { spans } = scanTraces(body, BASE_NS, PRICES);
        const last = new Map(spans.map((span) => [span.traceId + span.spanId, span]));
        const sent = flat(body);
        const batch = buildBatch(spans);
        const back = batch.traces.flatMap((_, trace) => flat(currentSpans(stored(batch, trace))));
        expect(back.sort()).toEqual(rewrapped([...last.values()]).sort());
        for (const span of back) expect(sent).toContain(span);
      }),
      { numRuns: effort(67) },
    );
  });

  it('groups by trace, each skeleton in step with its payload', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        const { spans } = scanTraces(body, BASE_NS, PRICES);
        const batch = buildBatch(spans);
        const bytes = view(batch);
        expect(batch.traces.map(({ traceId }) => bytes(traceId).toString('latin1'))).toEqual([
          ...new Set(spans.map(({ traceId }) => traceId)),
        ]);
        for (const { count, skeleton, payload, spanIds, hashes, resources } of blocksOf(batch)) {
          const { spans: skeletons, resources: named } = decodeSkeleton(bytes(skeleton), 7);
          const opened = decodePayload(bytes(payload));
          expect([
            skeletons.length,
            opened.length,
            bytes(spanIds).length / 8,
            bytes(hashes).length / 8,
          ]).toEqual(Array(4).fill(count));
          const known = named.map((hash) => hash.toString('hex'));
          expect(known).toEqual(
            resources.map((i) => bytes(batch.resources[i]?.hash ?? [0, 0]).toString('hex')),
          );
          for (const [i, { id, name, start, parentId }] of skeletons.entries()) {
            expect(bytes(spanIds).toString('hex', i * 8, i * 8 + 8)).toBe(id);
            const sent = spans.find(({ bytes: sentBytes }) =>
              sentBytes.equals(opened[i]?.bytes ?? Buffer.alloc(0)),
            );
            expect(sent).toMatchObject({ name, start });
            expect(sent?.parentId).toBe(
              parentId === null ? '' : Buffer.from(parentId, 'hex').toString('latin1'),
            );
          }
        }
      }),
      { numRuns: effort(33) },
    );
  });

  it(`puts at most ${MAX_BLOCK_SPANS} spans in a block`, () => {
    const specs = Array.from({ length: 2 * MAX_BLOCK_SPANS + 1 }, (_, i): SpanSpec => ({ id: i + 1 }));
    expect(blocksOf(batchOf(specs)).map(({ count }) => count)).toEqual([MAX_BLOCK_SPANS, MAX_BLOCK_SPANS, 1]);
  });

  it('puts at most a megabyte of spans in a block, unless a single one is larger', () => {
    const sizes = fc.array(fc.oneof(fc.nat({ max: 400_000 }), fc.constant(1_500_000)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const spans = incomingSpans(
          lengths.map((length, i) => ({ id: i + 1, attributes: { text: 'x'.repeat(length) } })),
        );
        let at = 0;
        for (const { count } of blocksOf(buildBatch(spans))) {
          const members = spans.slice(at, at + count);
          at += count;
          const size = members.reduce((sum, { bytes }) => sum + bytes.length, 0);
          expect(count === 1 || size <= MIB).toBe(true);
        }
        expect(at).toBe(spans.length);
      }),
      { numRuns: effort(10) },
    );
  });

  it('counts what came twice, in events, and keeps the last of each', () => {
    const spans = incomingSpans([
      { id: 1, name: 'a' },
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
      { id: 2 },
      { id: 1, name: 'b' },
      { trace: 2, id: 1, name: 'a' },
    ]);
    for (const span of spans) span.events = 2;
    const batch = buildBatch(spans);
    expect([batch.duplicate, batch.replaced]).toEqual([4, 2]);
    const kept = blocksOf(batch).map(({ skeleton }) =>
      decodeSkeleton(view(batch)(skeleton), 0).spans.map(({ name }) => name),
    );
    expect(kept).toEqual([['b', 'span'], ['a']]);
    expect(batch.traces.map(({ rollup }) => rollup.spanCount)).toEqual([2, 1]);
    expect(blocksOf(batch).map(({ events }) => events)).toEqual([[2, 2], [2]]);
  });

  it('hashes alike what is alike, whatever request it arrived in', () => {
    const hashes = (specs: SpanSpec[]): string[] => {
      const batch = batchOf(specs);
      return blocksOf(batch).flatMap(({ hashes: window, count }) =>
        Array.from({ length: count }, (_, i) => view(batch)(window).toString('hex', i * 8, i * 8 + 8)),
      );
    };
    const spec: SpanSpec = { id: 1, start: 5 * MS, attributes: { a: 1 } };
    const [hash] = hashes([spec]);
    expect(hashes([{ id: 2 }, spec])[1]).toBe(hash);
    const others: SpanSpec[] = [
      { ...spec, name: 'x' },
      { ...spec, start: 6 * MS },
      { ...spec, attributes: { a: 2 } },
      { ...spec, scope: 'x' },
      { ...spec, resource: { 'service.name': 'x' } },
    ];
    expect(new Set(others.flatMap((other) => hashes([other]))).add(hash ?? '').size).toBe(6);
  });

  it('of nothing is empty', () => {
    expect(buildBatch([])).toMatchObject({ traces: [], resources: [], duplicate: 0, replaced: 0 });
  });
});
