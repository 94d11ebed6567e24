import { expect, it } from 'vitest';
import type { Database, SetRow } from '../../src/storage/database.ts';
import { storeSlices } from '../../src/traces/store.ts';
import type { SpanSpec } from '../support/spans.ts';
import { onlyOutcome, storeArgs, useStore } from '../support/storage.ts';

const { database, newTenant } = useStore();

interface SentStatement {
  sql: string;
  rows: readonly SetRow[];
}

/** Shows `log` each statement of a database. */
function logged(inner: Database, log: (statement: SentStatement) => void): Database {
  return new Proxy(inner, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (first: string | { sql: string }, ...rest: unknown[]): unknown => {
        const isSet = typeof first !== 'string';
        if (!isSet || (rest[0] as unknown[]).length > 0)
          log({ sql: isSet ? first.sql : first, rows: isSet ? (rest[0] as SetRow[]) : [] });
        return method.call(target, first, ...rest);
      };
    },
  });
}

const tableOf = (sql: string): string =>
  /(?:INTO|UPDATE|FROM) (?!\()(\w+)/.exec(sql)?.[1] ?? /FROM (\w+)/.exec(sql)?.[1] ?? sql;
const isRead = (sql: string): boolean => sql.startsWith('SELECT');

const slice = (traces: number, first: number, start = 100): SpanSpec[] =>
  Array.from({ length: traces }, (_, n) => n).flatMap((n) =>
    [1, 2].map((id) => ({
      trace: n + 1,
      id: first + id,
      start,
      end: start + 5,
      resource: { 'service.name': `app${n % 3}` },
      attributes: {
        'session.id': `s${9 - (n % 5)}`,
        'service.test.id': `00000000-0000-4000-8000-00000000000${n % 7}`,
        'gen_ai.request.model': `m${n % 2}`,
      },
    })),
  );

it.each([
  ['new', 0],
  ['stored', 1],
])('slices with %s traces write each table once, and those that traces share last, in order', (_, before) => {
  const tenant = newTenant();
  const slices = [slice(12, 10, 50), slice(8, 20, 30)].map((specs) => storeArgs(tenant.application, specs));
  if (before === 1) tenant.store(slice(12, 0));
  const sent: SentStatement[] = [];
  const store = (): unknown =>
    storeSlices(
      logged(database(), (one) => sent.push(one)),
      slices,
    );
  for (const outcome of database().transaction(store) as ReturnType<typeof storeSlices>)
    onlyOutcome([outcome]);
  const statements = sent.map(({ sql }) => sql);
  expect(statements).toEqual([...new Set(statements)]);
  const writes = sent.filter(({ sql }) => !isRead(sql));
  const tables = writes.map(({ sql }) => tableOf(sql));
  expect(tables.slice(-4)).toEqual(['ledger', 'session', 'trace_block', 'resource']);
  const sessions = writes.find(({ sql }) => tableOf(sql) === 'session')?.rows.map(([, id]) => id);
  expect(sessions).toEqual(['s5', 's6', 's7', 's8', 's9']);
});
