import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLargest, type LargestTraces } from '../../src/traces/largest-traces.ts';
import { TRACES_PER_RANGE } from '../../src/traces/trace-ranges.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { BASE_NS, MS, type SpanSpec } from '../support/spans.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const RANGES = 48;
const TRACES = RANGES * TRACES_PER_RANGE;

let folder: Folder;
let database: SqliteDatabase;
let tenant: Tenant;
beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  tenant = new Tenant(database, 1);
  const spans = Array.from({ length: TRACES }, (_, trace) => spanOf(trace + 1));
  for (let from = 0; from < TRACES; from += 1_000) tenant.store(spans.slice(from, from + 1_000));
  new Tenant(database, 2).store([{ ...spanOf(TRACES + 1), end: 10_000_000 * MS }]);
});
afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

/** Spans whose duration is spread over all ranges, and a hundred of which in the first ranges have the same. */
function spanOf(trace: number): SpanSpec {
  const spread = (trace * 7_919) % TRACES;
  const isEqual = trace % 50 === 0 && trace < 20 * TRACES_PER_RANGE;
  return {
    trace,
    id: 1,
    start: trace * MS,
    end: (trace + (isEqual ? TRACES : spread)) * MS,
    attributes: { 'gen_ai.usage.output_tokens': (trace * 31) % TRACES, 'gen_ai.usage.cost': spread / 1_000 },
  };
}

const all = { sql: 'application = ?', values: [1] };
const wanted: LargestTraces = { application: 1, where: all, field: 'durationMs', count: 50 };

/** Keys in the order of a look at every trace. */
function sorted({ where, field, count, startDate, endDate }: LargestTraces): bigint[] {
  const value = { durationMs: 'end_ns - start_ns', cost: 'cost', totalTokens: 'total_tokens' }[field];
  return database
    .allExact<{ tkey: bigint }>(
      `SELECT tkey FROM trace WHERE ${where.sql} AND start_ns BETWEEN ? AND ? ORDER BY ${value} DESC, trace_id DESC LIMIT ?`,
      ...where.values,
      startDate ?? 0n,
      endDate ?? 9_000_000_000_000_000_000n,
      count,
    )
    .map(({ tkey }) => tkey);
}

describe('the largest traces by the bounds of key ranges', () => {
  it.each<[rule: string, change: Partial<LargestTraces>]>([
    ['by duration, with a hundred equal ones', {}],
    ['by cost', { field: 'cost' }],
    ['by tokens', { field: 'totalTokens', count: 5 }],
    ['fewer', { field: 'cost', count: 1 }],
  ])('are those of a look at every trace: %s', (_rule, change) => {
    const found = findLargest(database, { ...wanted, ...change });
    expect(found).not.toBeNull();
    expect(found).toEqual(sorted({ ...wanted, ...change }));
  });

  it('are only those that match', () => {
    const where = { sql: `application = ? AND total_tokens < ?`, values: [1, TRACES / 2] };
    expect(findLargest(database, { ...wanted, where, field: 'cost' })).toEqual(
      sorted({ ...wanted, where, field: 'cost' }),
    );
  });

  it('leave out key ranges beyond the range of starts', () => {
    const startDate = BASE_NS + BigInt(40 * TRACES_PER_RANGE * MS);
    const where = { sql: 'application = ? AND start_ns >= ?', values: [1, startDate] };
    expect(findLargest(database, { ...wanted, where, field: 'cost', startDate })).toEqual(
      sorted({ ...wanted, where, field: 'cost', startDate }),
    );
  });

  it('are not searched by key ranges when too few match', () => {
    const where = { sql: 'application = ? AND cost < 0.01', values: [1] };
    expect(findLargest(database, { ...wanted, where, field: 'cost' })).toBeNull();
  });

  it('of an application without traces are none', () => {
    const where = { sql: 'application = ?', values: [3] };
    expect(findLargest(database, { ...wanted, application: 3, where })).toEqual([]);
  });

  it('include those that grew, in ranges of older traces', () => {
    tenant.store([{ ...spanOf(300), id: 2, parent: 1, end: 5_000_000 * MS }]);
    expect(tenant.list({}, { orderBy: 'durationMs', limit: 1 }).data[0]?.['durationMs']).toBe(4_999_700);
    expect(findLargest(database, wanted)).toEqual(sorted(wanted));
  });
});

describe('a key range', () => {
  const ranges = (application: number): unknown[] =>
    database.all('SELECT block FROM trace_block WHERE application = ?', application);

  it('goes with its last trace', () => {
    const other = new Tenant(database, 4);
    other.store([spanOf(TRACES + 10), spanOf(TRACES + 11)]);
    expect(ranges(4)).toHaveLength(1);
    other.delete(TRACES + 10);
    expect(ranges(4)).toHaveLength(1);
    other.delete(TRACES + 11);
    expect(ranges(4)).toEqual([]);
  });
});
