import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSessions } from '../../src/traces/sessions.ts';
import { finishRefresh, workOutTrace } from '../../src/traces/refresh.ts';
import { storeSlices } from '../../src/traces/store.ts';
import type { TraceFilter } from '../../src/traces/trace-where.ts';
import { BASE_MS, MS, type SpanSpec, type Value } from '../support/spans.ts';
import { onlyOutcome, storeArgs, type Tenant, useStore } from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { database, newTenant } = useStore();

const TRACES = [1, 2, 3];
const maybe = <T>(...values: T[]): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, ...values);

const anySpan: fc.Arbitrary<SpanSpec> = fc
  .record({
    trace: fc.constantFrom(...TRACES),
    id: fc.integer({ min: 1, max: 6 }),
    parent: maybe(1, 2, 7),
    name: fc.constantFrom('a', 'b'),
    start: fc.nat({ max: 9 }),
    duration: fc.nat({ max: 5 }),
    status: fc.constantFrom(0, 2),
    service: fc.constantFrom('app', 'db'),
    session: maybe('s1', 's2'),
    user: maybe('u1', 'u2'),
    model: maybe('m1', 'm2'),
    tags: maybe(['x'], ['x', 'y']),
    plan: maybe('gold', 'ü "0"\0'),
    tokens: maybe(3, 5),
  })
  .map(({ start, duration, service, session, user, model, tags, plan, tokens, parent, ...span }) => ({
    ...span,
    ...(parent === undefined || parent === span.id ? {} : { parent }),
    start: start * MS,
    end: (start + duration) * MS,
    resource: { 'service.name': service },
    attributes: {
      ...(session === undefined ? {} : { 'session.id': session }),
      ...(user === undefined ? {} : { 'user.id': user }),
      ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
      ...(tags === undefined ? {} : { 'langfuse.trace.tags': tags }),
      ...(plan === undefined ? {} : { 'langfuse.trace.metadata.plan': plan }),
      ...(tokens === undefined ? {} : { 'gen_ai.usage.input_tokens': tokens }),
    },
  }));
const someSpans = fc.array(anySpan, { minLength: 1, maxLength: 14, size: 'max' });

/**
 * Spans of which each has one version, however often it is there. Those of a trace agree on its session and user, of
 * which the first to arrive counts, and no two of them start at the same time.
 */
const oneVersionEach = someSpans.map((spans) => {
  const first = new Map<string, SpanSpec>();
  return spans.map((span) => {
    const key = `${span.trace} ${span.id}`;
    const known = first.get(key);
    if (known) return known;
    const attributes: Record<string, Value> = { ...span.attributes };
    if ('session.id' in attributes) attributes['session.id'] = span.trace === 1 ? 's1' : 's2';
    if ('user.id' in attributes) attributes['user.id'] = span.trace === 2 ? 'u1' : 'u2';
    const start = (span.start ?? 0) + Number(span.id);
    const one = { ...span, attributes, start, end: (span.end ?? 0) + Number(span.id) };
    first.set(key, one);
    return one;
  });
});

/** Stores slices in one transaction, as one command of the writer does. */
function storeTogether(tenant: Tenant, slices: readonly (readonly SpanSpec[])[]): void {
  const args = slices.map((specs, i) => storeArgs(tenant.application, specs, { requests: i === 0 ? 1 : 0 }));
  const outcomes = tenant.database.transaction(() => storeSlices(tenant.database, args));
  for (const outcome of outcomes) onlyOutcome([outcome]);
}

function refresh(tenant: Tenant, trace: number): void {
  const tkey = tenant.tkey(trace);
  if (tkey === undefined) return;
  const refreshed = workOutTrace(tenant.database, { tkey });
  finishRefresh(tenant.database, { tkey, asOf: BASE_MS, refreshed });
}

