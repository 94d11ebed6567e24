import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAccountChange } from '../../src/people/audit-store.ts';
import { actorOf, insertLogin } from '../../src/people/login-store.ts';
import { purge } from '../../src/people/maintenance.ts';
import { peopleCommands, peopleQueries } from '../../src/people/operations.ts';
import { addMember, createSetupLink, insertUser } from '../../src/people/setup-store.ts';
import { newCsrfKey, newToken } from '../../src/people/tokens.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { findOperation, type Operations } from '../../src/storage/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ADA = { id: 'b1c24a5d-6e7f-4b9c-8dae-192a3b4c5d1a', name: 'Ada', email: 'ada@example.com' };

let folder: Folder;
let database: SqliteDatabase;
let now: number;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('touchstone.db'));
  now = Date.UTC(2026, 0, 31);
  const application = insertApplication(database, {
    id: '0b9f2a4e-7c1d-4d8e-9f3a-5e6b7c8d9e01',
    orgId: 'org-1',
    fields: withDefaults({ title: 'A', type: 'AGENT' }),
    at: now,
  });
  insertUser(database, { user: ADA, passwordHash: '', at: now });
  addMember(database, { application, userId: ADA.id, role: 'admin', at: now });
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

const calling =
  (operations: Operations) =>
  async (name: string, args: unknown): Promise<never> =>
    findOperation(operations, name)?.(database, args) as never;
const purgeAfter = (milliseconds: number): Promise<number> =>
  purge({
    read: calling(peopleQueries),
    write: calling(peopleCommands),
    now: () => now + milliseconds,
    settings: { auditDays: 30 },
  });
const count = (table: string): number =>
  database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

describe('what has expired is deleted', () => {
  it('logins that are not used for 12 hours', async () => {
    const { hash: tokenHash } = newToken();
    insertLogin(database, { userId: ADA.id }, { tokenHash, csrfKey: newCsrfKey() }, now);
    expect(await purgeAfter(12 * HOUR_MS - 1)).toBe(0);
    peopleCommands.useLogin(database, { tokenHash, at: now + HOUR_MS });
    expect(await purgeAfter(12 * HOUR_MS)).toBe(0);
    expect(await purgeAfter(13 * HOUR_MS)).toBe(1);
    expect(count('user_login')).toBe(0);
  });

  it('links after 15 minutes', async () => {
    createSetupLink(database, { userId: ADA.id, at: now });
    expect(await purgeAfter(15 * 60_000 - 1)).toBe(0);
    expect(await purgeAfter(15 * 60_000)).toBe(1);
  });

  it('audit entries after their days, however many', async () => {
    for (let i = 0; i < 1_200; i++)
      recordAccountChange(database, { ...actorOf(ADA), action: 'signIn', at: now + i, requestId: 'r' });
    expect(await purgeAfter(30 * DAY_MS)).toBe(0);
    expect(await purgeAfter(30 * DAY_MS + 1_100)).toBe(1_100);
    expect(count('audit_entry')).toBe(100);
  });

  it('the oldest audit entries of an application that has too many', () => {
    for (let i = 0; i < 10; i++)
      recordAccountChange(database, { ...actorOf(ADA), action: 'signIn', at: now + i, requestId: 'r' });
    const [application] = peopleQueries.applicationsWithOldEntries(database, { before: 0, most: 5 });
    expect(peopleQueries.applicationsWithOldEntries(database, { before: 0, most: 9 })).toEqual([]);
    const kept = { application: application as number, before: 0, most: 5, limit: 100 };
    peopleCommands.purgeAudit(database, kept);
    expect(peopleQueries.applicationsWithOldEntries(database, kept)).toEqual([]);
    expect(count('audit_entry')).toBeLessThanOrEqual(6);
  });
});

it('a user has at most 20 logins', () => {
  for (let i = 0; i < 25; i++)
    insertLogin(database, { userId: ADA.id }, { tokenHash: newToken().hash, csrfKey: newCsrfKey() }, now + i);
  expect(database.get('SELECT count(*) AS n, min(created_at) AS since FROM user_login')).toEqual({
    n: 20,
    since: now + 5,
  });
});
