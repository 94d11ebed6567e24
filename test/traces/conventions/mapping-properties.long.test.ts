import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTraces } from '../../../src/ingest/otlp/scan.ts';
import { buildBatch } from '../../../src/traces/batch.ts';
import { isMappedKey } from '../../../src/traces/conventions/rule-set.ts';
import { SpanView } from '../../../src/traces/conventions/span-view.ts';
import { describe as describeSpan } from '../../../src/traces/described.ts';
import { mapSpan } from '../../../src/traces/map-span.ts';
import { SpanMapping } from '../../../src/traces/mapping.ts';
import type { IncomingSpan } from '../../../src/traces/span.ts';
import { SPAN_KINDS } from '../../../src/traces/span-kinds.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { buildStep } from '../../../src/traces/step.ts';
import {
  anyKey,
  anySpan,
  keyValue,
  LEAVES,
  OPEN_PREFIXES,
  requestOf,
  spanBytes,
  spanOfDistinctKeys,
} from '../../support/any-spans.ts';
import { skeletonOf } from '../../support/skeletons.ts';
import { textField, varintField } from '../../support/otlp-wire.ts';
import { BASE_NS, PRICES } from '../../support/spans.ts';
import { type Tenant, useStore } from '../../support/storage.ts';
import { effort } from '../../support/effort.ts';

const MAX_NAME = 256;
const MAX_AMOUNT = 1e12;

/** Cached tokens that are no part of the input, which they are added to. */
const CACHED_BEYOND_BOUNDS = {
  attributes: ['gen_ai.usage.cached_input_tokens', 'gen_ai.usage.cache_creation_input_tokens'].map((key) =>
    keyValue(key, varintField(3, 2n ** 60n)),
  ),
  events: [],
};

/** Spans without what makes one an event of the native API, whose type comes first and whose empty texts are kept. */
const notNative = spanOfDistinctKeys.map((sent) => ({
  ...sent,
  attributes: sent.attributes.filter((attribute) => !attribute.includes('touchstone.')),
}));

/** What the server takes in of these spans: all of them. */
function incoming(...sent: Buffer[]): IncomingSpan[] {
  const { spans } = scanTraces(requestOf(sent), BASE_NS, PRICES);
  expect(spans).toHaveLength(sent.length);
  return spans;
}

/** What the rules make of one span, in all ways in which it is shown. */
function understood(span: IncomingSpan, mapping = new SpanMapping(), view = new SpanView(span.bytes)) {
  const skeleton = skeletonOf(span);
  mapSpan(span.bytes, mapping);
  return {
    described: describeSpan(skeleton, view, mapping, PRICES),
    step: buildStep(skeleton, { view, mapping }, 'trace'),
  };
}

/** Replaces texts that are JSON by their values: the order of the members of an object means nothing. */
function parsed(value: unknown): unknown {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return parsed(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(parsed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, parsed(inner)]));
}

