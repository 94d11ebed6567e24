import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSkeleton, encodeSkeleton, skeletonResources, WantedSpans } from '../../src/traces/skeleton.ts';
import type { IncomingResource, IncomingSpan } from '../../src/traces/span.ts';
import { SPAN_KINDS } from '../../src/traces/span-kinds.ts';
import { someResource, someSpan, someSpans } from './support/some-spans.ts';

const hex = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('hex');

describe('a skeleton', () => {
  it('reports what was put in it', () => {
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
            block: 42,
            index,
          })),
        );
        const named = [...new Set(spans.map(({ resource }) => resource))].map(({ hash }) => hash);
        expect(decoded.resources).toEqual(named);
        expect(skeletonResources(encoded)).toEqual(named);
      }),
    );
  });

  it('decodes the wanted spans as it decodes all', () => {
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

  it('holds as many spans as a block may have, all of them different', () => {
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

  it('truncates texts that are very long, without splitting a character', () => {
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
