import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_REJECTIONS } from '../../src/traces/ledger.ts';
import { BLOCKS_PER_TRACE } from '../../src/traces/trace-keys.ts';
import type { StoreOutcome } from '../../src/traces/store.ts';
import { BASE_MS, MS, type SpanSpec, spanHex, traceBytes, uuid } from '../support/spans.ts';
import { storeArgs, storeSpans, type Tenant, useStore } from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { database, newTenant } = useStore();

const counts = ({ stored, duplicate, replaced }: StoreOutcome): number[] => [stored, duplicate, replaced];

/** A span that counts in every sum. Versions differ in what they count. */
function version(id: number, number: number, more: Partial<SpanSpec> = {}): SpanSpec {
  return {
    id,
    name: `span ${id} v${number}`,
    start: id * MS,
    end: (id + 1 + number) * MS,
    status: (id + number) % 3 === 0 ? 2 : 0,
    attributes: {
      'gen_ai.usage.input_tokens': id * 10 + number,
      'gen_ai.usage.output_tokens': id + number,
      'gen_ai.usage.cost': (id + number) / 4,
    },
    ...more,
  };
}

const sumsOf = (specs: readonly SpanSpec[]) => {
  const total = (key: string): number =>
    specs.reduce((sum, { attributes }) => sum + Number(attributes?.[key] ?? 0), 0);
  const [promptTokens, completionTokens] = [
    total('gen_ai.usage.input_tokens'),
    total('gen_ai.usage.output_tokens'),
  ];
  return {
    spanCount: specs.length,
    errorCount: specs.filter(({ status }) => status === 2).length,
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    cost: total('gen_ai.usage.cost') || null,
  };
};

