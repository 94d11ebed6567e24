/** People as the store knows them, without the time that hashing a password takes. */
import { randomUUID } from 'node:crypto';
import { insertLogin, type User } from '../../src/people/login-store.ts';
import type { Role } from '../../src/people/roles.ts';
import { addMember, insertUser } from '../../src/people/setup-store.ts';
import { csrfOf, newCsrfKey, newToken } from '../../src/people/tokens.ts';
import { besideServer } from './beside-store.ts';
import type { Tenant, TestServer } from './server.ts';
import { applicationKey } from './stored-tests.ts';

export interface Person extends User {
  /** Headers of the calls of the person's browser. */
  headers: Readonly<Record<string, string>>;
}

interface NewPerson {
  role: Role;
  name?: string;
  /** Unix milliseconds at which the person signed in. */
  signedInAt?: number;
}

/** A member of an application, who is signed in. */
export function addPerson(
  { folder }: Pick<TestServer, 'folder'>,
  { applicationId }: Pick<Tenant, 'applicationId'>,
  { role, name = role, signedInAt = Date.now() }: NewPerson,
): Person {
  const user = { id: randomUUID(), name, email: `${randomUUID()}@example.com` };
  const { text, hash } = newToken();
  const csrfKey = newCsrfKey();
  besideServer(folder, (database) => {
    const application = applicationKey(database, applicationId);
    insertUser(database, { user, passwordHash: 'scrypt$2$AA$AA', at: signedInAt });
    addMember(database, { application, userId: user.id, role, at: signedInAt });
    insertLogin(database, { userId: user.id }, { tokenHash: hash, csrfKey }, signedInAt);
  });
  return {
    ...user,
    headers: {
      cookie: `touchstone_login=${text}`,
      'x-csrf': csrfOf(csrfKey, text),
      'x-application-id': applicationId,
    },
  };
}
