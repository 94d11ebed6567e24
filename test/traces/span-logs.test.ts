import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adoptLogs, dropWaitingLogs, logsOfTrace, MAX_TRACE_RECORDS } from '../../src/traces/span-logs.ts';
import { MAX_TRACE_BYTES } from '../../src/traces/store-logs.ts';
import { logBytes, type LogSpec } from '../support/otlp-logs.ts';
import { storeLogRecords } from '../support/stored-logs.ts';
import { BASE_MS, spanHex, traceBytes } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant, useStore } from '../support/storage.ts';
import { effort } from '../support/effort.ts';

const { database, newTenant } = useStore();

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;

/** Span → the bodies of its records. */
const bodies = (tenant: Tenant, trace: number): Record<string, unknown[]> =>
  Object.fromEntries(
    [...logsOfTrace(tenant.database, tenant.application, traceBytes(trace))].map(([span, records]) => [
      span,
      records.map(({ body }) => body),
    ]),
  );

interface Row {
  tkey: number | null;
  record: Buffer;
}

const rows = ({ application }: Tenant): Row[] =>
  database().all<Row>('SELECT tkey, record FROM span_log WHERE application = ? ORDER BY id', application);

const dueAt = (tkey: number): number | undefined =>
  database().get<{ due: number }>('SELECT due_at AS due FROM refresh WHERE tkey = ?', tkey)?.due;

const notices = ({ application }: Tenant): unknown =>
  JSON.parse(
    database().get<{ notices: string }>('SELECT notices FROM ledger WHERE application = ?', application)
      ?.notices ?? '{}',
  );

const rejections = ({ application }: Tenant): unknown[] =>
  database().all(
    'SELECT source, reason, spans, trace_id FROM rejection WHERE application = ? ORDER BY id',
    application,
  );

describe('log records of spans', () => {
  it('are read by span, in order of time, then of arrival', () => {
    const tenant = newTenant();
    storeLogRecords(tenant, [
      { span: 1, time: 2, body: 'c' },
      { span: 2, time: 9, body: 'x' },
      { span: 1, time: 1, body: 'a' },
    ]);
    storeLogRecords(tenant, [
      { span: 1, time: 1, body: 'b' },
      { trace: 2, body: 'other trace' },
    ]);
    storeLogRecords(newTenant(), [{ span: 1, body: 'other application' }]);
    expect(bodies(tenant, 1)).toEqual({ [spanHex(1)]: ['a', 'b', 'c'], [spanHex(2)]: ['x'] });
    expect(bodies(tenant, 2)).toEqual({ [spanHex(1)]: ['other trace'] });
    expect(bodies(tenant, 3)).toEqual({});
  });

  it('come back complete, whatever their size', () => {
    const tenant = newTenant();
    const texts = ['', 'short', 'x'.repeat(5_000), 'long '.repeat(200_000)];
    storeLogRecords(
      tenant,
      texts.map((body, time) => ({ body, time })),
    );
    expect(bodies(tenant, 1)).toEqual({ [spanHex(1)]: texts });
    expect(rows(tenant).map(({ record }) => record[0])).toEqual([0, 0, 1, 1]);
    for (const { record } of rows(tenant)) expect(record.length).toBeLessThan(5_000);
  });

  it('are stored once, however often and in whatever batches they arrive', () => {
    const batches = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 8 }), { maxLength: 6 });
    fc.assert(
      fc.property(batches, (sent) => {
        const tenant = newTenant();
        const outcomes = sent.map((batch) =>
          storeLogRecords(
            tenant,
            batch.map((body) => ({ trace: 1 + (body % 2), span: 1 + (body % 3), body })),
          ),
        );
        const all = sent.flat();
        const total = (field: 'stored' | 'duplicate') =>
          outcomes.reduce((sum, outcome) => sum + outcome[field], 0);
        expect(total('stored')).toBe(new Set(all).size);
        expect(total('stored') + total('duplicate')).toBe(all.length);
        const found = [1, 2].flatMap((trace) => Object.values(bodies(tenant, trace)).flat());
        expect(new Set(found)).toEqual(new Set(all));
        expect(found).toHaveLength(new Set(all).size);
      }),
      { numRuns: effort(17) },
    );
  });

  it('are written down in the ledger beside the spans, whose sums they leave alone', () => {
    const tenant = newTenant();
    storeLogRecords(tenant, [{ body: 'a' }, { body: 'b' }], { dropped: 4 });
    storeLogRecords(tenant, [{ body: 'a' }, { body: 'c' }], { rejected: { too_deep: 2 } });
    expect(notices(tenant)).toEqual({
      log_records: 3,
      log_record_duplicates: 1,
      dropped_log_records: 4,
      rejected_log_records_too_deep: 2,
    });
    expect(tenant.ledger()).toEqual({
      requests: 2,
      received: 0,
      stored: 0,
      duplicate: 0,
      replaced: 0,
      rejected: 0,
    });
  });
});