describe('storing spans', () => {
  it('again changes nothing and is counted as duplicate', () => {
    const tenant = newTenant();
    const specs = [version(1, 1), version(2, 1, { parent: 1 }), version(3, 1, { parent: 1 })];
    expect(counts(tenant.store(specs))).toEqual([3, 0, 0]);
    const before = [
      tenant.read(1),
      tenant.spans(1, { payload: true }),
      tenant.count('chunk', tenant.tkey(1) ?? 0),
    ];
    expect(counts(tenant.store(specs, { at: BASE_MS + 5_000 }))).toEqual([0, 3, 0]);
    const after = [
      tenant.read(1),
      tenant.spans(1, { payload: true }),
      tenant.count('chunk', tenant.tkey(1) ?? 0),
    ];
    expect(after).toEqual(before);
    expect(tenant.ledger()).toEqual({
      requests: 2,
      received: 6,
      stored: 3,
      duplicate: 3,
      replaced: 0,
      rejected: 0,
    });
  });

  it('again in part stores the rest', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1), version(2, 1)]);
    expect(counts(tenant.store([version(2, 1), version(3, 1)]))).toEqual([1, 1, 0]);
    expect(tenant.read(1)).toMatchObject({
      ...sumsOf([version(1, 1), version(2, 1), version(3, 1)]),
      flags: [],
    });
    expect(tenant.spans(1)?.data.map(({ id }) => id)).toEqual([1, 2, 3].map(spanHex));
  });

  it('under a known id with other content replaces, flags the trace, and makes sums right at once', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1), version(2, 1), version(3, 1)]);
    expect(counts(tenant.store([version(2, 2)]))).toEqual([0, 0, 1]);
    expect(tenant.read(1)).toMatchObject({
      ...sumsOf([version(1, 1), version(2, 2), version(3, 1)]),
      flags: ['replaced'],
    });
    expect(tenant.spans(1)?.data.map(({ name }) => name)).toEqual(['span 1 v1', 'span 2 v2', 'span 3 v1']);
    expect(counts(tenant.store([version(2, 2)]))).toEqual([0, 1, 0]);
  });

  it('differs by scope and resource as well as by the span itself', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1 }]);
    expect(counts(tenant.store([{ id: 1, scope: 'other' }]))).toEqual([0, 0, 1]);
    expect(counts(tenant.store([{ id: 1, resource: { 'service.name': 'other' } }]))).toEqual([0, 0, 1]);
    expect(counts(tenant.store([{ id: 1, resource: { 'service.name': 'other' } }]))).toEqual([0, 1, 0]);
  });

  it('twice in one batch keeps the last, counts the others and flags the trace', () => {
    const tenant = newTenant();
    const outcome = tenant.store([version(1, 1), version(2, 1), version(2, 1), version(1, 2)]);
    expect(counts(outcome)).toEqual([2, 1, 1]);
    expect(tenant.read(1)).toMatchObject({ ...sumsOf([version(1, 2), version(2, 1)]), flags: ['replaced'] });
  });

  it('that complete a stored one takes its place without a conflict', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    const args = storeArgs(tenant.application, [version(1, 2)]);
    for (const block of args.batch.traces[0]?.blocks ?? []) block.completes = [true];
    expect(counts(storeSpans(database(), args))).toEqual([1, 0, 0]);
    expect(tenant.read(1)).toMatchObject({ ...sumsOf([version(1, 2)]), flags: [] });
  });

  it('counts in the ledger the events that a span was made of', () => {
    const tenant = newTenant();
    const withEvents = (specs: SpanSpec[], events: number[]): StoreOutcome => {
      const args = storeArgs(tenant.application, specs, { received: events.reduce((sum, n) => sum + n, 0) });
      for (const block of args.batch.traces[0]?.blocks ?? []) block.events = events;
      return storeSpans(database(), args);
    };
    expect(counts(withEvents([version(1, 1), version(2, 1)], [2, 3]))).toEqual([5, 0, 0]);
    expect(counts(withEvents([version(1, 1), version(2, 2), version(3, 1)], [2, 4, 1]))).toEqual([1, 2, 4]);
    expect(tenant.ledger()).toMatchObject({
      received: 12,
      stored: 6,
      duplicate: 2,
      replaced: 4,
      rejected: 0,
    });
  });

  it('sums up what the largest counts add to', () => {
    const tenant = newTenant();
    const attributes = { 'gen_ai.usage.input_tokens': 2 ** 53 - 1, 'gen_ai.usage.cost': 1e308 };
    const specs = Array.from({ length: 2_000 }, (_, i): SpanSpec => ({ id: i + 1, attributes }));
    expect(counts(tenant.store(specs))).toEqual([2_000, 0, 0]);
    tenant.store([{ id: 1 }]);
    expect(tenant.read(1)).toMatchObject({
      spanCount: 2_000,
      usage: { promptTokens: 1_999e12 },
      cost: 1_999e12,
    });
  });

  it('stores a batch with more spans of one trace than a block can have', () => {
    const tenant = newTenant();
    const specs = Array.from({ length: 3_000 }, (_, i) => version(i + 1, 1));
    expect(counts(tenant.store(specs))).toEqual([3_000, 0, 0]);
    expect(counts(tenant.store(specs))).toEqual([0, 3_000, 0]);
    expect(counts(tenant.store([...specs.slice(1_500), version(3_001, 1)]))).toEqual([1, 1_500, 0]);
    expect(tenant.read(1)).toMatchObject(sumsOf([...specs, version(3_001, 1)]));
  });

  it('beyond the blocks that a trace can have is rejected with its reason', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    database().run('UPDATE trace SET next_seq = ? WHERE tkey = ?', BLOCKS_PER_TRACE, tenant.tkey(1) ?? 0);
    const outcome = tenant.store([version(2, 1)]);
    expect(outcome.rejected).toEqual([
      { reason: 'trace_full', spans: 1, traceId: traceBytes(1).toString('hex') },
    ]);
    expect(tenant.ledger()).toMatchObject({ received: 2, stored: 1, rejected: 1 });
  });

  it('links a trace to every test id its spans and resources carry, earliest first', () => {
    const tenant = newTenant();
    tenant.store([{ id: 2, start: 2, attributes: { 'service.test.id': uuid(2) } }]);
    tenant.store([{ id: 3, start: 3, resource: { 'service.test.id': uuid(3) } }]);
    tenant.store([{ id: 1, start: 1, attributes: { 'service.test.id': uuid(1) } }]);
    expect(tenant.read(1)).toMatchObject({ testId: uuid(1), testIds: [uuid(1), uuid(2), uuid(3)] });
    for (const id of [1, 2, 3]) expect(tenant.byTest(uuid(id))).toMatchObject({ testId: uuid(1) });
    expect(tenant.byTest(uuid(4))).toBeNull();
  });

  it('finds a test by its earliest trace', () => {
    const tenant = newTenant();
    const attributes = { 'service.test.id': uuid(9) };
    tenant.store([{ trace: 5, id: 1, start: 50, attributes }]);
    tenant.store([{ trace: 6, id: 1, start: 20, attributes }]);
    tenant.store([{ trace: 7, id: 1, start: 70, attributes }]);
    expect(tenant.byTest(uuid(9))?.otelTraceId).toBe(traceBytes(6).toString('hex'));
  });
});

/** Batches of versions of few spans in two traces; each (trace, id, version) is always the same span. */
const someSpan = fc
  .tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }))
  .map(([trace, id, number]) =>
    version(id, number, {
      trace,
      attributes: {
        ...version(id, number).attributes,
        'service.test.id': uuid(id * 10 + number),
      },
    }),
  );
const batches = fc.array(fc.array(someSpan, { maxLength: 8 }), { minLength: 1, maxLength: 6 });

