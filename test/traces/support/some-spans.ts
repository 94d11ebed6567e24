import fc from 'fast-check';
import { formatUuid } from '../../../src/traces/ids.ts';
import type { IncomingResource, IncomingSpan } from '../../../src/traces/span.ts';
import { SPAN_KINDS } from '../../../src/traces/span-kinds.ts';

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
/** Resources with any content. */
export const someResource: fc.Arbitrary<IncomingResource> = fc.record({
  bytes: fc.constant(NONE),
  hash: bytes(16).map((value) => Buffer.from(value)),
  service: text,
  testId: fc.option(uuid),
  environment: fc.constant(null),
});
/** Spans with any content, each of one of these resources. */
export const someSpan = (resources: IncomingResource[]): fc.Arbitrary<IncomingSpan> =>
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
/** Up to twelve spans of up to four resources. */
export const someSpans = fc
  .array(someResource, { minLength: 1, maxLength: 4 })
  .chain((resources) => fc.array(someSpan(resources), { maxLength: 12 }));
