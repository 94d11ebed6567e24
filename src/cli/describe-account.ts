import { accountOrigin, isInOrganisation } from '../people/account-store.ts';
import { findCredentials, type User } from '../people/login-store.ts';
import type { Database } from '../storage/database.ts';

/** Returns whose account it is and where it is a member, for a person who decides whether it is the right one. */
export function describeAccount(database: Database, user: User): string {
  const { createdAt, memberships } = accountOrigin(database, { userId: user.id });
  const roles = memberships.map(
    ({ title, applicationId, orgId, role }) =>
      `${role} of ${title} (${applicationId}, organisation ${orgId})`,
  );
  const list = roles.length === 0 ? 'is a member of no application' : `is ${roles.join(', ')}`;
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return `The account ${user.email} (${user.name}, id ${user.id}) was created on ${day} and ${list}`;
}

/**
 * Returns a warning if the address has an account that has accepted no invitation of the organisation of an application,
 * otherwise an empty text.
 */
export function describeStranger(
  database: Database,
  { application, email }: { application: number; email: string },
): string {
  const found = findCredentials(database, { email });
  if (!found || isInOrganisation(database, { application, userId: found.user.id })) return '';
  return `${describeAccount(database, found.user)}. The link adds the application to this account, and is accepted with its password: make sure that the account belongs to the person whom you invite.\n`;
}
