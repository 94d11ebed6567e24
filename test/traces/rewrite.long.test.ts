import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../src/storage/dialect.ts';
import { dueRewrites, loadForRewrite, postponeRewrite } from '../../src/traces/rewrite.ts';
import { BASE_MS, MS, type SpanSpec, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { database, newTenant } = useStore();

/** A version of a span: all that a trace shows of it depends on the number. */
const version = (id: number, number: number): SpanSpec => ({
  id,
  ...(id > 1 ? { parent: Math.floor(id / 2) } : {}),
  name: `span ${id} v${number}`,
  start: id * MS + number,
  end: (id * 100 + number) * MS,
  status: (id + number) % 3,
  scope: `scope ${(id + number) % 2}`,
  resource: { 'service.name': `service ${number % 2}`, 'service.test.id': uuid(1) },
  attributes: {
    'input.value': `in ${id} ${number}`,
    'output.value': `out ${id} ${number}`,
    'llm.model_name': `model ${number}`,
    'gen_ai.usage.input_tokens': id * number,
    'gen_ai.usage.cost': id / 8,
    'session.id': 'session',
    'tag.tags': [`tag ${number}`],
    metadata: JSON.stringify({ number }),
  },
});

/** All that can be read of a trace; lists in no particular order are sorted. */
function shown(tenant: Tenant): unknown {
  const trace = tenant.read(1);
  const sorted = (list: unknown): unknown => [...(list as string[])].sort();
  return {
    trace: {
      ...trace,
      applicationId: '',
      flags: [],
      models: sorted(trace?.['models']),
      services: sorted(trace?.['services']),
    },
    spans: tenant.spans(1, { payload: true }),
    listed: tenant
      .list()
      .data.map(({ input, output, metadata, rootName }) => [input, output, metadata, rootName]),
    byTag: [1, 2, 3].map((n) => tenant.list({ tag: [`tag ${n}`] }).pagination.total),
    byKind: tenant.list({ kind: ['LLM'] }).pagination.total,
    bySession: tenant.list({ sessionId: ['session'] }).pagination.total,
  };
}

const refs = (tenant: Tenant): Record<string, number> =>
  Object.fromEntries(
    database()
      .all<{ hash: string; refs: number }>(
        `SELECT ${hexOf('hash')} AS hash, refs FROM resource WHERE application = ? ORDER BY 1`,
        tenant.application,
      )
      .map(({ hash, refs: count }) => [hash, count]),
  );

describe('rewriting a trace', () => {
  const batches = fc.array(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 })), {
      selector: ([id]) => id,
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 1, maxLength: 6 },
  );

  it('makes it read as one that only ever got the last versions, in one block', () => {
    fc.assert(
      fc.property(batches, (sent) => {
        const tenant = newTenant();
        const last = new Map<number, number>();
        for (const batch of sent) {
          tenant.store(batch.map(([id, number]) => version(id, number)));
          for (const [id, number] of batch) last.set(id, number);
        }
        expect(tenant.rewrite(1)).toBe(true);
        const fresh = newTenant();
        fresh.store([...last].map(([id, number]) => version(id, number)));

        expect(shown(tenant)).toEqual(shown(fresh));
        expect(tenant.count('chunk', tenant.tkey(1) ?? 0)).toBe(1);
        expect(Object.keys(refs(tenant))).toEqual(Object.keys(refs(fresh)));
        expect(new Set(Object.values(refs(tenant)))).toEqual(new Set([1]));
        expect(tenant.count('rewrite', tenant.tkey(1) ?? 0)).toBe(0);

        const again = [...last].map(([id, number]) => version(id, number));
        expect(tenant.store(again)).toMatchObject({ stored: 0, duplicate: again.length, replaced: 0 });
      }),
      { numRuns: effort(27) },
    );
  });

  it('keeps the flag that something was replaced, and every test id ever carried', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1, attributes: { 'service.test.id': uuid(1) } }]);
    tenant.store([{ id: 1, attributes: { 'service.test.id': uuid(2) } }]);
    tenant.rewrite(1);
    expect(tenant.read(1)).toMatchObject({ flags: ['replaced'], testIds: [uuid(1), uuid(2)] });
    expect(tenant.byTest(uuid(1))).not.toBeNull();
  });

  it('brings the times of a trace back to those of its spans', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1, start: 5 * MS, end: 9 * MS }]);
    tenant.store([{ id: 1, start: 6 * MS, end: 7 * MS }]);
    tenant.rewrite(1);
    expect(tenant.read(1)).toMatchObject({ durationMs: 1, timestamp: '2026-01-01T00:00:00.006Z' });
  });

  it('returns false when spans arrived meanwhile, loses none of them, and is due again', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    tenant.store([version(1, 2)]);
    const before = refs(tenant);
    expect(tenant.rewrite(1, () => tenant.store([version(2, 1)]))).toBe(false);
    expect(tenant.spans(1)?.data.map(({ name }) => name)).toEqual(['span 1 v2', 'span 2 v1']);
    expect(Object.keys(refs(tenant))).toEqual(Object.keys(before));
    expect(tenant.count('rewrite', tenant.tkey(1) ?? 0)).toBe(1);
    expect(tenant.rewrite(1)).toBe(true);
    expect(tenant.read(1)).toMatchObject({ spanCount: 2 });
  });

  it('returns false when the trace was deleted meanwhile, and brings nothing back', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    const tkey = tenant.tkey(1) ?? 0;
    expect(tenant.rewrite(1, () => void tenant.delete(1))).toBe(false);
    for (const table of ['trace', 'chunk', 'span', 'trace_attr', 'trace_test', 'trace_preview', 'rewrite']) {
      expect([table, tenant.count(table, tkey)]).toEqual([table, 0]);
    }
    expect(refs(tenant)).toEqual({});
  });

  it('takes all that a resend within the rewrite leaves as it was', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    tenant.store([version(2, 1)]);
    expect(tenant.rewrite(1, () => tenant.store([version(1, 1)]))).toBe(true);
    expect(tenant.count('chunk', tenant.tkey(1) ?? 0)).toBe(1);
  });

  it('of a trace that is gone is no longer due', () => {
    expect(loadForRewrite(database(), { tkey: 10 ** 6 })).toBeNull();
  });

  it('of a trace too large to hold in memory is no longer due', () => {
    const tenant = newTenant();
    for (let id = 1; id <= 34; id++) {
      tenant.store([{ id, attributes: { blob: new Uint8Array(randomBytes(1024 * 1024)) } }]);
    }
    tenant.store([{ id: 1, name: 'other' }]);
    const tkey = tenant.tkey(1) ?? 0;
    expect(tenant.count('rewrite', tkey)).toBe(1);
    expect(tenant.rewrite(1)).toBe(true);
    expect(tenant.count('rewrite', tkey)).toBe(0);
    expect(tenant.count('chunk', tkey)).toBe(35);
    expect(tenant.read(1)).toMatchObject({ spanCount: 34 });
  });

  it('of a trace with too many spans is no longer due', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    tenant.store([version(1, 2)]);
    const tkey = tenant.tkey(1) ?? 0;
    database().run('UPDATE trace SET span_count = 131073 WHERE tkey = ?', tkey);
    expect(loadForRewrite(database(), { tkey })).toBeNull();
    expect(tenant.count('rewrite', tkey)).toBe(0);
  });

  it('that failed is due an hour later', () => {
    const tenant = newTenant();
    tenant.store([version(1, 1)]);
    tenant.store([version(1, 2)]);
    const tkey = tenant.tkey(1) ?? 0;
    postponeRewrite(database(), { tkey, now: BASE_MS });
    const due = (now: number): boolean => dueRewrites(database(), { now, limit: 1_000 }).includes(tkey);
    expect([due(BASE_MS + 3_599_999), due(BASE_MS + 3_600_000)]).toEqual([false, true]);
  });

  it('is due a second after a span was replaced, and half a minute after blocks overlapped', () => {
    const tenant = newTenant();
    const due = (now: number): boolean =>
      dueRewrites(database(), { now, limit: 1_000 }).includes(tenant.tkey(1) ?? 0);
    tenant.store([version(1, 1)]);
    expect(due(BASE_MS + 10 ** 9)).toBe(false);
    tenant.store([version(1, 1), version(2, 1)]);
    expect([due(BASE_MS + 29_999), due(BASE_MS + 30_000)]).toEqual([false, true]);
    tenant.rewrite(1);
    tenant.store([version(1, 2)]);
    expect([due(BASE_MS + 999), due(BASE_MS + 2_000)]).toEqual([false, true]);
  });

  it('is due for a trace in very many blocks', () => {
    const tenant = newTenant();
    for (let id = 1; id <= 64; id++) tenant.store([version(id, 1)]);
    expect(tenant.count('rewrite', tenant.tkey(1) ?? 0)).toBe(1);
    tenant.rewrite(1);
    expect(tenant.count('chunk', tenant.tkey(1) ?? 0)).toBe(1);
    expect(tenant.spans(1)?.data).toHaveLength(64);
  });
});
