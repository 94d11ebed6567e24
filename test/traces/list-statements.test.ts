import { expect, it } from 'vitest';
import { listTraces } from '../../src/traces/list.ts';
import { readTrace } from '../../src/traces/read.ts';
import { listSessions, readSession } from '../../src/traces/sessions.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type SpanSpec, traceBytes, uuid } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const TRACES = 100;
const SESSIONS = 50;
const page = { skip: 0, limit: 25 };

it('lists of traces and sessions run as many statements for a full page as for one row', () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.file('store.db'));
  const tenant = new Tenant(database, 1);
  tenant.store(Array.from({ length: TRACES }, (_, trace) => spanOf(trace + 1)));
  const { owner } = tenant;
  const traces = (limit: number) => (counted: SqliteDatabase) =>
    listTraces(counted, { ...owner, ...page, limit, orderDir: 'desc', filter: {} });
  const sessions = (limit: number) => (counted: SqliteDatabase) =>
    listSessions(counted, { ...owner, ...page, limit, orderBy: 'lastAt', orderDir: 'desc', filter: {} });
  expect([statementsOf(database, traces(1)), statementsOf(database, traces(25))]).toEqual([3, 3]);
  expect([statementsOf(database, sessions(1)), statementsOf(database, sessions(25))]).toEqual([4, 4]);
  const session = (counted: SqliteDatabase) => readSession(counted, { ...owner, id: 'session 7' });
  expect(statementsOf(database, session)).toBe(4);
  database.connection.close();
});

it('a trace is found by any of the ids that it may be stored under in one statement', () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.file('store.db'));
  const tenant = new Tenant(database, 1);
  tenant.store([spanOf(1), spanOf(2)]);
  const read = (traces: number[], from = database): string | null => {
    const bytes = readTrace(from, { ...tenant.owner, traceIds: traces.map(traceBytes) });
    return (
      bytes &&
      (JSON.parse(Buffer.from(bytes).toString()) as { data: { otelTraceId: string } }).data.otelTraceId
    );
  };
  expect(read([9, 2])).toBe(traceBytes(2).toString('hex'));
  expect(() => read([9, 2, 1])).toThrow('stands for 2 traces');
  expect(read([7, 8, 9])).toBeNull();
  expect(statementsOf(database, (counted) => read([7, 8, 9], counted))).toBe(1);
  database.connection.close();
});

const spanOf = (trace: number): SpanSpec => ({
  trace,
  id: trace,
  start: trace,
  attributes: {
    'session.id': `session ${trace % SESSIONS}`,
    'user.id': `user ${trace % 3}`,
    'service.test.id': uuid(trace),
    'gen_ai.request.model': 'gpt-5',
  },
});

/** How many statements `read` runs. */
function statementsOf(database: SqliteDatabase, read: (database: SqliteDatabase) => unknown): number {
  let count = 0;
  const counted = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        count += 1;
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  read(counted);
  return count;
}