describe('any span at all', () => {
  it('is taken, and what is kept of it in lists and sums stays within its bounds', () => {
    fc.assert(
      fc.property(anySpan, (sent) => {
        const [span] = incoming(spanBytes(sent)) as [IncomingSpan];
        for (const name of [
          span.model,
          span.provider,
          span.environment,
          span.sessionId,
          span.userId,
          span.traceName,
        ]) {
          if (name === null) continue;
          expect(name.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(MAX_NAME);
        }
        expect(span.tags.length).toBeLessThanOrEqual(64);
        expect(span.metadata.length).toBeLessThanOrEqual(64);
        for (const text of [...span.tags, ...span.metadata.flat()])
          expect(text.length).toBeLessThanOrEqual(MAX_NAME);
        expect(SPAN_KINDS[span.kind]).toBeDefined();
        for (const count of [
          span.inputTokens,
          span.outputTokens,
          span.cacheReadTokens,
          span.cacheWriteTokens,
          span.reasoningTokens,
        ]) {
          expect(Number.isInteger(count) && count >= 0 && count <= MAX_AMOUNT).toBe(true);
        }
        expect(Number.isInteger(span.totalTokens) && span.totalTokens <= 2 * MAX_AMOUNT).toBe(true);
        expect(span.totalTokens).toBeGreaterThanOrEqual(span.inputTokens + span.outputTokens);
        expect(Number.isFinite(span.cost) && span.cost >= 0 && span.cost <= MAX_AMOUNT).toBe(true);
      }),
      { numRuns: effort(32), examples: [[CACHED_BEYOND_BOUNDS]] },
    );
  });

  it('is described as JSON, as a step too, and the second time as the first', () => {
    const mapping = new SpanMapping();
    fc.assert(
      fc.property(anySpan, anySpan, (sent, between) => {
        const [one, other] = incoming(spanBytes(sent), spanBytes(between, 1, 2)) as [
          IncomingSpan,
          IncomingSpan,
        ];
        const first = understood(one, mapping);
        expect(JSON.parse(JSON.stringify(first))).toEqual(first);
        understood(other, mapping);
        expect(understood(one, mapping)).toEqual(first);
      }),
      { numRuns: effort(32) },
    );
  });

  it('means the same in whatever order its attributes come', () => {
    const shuffled = notNative.chain((sent) =>
      fc.tuple(
        fc.constant(sent),
        fc.shuffledSubarray(sent.attributes, { minLength: sent.attributes.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([sent, attributes]) => {
        const [one] = incoming(spanBytes(sent)) as [IncomingSpan];
        const [other] = incoming(spanBytes({ ...sent, attributes })) as [IncomingSpan];
        expect(parsed(understood(other))).toEqual(parsed(understood(one)));
        expect(kept(other)).toEqual(kept(one));
      }),
      { numRuns: effort(32) },
    );
  });
});

describe('an empty text', () => {
  const EMPTY = textField(1, '');
  const emptyKeys = fc.uniqueArray(
    anyKey.filter((key) => isMappedKey(key) && key.length < 256 && !key.startsWith('touchstone.')),
    { minLength: 1, maxLength: 12 },
  );

  it('changes nothing, under whatever key it is sent', () => {
    fc.assert(
      fc.property(notNative, emptyKeys, fc.boolean(), (sent, keys, isFirst) => {
        const present = new Set(new SpanView(incoming(spanBytes(sent))[0]?.bytes ?? EMPTY).keys());
        const empty = keys.filter((key) => !present.has(key)).map((key) => keyValue(key, EMPTY));
        const attributes = isFirst ? [...empty, ...sent.attributes] : [...sent.attributes, ...empty];
        const [one] = incoming(spanBytes(sent)) as [IncomingSpan];
        const [other] = incoming(spanBytes({ ...sent, attributes })) as [IncomingSpan];
        expect(understood(other)).toEqual(understood(one));
        expect(kept(other)).toEqual(kept(one));
      }),
      { numRuns: effort(64) },
    );
  });

  it('of a list makes no element, also beside an event that has no content', () => {
    const withEvent = (keys: readonly string[]): unknown => {
      const attributes = keys.map((key) => keyValue(key, EMPTY));
      const events = [textField(2, 'gen_ai.content.completion')];
      return understood(incoming(spanBytes({ attributes, events }))[0] as IncomingSpan);
    };
    const call = 'llm.output_messages.0.message.tool_calls.0.tool_call';
    expect(withEvent([`${call}.id`, `${call}.function.name`])).toEqual(withEvent([]));
  });
});

/** What is stored of a span beside its bytes. */
function kept(span: IncomingSpan): unknown {
  return { ...span, bytes: null, resource: null, metadata: new Map(span.metadata) };
}

describe('a stored trace', () => {
  const store = useStore();

  /** As the API shows it. */
  const shown = (tenant: Tenant): unknown => [
    tenant.read(1),
    tenant.spans(1, { payload: true }),
    tenant.list(),
  ];

  it('is shown whatever its spans carry, and the same after it was mapped again', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { minLength: 1, maxLength: 3 }), (sent) => {
        const tenant = store.newTenant();
        const spans = incoming(...sent.map((span, i) => spanBytes(span, 1, i + 1)));
        tenant.store([], { batch: buildBatch(spans), received: spans.length });
        const before = shown(tenant);
        expect(tenant.rewrite(1)).toBe(true);
        expect(shown(tenant)).toEqual(before);
      }),
      { numRuns: effort(20) },
    );
  });
});

/** Counts keys that are read and values that are decoded. */
class CountingView extends SpanView {
  looks = 0;

  override *keys(): Iterable<string> {
    for (const key of super.keys()) {
      this.looks += 1;
      yield key;
    }
  }

  override value(key: string): JsonValue | undefined {
    this.looks += 1;
    return super.value(key);
  }
}

describe('the work of describing a span', () => {
  const value = textField(1, 'x');
  const looksAt = (keys: readonly string[]): number => {
    const bytes = spanBytes({ attributes: keys.map((key) => keyValue(key, value)), events: [] });
    const [span] = incoming(bytes) as [IncomingSpan];
    const view = new CountingView(span.bytes);
    understood(span, new SpanMapping(), view);
    return view.looks;
  };

  const leaf = (i: number): string => LEAVES[i % LEAVES.length] as string;
  const SHAPES: Readonly<Record<string, (prefix: string, i: number) => string>> = {
    'many members': (prefix, i) => `${prefix}k${i}`,
    'many elements': (prefix, i) => `${prefix}${i}.${leaf(i)}`,
    'many elements within one': (prefix, i) => `${prefix}0.${leaf(i).replace('.0.', `.${i}.`)}`,
  };

  it.each(OPEN_PREFIXES)('grows with its attributes, not faster, under %s', (prefix) => {
    for (const [shape, key] of Object.entries(SHAPES)) {
      const keys = Array.from({ length: 2_000 }, (_, i) => key(prefix, i));
      const ratio = looksAt(keys) / looksAt(keys.slice(0, 200));
      expect(ratio, shape).toBeLessThan(10.5);
    }
  });
});