describe('after any sequence of batches', () => {
  it('sums are those of the last versions, and the ledger adds up', () => {
    fc.assert(
      fc.property(batches, (sent) => {
        const tenant = newTenant();
        const last = new Map<string, SpanSpec>();
        let replaced = 0;
        let duplicate = 0;
        for (const specs of sent) {
          for (const spec of specs) {
            const key = `${spec.trace}/${spec.id}`;
            const known = last.get(key);
            if (known?.name === spec.name) duplicate += 1;
            else if (known) replaced += 1;
            last.set(key, spec);
          }
          tenant.store(specs);
          for (const trace of [1, 2]) {
            const expected = [...last.values()].filter((spec) => spec.trace === trace);
            if (expected.length === 0) expect(tenant.read(trace)).toBeNull();
            else {
              expect(tenant.read(trace)).toMatchObject(sumsOf(expected));
              const names = tenant.spans(trace)?.data.map(({ name }) => name);
              expect(new Set(names)).toEqual(new Set(expected.map(({ name }) => name)));
              expect(names).toHaveLength(expected.length);
            }
          }
        }
        const received = sent.flat().length;
        const ledger = tenant.ledger();
        expect(ledger).toMatchObject({ received, stored: last.size, rejected: 0 });
        expect(ledger.stored + ledger.duplicate + ledger.replaced).toBe(received);
        // A version that comes back within one batch, over another, is distinguished from a replacement only at its end.
        expect(ledger.duplicate + ledger.replaced).toBe(duplicate + replaced);
      }),
      { numRuns: effort(50) },
    );
  });

  it('what does not depend on versions does not depend on the order of arrival', () => {
    const members = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 })),
      {
        selector: ([id]) => id,
        minLength: 2,
        maxLength: 10,
      },
    );
    const orders = members.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.integer({ min: 1, max: 4 }),
      ),
    );
    fc.assert(
      fc.property(orders, ([all, shuffled, size]) => {
        const spec = ([id, number]: [number, number]): SpanSpec =>
          version(id, number, {
            ...(id > 1 ? { parent: Math.ceil(id / 2) } : {}),
            attributes: {
              ...version(id, number).attributes,
              'service.test.id': uuid(id % 4),
              'input.value': `in ${id}`,
            },
          });
        const whole = newTenant();
        whole.store(all.map(spec));
        const pieces = newTenant();
        for (let at = 0; at < shuffled.length; at += size)
          pieces.store(shuffled.slice(at, at + size).map(spec));
        const shown = (tenant: Tenant): unknown => ({ ...tenant.read(1), applicationId: '' });
        expect(shown(pieces)).toEqual(shown(whole));
        expect(pieces.spans(1, { payload: true })).toEqual(whole.spans(1, { payload: true }));
      }),
      { numRuns: effort(33) },
    );
  });
});

describe('two applications with the same ids', () => {
  it('never see each other', () => {
    const [one, two] = [newTenant(), newTenant()];
    const attributes = { 'service.test.id': uuid(1), 'session.id': 's', 'llm.model_name': 'm' };
    one.store([{ id: 1, name: 'of one', attributes }]);
    expect(two.read(1)).toBeNull();
    expect(two.spans(1)).toBeNull();
    expect(two.byTest(uuid(1))).toBeNull();
    for (const filter of [{}, { testId: [uuid(1)] }, { sessionId: ['s'] }, { model: ['m'] }]) {
      expect(two.list(filter).data).toEqual([]);
    }
    expect(two.delete(1)).toBeNull();
    expect(one.read(1)).not.toBeNull();

    expect(counts(two.store([{ id: 1, name: 'of two', attributes }]))).toEqual([1, 0, 0]);
    expect(one.read(1)).toMatchObject({
      rootName: 'of one',
      spanCount: 1,
      applicationId: `application-${one.application}`,
    });
    expect(two.read(1)).toMatchObject({
      rootName: 'of two',
      spanCount: 1,
      applicationId: `application-${two.application}`,
    });
    expect(one.list({ testId: [uuid(1)] }).data).toMatchObject([{ rootName: 'of one' }]);
    expect(two.byTest(uuid(1))).toMatchObject({ rootName: 'of two' });

    one.delete(1);
    expect(one.read(1)).toBeNull();
    expect(two.spans(1, { payload: true })?.data).toMatchObject([
      { name: 'of two', resource: { attributes: { 'service.name': 'app' } } },
    ]);
    expect(counts(two.store([{ id: 2 }]))).toEqual([1, 0, 0]);
  });
});