describe('log records and their trace', () => {
  it('that come after it are its own, and have it computed again', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1 }]);
    const tkey = tenant.tkey(1) as number;
    database().run('DELETE FROM refresh WHERE tkey = ?', tkey);
    storeLogRecords(tenant, [{ body: 'a' }]);
    expect(rows(tenant)).toMatchObject([{ tkey }]);
    expect(dueAt(tkey)).toBe(BASE_MS + 1_000);
    storeLogRecords(tenant, [{ body: 'b' }], { at: BASE_MS + 500 });
    expect(dueAt(tkey)).toBe(BASE_MS + 1_000);
    database().run('DELETE FROM refresh WHERE tkey = ?', tkey);
    storeLogRecords(tenant, [{ body: 'b' }], { at: BASE_MS + 9_000 });
    expect(dueAt(tkey)).toBeUndefined();
  });

  it('that come before it wait until they are adopted', () => {
    const tenant = newTenant();
    storeLogRecords(tenant, [{ body: 'a' }, { body: 'b' }, { trace: 2 }]);
    storeLogRecords(newTenant(), [{ body: 'a' }]);
    expect(rows(tenant).map(({ tkey }) => tkey)).toEqual([null, null, null]);
    const adopt = () =>
      adoptLogs(database(), [{ application: tenant.application, traceId: traceBytes(1), tkey: 77 }]);
    expect(adopt()).toEqual(new Set([77]));
    expect(rows(tenant).map(({ tkey }) => tkey)).toEqual([77, 77, null]);
    expect(adopt()).toEqual(new Set());
  });

  it('that come before it become its own when it comes', () => {
    const tenant = newTenant();
    storeLogRecords(tenant, [{ body: 'a' }, { trace: 2 }]);
    tenant.store([{ id: 1 }]);
    expect(rows(tenant).map(({ tkey }) => tkey)).toEqual([tenant.tkey(1), null]);
  });

  it('are adopted by one search of an index', () => {
    const statements: string[] = [];
    const logged = openDatabase(database().connection.name, (sql) => statements.push(sql));
    const tenant = newTenant();
    storeLogRecords(tenant, [{ body: 'a' }]);
    adoptLogs(logged, [{ application: tenant.application, traceId: traceBytes(1), tkey: 1 }]);
    const searches = statements.filter((sql) => sql.includes('trace_id'));
    const plans = searches.map((sql) =>
      logged.connection
        .prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => null)),
    );
    logged.connection.close();
    const search = {
      detail: expect.stringMatching(
        /^SEARCH span_log USING INDEX \S+ \(application=\? AND trace_id=\?\)$/,
      ) as string,
    };
    expect(plans.map((plan) => plan.map(({ detail }) => ({ detail })))).toEqual([[search], [search]]);
  });

  it('are not searched for where none waits, also once another process has stored some', () => {
    using folder = temporaryFolder();
    const statements: string[] = [];
    const logged = openDatabase(folder.file('store.db'), (sql) => statements.push(sql));
    const adopt = () => adoptLogs(logged, [{ application: 1, traceId: traceBytes(1), tkey: 7 }]);
    expect(adopt()).toEqual(new Set());
    expect(statements).toHaveLength(1);
    const other = openDatabase(folder.file('store.db'));
    storeLogRecords(new Tenant(other, 1), [{ body: 'a' }]);
    other.connection.close();
    expect(adopt()).toEqual(new Set([7]));
    logged.connection.close();
  });

  it('go with it when it is deleted, and are rejected from then on', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1 }, { trace: 2, id: 1 }]);
    storeLogRecords(tenant, [{ body: 'a' }, { trace: 2, body: 'kept' }]);
    const tkey = tenant.delete(1) as number;
    expect(bodies(tenant, 1)).toEqual({});
    expect(bodies(tenant, 2)).toEqual({ [spanHex(1)]: ['kept'] });
    expect([tenant.count('span_log', tkey), tenant.count('refresh', tkey)]).toEqual([0, 0]);

    const outcome = storeLogRecords(tenant, [{ body: 'a' }, { body: 'b' }, { trace: 2, body: 'c' }]);
    expect(outcome).toEqual({ stored: 1, duplicate: 0, rejected: { deleted: 2 } });
    expect(bodies(tenant, 1)).toEqual({});
    expect(notices(tenant)).toMatchObject({ log_records: 3, rejected_log_records_deleted: 2 });
    expect(rejections(tenant)).toEqual([
      { source: 'logs', reason: 'deleted', spans: 2, trace_id: traceBytes(1).toString('hex') },
    ]);
  });
});