/** Splits a list into pieces of these lengths, over and over. */
function cutInto<T>(items: readonly T[], lengths: readonly number[]): T[][] {
  const pieces: T[][] = [];
  for (let at = 0, i = 0; at < items.length; i++) {
    const length = lengths[i % lengths.length] as number;
    pieces.push(items.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const FILTERS: TraceFilter[] = [
  {},
  { sessionId: ['s1'] },
  { userId: ['u2'] },
  { model: ['m1'] },
  { tag: ['y'] },
  { metadataKey: 'plan', metadataValue: 'gold' },
  { hasErrors: true },
];

/** All that lists and pages show; sets in one order. */
function shown(tenant: Tenant): unknown {
  const sorted = (json: unknown): unknown =>
    JSON.parse(
      JSON.stringify(json, (key, value: unknown) => {
        if (key === 'applicationId') return undefined;
        return ['models', 'services', 'tags'].includes(key) ? (value as string[]).toSorted() : value;
      }),
    );
  const owner = { application: tenant.application, applicationId: 'a', orgId: 'organisation' };
  const page = { skip: 0, limit: 100, orderBy: 'lastAt', orderDir: 'desc', filter: {} } as const;
  const sessions = JSON.parse(
    Buffer.from(listSessions(tenant.database, { ...owner, ...page })).toString(),
  ) as unknown;
  return sorted({
    lists: FILTERS.map((filter) => tenant.list(filter)),
    traces: TRACES.map((trace) => tenant.read(trace)),
    spans: TRACES.map((trace) => tenant.spans(trace)),
    sessions,
  });
}

/** Fails unless the tables that are kept in step say what a look at every trace says. */
function checkTables(tenant: Tenant): void {
  const { application } = tenant;
  const of = (sql: string): unknown[] => tenant.database.allExact(sql, application);
  expect(of('SELECT id, first_ns, last_ns FROM session WHERE application = ? ORDER BY id')).toEqual(
    of(`SELECT session_id AS id, min(start_ns) AS first_ns, max(start_ns) AS last_ns FROM trace
        WHERE application = ? AND session_id IS NOT NULL GROUP BY session_id ORDER BY session_id`),
  );
  const pairs = tenant.database
    .all<{ tkey: number; attributes: string }>(
      'SELECT tkey, attributes FROM trace WHERE application = ?',
      application,
    )
    .flatMap(({ tkey, attributes }) => (JSON.parse(attributes) as string[][]).map((pair) => [tkey, ...pair]));
  const rows = tenant.database
    .all<{ tkey: number; key: string; value: string }>(
      'SELECT tkey, key, value FROM trace_attr WHERE application = ?',
      application,
    )
    .map(({ tkey, key, value }) => [tkey, key, value]);
  const inOrder = (list: unknown[][]): string[] => list.map((row) => JSON.stringify(row)).sort();
  expect(inOrder(rows)).toEqual(inOrder(pairs));
  const { received, stored, duplicate, replaced, rejected } = tenant.ledger();
  expect(received).toBe(stored + duplicate + replaced + rejected);
}

describe('spans', () => {
  it('give the same whether they are stored as one batch, as slices, or one by one in any order', () => {
    fc.assert(
      fc.property(
        oneVersionEach,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 14, maxLength: 14 }),
        (spans, lengths, dice) => {
          const shuffled = spans
            .map((span, i) => ({ span, at: dice[i] as number }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ span }) => span);
          const ways: ((tenant: Tenant) => void)[] = [
            (tenant) => void tenant.store(spans),
            (tenant) => storeTogether(tenant, cutInto(spans, lengths)),
            (tenant) => cutInto(spans, lengths).forEach((slice) => void tenant.store(slice)),
            (tenant) => shuffled.forEach((span) => void tenant.store([span])),
            (tenant) =>
              storeTogether(
                tenant,
                shuffled.map((span) => [span]),
              ),
          ];
          const results = ways.map((store) => {
            const tenant = newTenant();
            store(tenant);
            checkTables(tenant);
            for (const trace of TRACES) tenant.rewrite(trace);
            checkTables(tenant);
            for (const trace of TRACES) refresh(tenant, trace);
            const { requests: _, ...ledger } = tenant.ledger();
            return { shown: shown(tenant), ledger };
          });
          for (const result of results.slice(1)) expect(result).toEqual(results[0]);
        },
      ),
      { numRuns: effort(13), endOnFailure: true },
    );
  });

  it('in several versions count the same in one batch, as slices and one by one in the same order', () => {
    fc.assert(
      fc.property(
        someSpans,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        (spans, lengths) => {
          const ledgers = [[spans], cutInto(spans, lengths), spans.map((span) => [span])].map((slices) => {
            const tenant = newTenant();
            storeTogether(tenant, slices);
            checkTables(tenant);
            for (const trace of TRACES) tenant.rewrite(trace);
            checkTables(tenant);
            return { ledger: tenant.ledger(), spans: TRACES.map((trace) => tenant.spans(trace)) };
          });
          for (const ledger of ledgers.slice(1)) expect(ledger).toEqual(ledgers[0]);
        },
      ),
      { numRuns: effort(13), endOnFailure: true },
    );
  });
});

type Action =
  | { kind: 'store' | 'together'; spans: SpanSpec[] }
  | { kind: 'delete' | 'rewrite' | 'refresh'; trace: number };
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('store', 'together'), spans: someSpans }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete', 'rewrite', 'refresh'),
      trace: fc.constantFrom(...TRACES),
    }),
  },
) as fc.Arbitrary<Action>;

describe('sessions and attributes', () => {
  it('say what the traces say after any batches, replacements, deletions and rewrites', () => {
    fc.assert(
      fc.property(fc.array(anyAction, { minLength: 1, maxLength: 12 }), (actions) => {
        const tenant = newTenant();
        for (const action of actions) {
          if ('spans' in action) {
            if (action.kind === 'store') tenant.store(action.spans);
            else
              storeTogether(
                tenant,
                action.spans.map((span) => [span]),
              );
          } else if (action.kind === 'delete') tenant.delete(action.trace);
          else if (action.kind === 'rewrite') tenant.rewrite(action.trace);
          else refresh(tenant, action.trace);
          checkTables(tenant);
        }
      }),
      { numRuns: effort(20), endOnFailure: true },
    );
    expect(database().connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});
