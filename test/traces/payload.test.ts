import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTraces } from '../../src/ingest/otlp/scan.ts';
import { decodePayload, encodePayload } from '../../src/traces/payload.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { wireRequest } from '../support/otlp-wire.ts';
import { BASE_NS, incomingSpans, PRICES } from '../support/spans.ts';
import { effort } from '../support/effort.ts';

const parts = (spans: readonly IncomingSpan[]) =>
  spans.map(({ bytes, scope, resource }) => ({ bytes, scope, resourceHash: resource.hash }));

describe('a payload', () => {
  it('gives back span, scope and resource of each span, in order', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        const { spans } = scanTraces(body, BASE_NS, PRICES);
        expect(decodePayload(encodePayload(spans))).toEqual(parts(spans));
      }),
      { numRuns: effort(100) },
    );
  });

  it('of whatever size', () => {
    const sizes = fc.array(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 70_000 })), { maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (lengths, compressible) => {
        const spans = incomingSpans(
          lengths.map((length, i) => ({
            id: i + 1,
            scope: `scope ${i % 2}`,
            resource: { 'service.name': `service ${i % 3}` },
            attributes: { data: compressible ? 'x'.repeat(length) : randomBytes(length) },
          })),
        );
        expect(decodePayload(encodePayload(spans))).toEqual(parts(spans));
      }),
      { numRuns: effort(20) },
    );
  });

  it('is compressed when that makes it smaller', () => {
    const size = (data: string | Uint8Array): number =>
      encodePayload(incomingSpans([{ id: 1, attributes: { data } }])).length;
    expect(size('x'.repeat(100_000))).toBeLessThan(2_000);
    const noise = size(randomBytes(100_000));
    expect(noise).toBeGreaterThan(100_000);
    expect(noise).toBeLessThan(100_300);
  });

  it('does not change when the next one is encoded', () => {
    const [one, two] = [incomingSpans([{ id: 1 }]), incomingSpans([{ id: 2, name: 'x'.repeat(200_000) }])];
    const first = encodePayload(one);
    encodePayload(two);
    expect(decodePayload(first)).toEqual(parts(one));
  });
});