describe('what a request leaves besides spans', () => {
  it('is its reasons and notices, added up by the hour and key', () => {
    const tenant = newTenant();
    const more = { received: 3, rejected: { too_deep: 2 }, notices: { invalid_test_id: 1 } };
    tenant.store([{ id: 1 }], more);
    tenant.store([{ id: 2 }], more);
    tenant.store([{ id: 3 }], { at: BASE_MS + 3_600_000 });
    const rows = database().all<{ reasons: string; notices: string; requests: number }>(
      'SELECT requests, reasons, notices FROM ledger WHERE application = ? ORDER BY hour',
      tenant.application,
    );
    expect(rows).toEqual([
      { requests: 2, reasons: '{"too_deep":4}', notices: '{"invalid_test_id":2}' },
      { requests: 1, reasons: '{}', notices: '{}' },
    ]);
    expect(tenant.ledger()).toMatchObject({ received: 7, stored: 3, rejected: 4 });
  });

  it(`is its rejections, of which the newest ${MAX_REJECTIONS} are kept for each application`, () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const rejection = (n: number) => ({
      source: 'otlp',
      reason: 'r',
      message: `${n}`,
      spans: 1,
      traceId: null,
      spanId: null,
    });
    other.store([], { rejections: [rejection(0)] });
    tenant.store([], { rejections: Array.from({ length: MAX_REJECTIONS }, (_, i) => rejection(i)) });
    tenant.store([], { rejections: [rejection(-1), rejection(-2)] });
    const kept = (application: number): string[] =>
      database()
        .all<{ message: string }>(
          'SELECT message FROM rejection WHERE application = ? ORDER BY id',
          application,
        )
        .map(({ message }) => message);
    expect(kept(tenant.application)).toHaveLength(MAX_REJECTIONS);
    expect(kept(tenant.application).slice(0, 1)).toEqual(['2']);
    expect(kept(tenant.application).slice(-2)).toEqual(['-1', '-2']);
    expect(kept(other.application)).toEqual(['0']);
  });

  it('forgets a few of the answers that are older than a day, however many there are', () => {
    const tenant = newTenant();
    const { application } = tenant;
    const answer = (key: string) => ({ key, requestHash: Buffer.alloc(32), response: '{}' });
    const kept = (): number =>
      tenant.database.get<{ n: number }>(
        'SELECT count(*) AS n FROM idempotency WHERE application = ?',
        application,
      )?.n ?? Number.NaN;
    for (let n = 0; n < 100; n++) tenant.store([{ id: n + 1 }], { idempotency: answer(`key ${n}`) });
    const at = BASE_MS + 86_400_001;
    tenant.store([{ id: 101 }], { idempotency: answer('key 99'), at });
    expect(kept()).toBe(90);
    for (let n = 0; n < 9; n++) tenant.store([{ id: 200 + n }], { idempotency: answer(`new ${n}`), at });
    expect(kept()).toBe(10);
  });

  it('is nothing at all when its idempotency key has been taken meanwhile', () => {
    const tenant = newTenant();
    const idempotency = { key: 'k', requestHash: Buffer.alloc(32), response: '{}' };
    tenant.store([{ id: 1 }], { idempotency });
    expect(() => tenant.store([{ id: 2 }], { idempotency })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(tenant.ledger()).toMatchObject({ requests: 1, stored: 1 });
    expect(tenant.read(1)).toMatchObject({ spanCount: 1 });
    const dayLater = { idempotency, at: BASE_MS + 86_400_001 };
    expect(counts(tenant.store([{ id: 2 }], dayLater))).toEqual([1, 0, 0]);
  });
});

describe('the key of a trace', () => {
  const DAY_MS = 86_400_000;
  const PER_DAY = 2 ** 27;

  it('begins with the day of arrival and is never used twice, whatever the clock says and whatever is deleted', () => {
    const tenant = newTenant();
    const storeAt = (trace: number, at: number): number => {
      tenant.store([{ trace, id: 1 }], { at });
      return tenant.tkey(trace) ?? -1;
    };
    const day = Math.floor(BASE_MS / DAY_MS) + 1_000;
    const first = storeAt(1, day * DAY_MS + 5);
    const second = storeAt(2, day * DAY_MS + 7);
    expect([first, second]).toEqual([day * PER_DAY, day * PER_DAY + 1]);
    tenant.delete(2);
    expect(storeAt(3, (day - 1) * DAY_MS)).toBe(second + 1);
    expect(storeAt(4, (day + 2) * DAY_MS)).toBe((day + 2) * PER_DAY);
  });
});

it.each<[string, SpanSpec[]]>([
  ['is its own parent', [{ id: 1, parent: 1, name: 'first' }]],
  [
    'is on a loop of parents',
    [
      { id: 1, parent: 2, name: 'first' },
      { id: 2, parent: 1, name: 'second', start: 5 * MS },
      { id: 3, parent: 2, name: 'below', start: 1 * MS },
    ],
  ],
])('a trace has the name of its earliest span where that %s', (_, specs) => {
  const tenant = newTenant();
  tenant.store(specs);
  expect(tenant.list().data).toMatchObject([{ rootName: 'first' }]);
});
