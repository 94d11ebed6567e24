/** Commands and queries of accounts, on a store; on PostgreSQL too (test/storage/postgres). */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { purge } from '../../src/people/maintenance.ts';
import { peopleCommands, peopleQueries } from '../../src/people/operations.ts';
import { createInvitation } from '../../src/people/invitation-store.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { hashToken, newCsrfKey, newToken } from '../../src/people/tokens.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import type { Read, Write } from '../../src/storage/calls.ts';
import { findOperation, type Operations } from '../../src/storage/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const ADA = { id: 'b1c24a5d-6e7f-4b9c-8dae-192a3b4c5d1a', name: 'Ada', email: 'ada@example.com' };
const BOB = { id: 'b1c24a5d-6e7f-4b9c-8dae-192a3b4c5d1b', name: 'Bob', email: 'bob@example.com' };
const AT = Date.UTC(2026, 0, 31);
const WHEN = { at: AT, requestId: 'r' };

let folder: Folder;
let database: SqliteDatabase;
let application: number;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('touchstone.db'));
  application = insertApplication(database, {
    id: '0b9f2a4e-7c1d-4d8e-9f3a-5e6b7c8d9e01',
    orgId: 'org-1',
    fields: withDefaults({ title: 'A', type: 'AGENT' }),
    at: AT,
  });
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

const newLogin = () => {
  const { text, hash } = newToken();
  return { text, login: { tokenHash: hash, csrfKey: newCsrfKey() } };
};
const called = (operations: Operations) => async (name: string, args: unknown) =>
  findOperation(operations, name)?.(database, args);
const read = called(peopleQueries) as Read;
const write = called(peopleCommands) as Write;

/** Makes the first user, whose browser is known by the returned hash. */
function setUpAda(): { browserHash: Uint8Array; tokenHash: Uint8Array } {
  const token = createSetupLink(database, { userId: null, at: AT });
  const { hash: browserHash } = newToken();
  const { login } = newLogin();
  expect(peopleQueries.findSetupLink(database, { tokenHash: hashToken(token), at: AT })).not.toBeNull();
  peopleCommands.setUp(database, {
    linkHash: hashToken(token),
    user: ADA,
    passwordHash: 'first',
    login,
    browserHash,
    ...WHEN,
  });
  return { browserHash, tokenHash: login.tokenHash };
}

it('a person is set up, signs in, changes the password, and signs out', () => {
  const { browserHash, tokenHash } = setUpAda();
  expect(peopleQueries.hasUsers(database)).toBe(true);
  expect(peopleQueries.findCredentials(database, { email: ADA.email })).toEqual({
    user: ADA,
    passwordHash: 'first',
  });
  expect(peopleQueries.isKnownBrowser(database, { browserHash, email: ADA.email, at: AT })).toBe(true);
  const { login } = newLogin();
  peopleCommands.signIn(database, { user: ADA, passwordHash: 'first', login, browserHash, ...WHEN });
  peopleCommands.useLogin(database, { tokenHash, at: AT + 1 });
  expect(peopleQueries.findLogin(database, { tokenHash })).toMatchObject({
    user: ADA,
    usedAt: AT + 1,
    applications: [{ application, role: 'admin' }],
  });
  const logins = peopleQueries.listOwnLogins(database, { userId: ADA.id, tokenHash, at: AT });
  expect(logins.map(({ isCurrent }) => isCurrent)).toEqual(expect.arrayContaining([true, false]));
  peopleCommands.changePassword(database, { user: ADA, from: 'first', to: 'second', tokenHash, ...WHEN });
  expect(peopleQueries.findLogin(database, { tokenHash: login.tokenHash })).toBeNull();
  peopleCommands.signOut(database, { tokenHash, user: ADA, ...WHEN });
  expect(peopleQueries.findLogin(database, { tokenHash })).toBeNull();
});

it('a person ends own logins, one and all others', () => {
  const { browserHash, tokenHash } = setUpAda();
  for (const _ of [1, 2, 3])
    peopleCommands.signIn(database, {
      user: ADA,
      passwordHash: 'first',
      login: newLogin().login,
      browserHash,
      ...WHEN,
    });
  const list = () => peopleQueries.listOwnLogins(database, { userId: ADA.id, tokenHash, at: AT });
  const other = list().find(({ isCurrent }) => !isCurrent)?.id ?? '';
  expect(peopleCommands.endOwnLogin(database, { user: ADA, id: other, tokenHash, ...WHEN })).toBe(false);
  expect(peopleCommands.endOtherLogins(database, { user: ADA, tokenHash, ...WHEN })).toBe(2);
  expect(list()).toHaveLength(1);
});

it('a person is invited, becomes a member, and is removed', () => {
  setUpAda();
  const { hash: linkHash } = newToken();
  createInvitation(database, {
    application,
    id: '0b9f2a4e-7c1d-4d8e-9f3a-5e6b7c8d9e02',
    tokenHash: linkHash,
    email: BOB.email,
    role: 'viewer',
    at: AT,
  } as never);
  expect(peopleQueries.listInvitations(database, { application, at: AT })).toHaveLength(1);
  expect(peopleQueries.findInvitation(database, { tokenHash: linkHash, at: AT })).toMatchObject({
    email: BOB.email,
    account: null,
  });
  peopleCommands.acceptInvitation(database, {
    linkHash,
    user: BOB,
    passwordHash: 'third',
    login: newLogin().login,
    browserHash: newToken().hash,
    ...WHEN,
  });
  const page = { skip: 0, limit: 10 };
  expect(peopleQueries.listMembers(database, { application, page }).data).toHaveLength(2);
  peopleCommands.updateMember(database, { application, userId: BOB.id, role: 'editor', at: AT } as never);
  peopleCommands.removeMember(database, { application, userId: BOB.id });
  expect(peopleQueries.listMembers(database, { application, page }).data).toHaveLength(1);
});

it('failed attempts are entries of the audit of the account, and all of it is deleted in time', async () => {
  setUpAda();
  peopleCommands.recordSignIn(database, {
    account: { type: 'user', id: ADA.id, name: ADA.name },
    action: 'signInFailed',
    detail: 'from 203.0.113.7',
    requestId: 'r',
    at: AT,
  });
  const subjects = [{ hash: newToken().hash, free: 5 }];
  expect(peopleCommands.beginAttempt(database, { subjects, now: AT })).toHaveProperty('before');
  expect(await purge({ read, write, now: () => AT + 3_600_000, settings: { auditDays: 30 } })).toBe(0);
  expect(await purge({ read, write, now: () => AT + 3_600_001, settings: { auditDays: 30 } })).toBe(1);
  const years = 3 * 365 * 86_400_000;
  expect(await purge({ read, write, now: () => AT + years, settings: { auditDays: 30 } })).toBeGreaterThan(3);
});
