import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUuid } from '../../src/traces/ids.ts';
import { decodeSkeleton, encodeSkeleton, skeletonResources, WantedSpans } from '../../src/traces/skeleton.ts';
import { type IncomingResource, type IncomingSpan, SPAN_KINDS } from '../../src/traces/span.ts';

const NONE = Buffer.alloc(0);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ minLength: 1000, maxLength: 1024 }),
);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const id = bytes(8).map((value) => Buffer.from(value).toString('latin1'));
const uuid = bytes(16).map(formatUuid);
const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const sum = fc.oneof(fc.constant(0), fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true }));
const someResource: fc.Arbitrary<IncomingResource> = fc.record({
  bytes: fc.constant(NONE),
  hash: bytes(16).map((value) => Buffer.from(value)),
  service: text,
  testId: fc.option(uuid),
  environment: fc.constant(null),
});
const someSpan = (resources: IncomingResource[]): fc.Arbitrary<IncomingSpan> =>
  fc.record({
    traceId: fc.constant('t'.repeat(16)),
    spanId: id,
    parentId: fc.oneof(
      fc.constant(''),
      id.filter((value) => value !== '\0'.repeat(8)),
    ),
    name: text,
    start: time,
    end: time,
    status: fc.nat({ max: 2 }),
    flags: fc.nat({ max: 0xffff }),
    kind: fc.nat({ max: SPAN_KINDS.length - 1 }),
    resource: fc.constantFrom(...resources),
    scope: fc.constant(NONE),
    bytes: fc.constant(NONE),
    testId: fc.option(uuid),
    model: fc.option(text),
    provider: fc.constant(null),
    environment: fc.constant(null),
    traceName: fc.constant(null),
    inputTokens: sum,
    outputTokens: sum,
    totalTokens: sum,
    cacheReadTokens: sum,
    cacheWriteTokens: sum,
    reasoningTokens: sum,
    cost: sum,
    scopeHash: fc.constantFrom(0, 7, 0xffff_ffff),
    responseHash: fc.constantFrom(0, 9),
    sessionId: fc.constant(null),
    userId: fc.constant(null),
    tags: fc.constant([]),
    metadata: fc.constant([]),
    events: fc.constant(1),
    completes: fc.constant(false),
  });
const someSpans = fc
  .array(someResource, { minLength: 1, maxLength: 4 })
  .chain((resources) => fc.array(someSpan(resources), { maxLength: 12 }));

const hex = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('hex');

describe('a skeleton', () => {
  it('tells what was put in it', () => {
    fc.assert(
      fc.property(someSpans, fc.nat({ max: 255 }), (spans, ruleSet) => {
        const encoded = encodeSkeleton(spans, ruleSet);
        const decoded = decodeSkeleton(encoded, 42);
        expect(decoded.ruleSet).toBe(ruleSet);
        expect(decoded.spans).toEqual(
          spans.map((span, index) => ({
            id: hex(span.spanId),
            parentId: span.parentId === '' ? null : hex(span.parentId),
            name: span.name,
            kind: SPAN_KINDS[span.kind],
            status: span.status,
            flags: span.flags,
            start: span.start,
            end: span.end,
            model: span.model,
            service: span.resource.service,
            testId: span.testId,
            resourceTestId: span.resource.testId,
            inputTokens: span.inputTokens,
            outputTokens: span.outputTokens,
            totalTokens: span.totalTokens,
            cacheReadTokens: span.cacheReadTokens,
            cacheWriteTokens: span.cacheWriteTokens,
            reasoningTokens: span.reasoningTokens,
            cost: span.cost,
            scopeHash: span.scopeHash,
            responseHash: span.responseHash,
            chunk: 42,
            index,
          })),
        );
        const named = [...new Set(spans.map(({ resource }) => resource))].map(({ hash }) => hash);
        expect(decoded.resources).toEqual(named);
        expect(skeletonResources(encoded)).toEqual(named);
      }),
    );
  });

  it('tells of the wanted spans alone what it tells of all', () => {
    fc.assert(
      fc.property(someSpans, fc.array(fc.nat()), (spans, picks) => {
        const encoded = encodeSkeleton(spans, 1);
        const all = decodeSkeleton(encoded, 42).spans;
        const wanted = new WantedSpans();
        const ids = new Set<string>();
        for (const pick of picks) {
          const span = spans[pick % spans.length];
          if (!span) continue;
          wanted.add(Buffer.from(span.spanId, 'latin1'));
          ids.add(hex(span.spanId));
        }
        const some = decodeSkeleton(encoded, 42, wanted).spans;
        expect(some.filter(({ id: spanId }) => ids.has(spanId))).toEqual(
          all.filter(({ id: spanId }) => ids.has(spanId)),
        );
        // What else is found begins like one that is wanted.
        const halves = new Set([...ids].map((spanId) => spanId.slice(0, 8)));
        for (const { id: spanId } of some) expect(halves).toContain(spanId.slice(0, 8));
      }),
    );
  });

  it('holds as many spans as a chunk may, all of them different', () => {
    const [resource] = fc.sample(someResource, { numRuns: 1, seed: 1 });
    const [span] = fc.sample(someSpan([resource as IncomingResource]), { numRuns: 1, seed: 1 });
    const spans = Array.from({ length: 1024 }, (_, i) => ({
      ...(span as IncomingSpan),
      name: `${i} ${'n'.repeat(1000)}`,
      model: `model ${i}`,
      resource: { ...(resource as IncomingResource), service: `service ${i}` },
    }));
    const decoded = decodeSkeleton(encodeSkeleton(spans, 1), 1);
    expect(decoded.spans.map(({ name, model, service }) => [name, model, service])).toEqual(
      spans.map(({ name, model, resource: { service } }) => [name, model, service]),
    );
  });

  it('cuts texts that are very long, without splitting a character', () => {
    const [resource] = fc.sample(someResource, { numRuns: 1, seed: 1 });
    const [span] = fc.sample(someSpan([resource as IncomingResource]), { numRuns: 1, seed: 1 });
    const name = `${'€'.repeat(1023)}😀${'x'.repeat(100_000)}`;
    const [decoded] = decodeSkeleton(encodeSkeleton([{ ...(span as IncomingSpan), name }], 1), 1).spans;
    expect(decoded?.name).toBe('€'.repeat(1023));
  });

  it('of a version this server does not know is rejected', () => {
    const encoded = encodeSkeleton([], 1);
    encoded[0] = 99;
    expect(() => decodeSkeleton(encoded, 1)).toThrow('version 99');
  });
});