describe('a trace', () => {
  it(`takes at most ${MAX_TRACE_RECORDS} log records, and knows those it has`, () => {
    const tenant = newTenant();
    const specs = (from: number, to: number): LogSpec[] =>
      Array.from({ length: to - from }, (_, i) => ({ body: from + i }));
    expect(storeLogRecords(tenant, specs(0, MAX_TRACE_RECORDS - 1)).stored).toBe(MAX_TRACE_RECORDS - 1);
    const more = [...specs(0, 1), ...specs(MAX_TRACE_RECORDS - 1, MAX_TRACE_RECORDS + 2), ...specs(1, 3)];
    expect(storeLogRecords(tenant, [...more, { trace: 2 }])).toEqual({
      stored: 2,
      duplicate: 3,
      rejected: { too_many_log_records: 2 },
    });
    expect(rows(tenant)).toHaveLength(MAX_TRACE_RECORDS + 1);
    expect(rejections(tenant)).toMatchObject([{ reason: 'too_many_log_records', spans: 2 }]);
  });

  it(`takes at most ${MAX_TRACE_BYTES / MIB} MiB of them`, () => {
    const tenant = newTenant();
    const spec: LogSpec = { body: 'fits exactly' };
    const size = logBytes(spec).length + 1;
    database().run(
      `INSERT INTO span_log (application, trace_id, span_id, hash, received_at, record)
       VALUES (?, ?, x'01', x'01', ?, zeroblob(?))`,
      tenant.application,
      traceBytes(1),
      BASE_MS,
      MAX_TRACE_BYTES - size,
    );
    expect(storeLogRecords(tenant, [spec]).stored).toBe(1);
    expect(storeLogRecords(tenant, [spec, { body: 'x' }])).toEqual({
      stored: 0,
      duplicate: 1,
      rejected: { too_many_log_records: 1 },
    });
  });

  it('shows at most 32 MiB of them, those that came first', () => {
    const tenant = newTenant();
    const text = 'x'.repeat(MIB - 100);
    storeLogRecords(
      tenant,
      Array.from({ length: 40 }, (_, i) => ({ span: 1 + i, body: text, time: -i })),
    );
    const spans = Object.keys(bodies(tenant, 1));
    expect(spans).toEqual(Array.from({ length: 32 }, (_, i) => spanHex(1 + i)));
  });
});

describe('dropWaitingLogs', () => {
  it('removes the oldest records whose trace never came, a few at a time', () => {
    const tenant = newTenant();
    tenant.store([{ trace: 9, id: 1 }]);
    storeLogRecords(tenant, [{ trace: 9, body: 'has its trace' }], { at: BASE_MS - 30 * HOUR_MS });
    for (const hours of [25, 26, 1, 27]) {
      storeLogRecords(tenant, [{ trace: hours, body: hours }], { at: BASE_MS - hours * HOUR_MS });
    }
    const left = (): unknown[] =>
      [9, 1, 25, 26, 27].flatMap((trace) => Object.values(bodies(tenant, trace)).flat());
    const drop = () => dropWaitingLogs(database(), { before: BASE_MS - 24 * HOUR_MS, limit: 2 });
    // Other tests leave records that wait, none of them so old.
    expect(drop()).toBe(2);
    expect(left()).toEqual(['has its trace', 1, 25]);
    expect(drop()).toBe(1);
    expect(left()).toEqual(['has its trace', 1]);
    expect(drop()).toBe(0);
  });
});
