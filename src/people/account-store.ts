import { deleteViewsOfUser } from '../resources/views/store.ts';
import type { Database } from '../storage/database.ts';
import { forgetBrowsers } from './browser-store.ts';
import type { User } from './login-store.ts';
import type { Role } from './roles.ts';

// Only for those who own the machine: these functions name no application.

/** A membership of a user, or a user without any. */
export interface UserRow extends User {
  applicationId: string | null;
  role: Role | null;
  createdAt: number;
}

export const listUsers = (database: Database): UserRow[] =>
  database.all<UserRow>(
    `SELECT u.id, u.name, u.email, a.id AS "applicationId", m.role, u.created_at AS "createdAt"
     FROM user_account u
       LEFT JOIN membership m ON m.user_id = u.id
       LEFT JOIN application a ON a.application = m.application
     ORDER BY u.email, a.application`,
  );

/** Reports whether a user is a member of any application of the organisation of an application. */
export const isInOrganisation = (
  database: Database,
  { application, userId }: { application: number; userId: string },
): boolean =>
  database.get(
    `SELECT 1 FROM membership m JOIN application a ON a.application = m.application
     WHERE m.user_id = :userId
       AND a.org_id = (SELECT org_id FROM application WHERE application = :application) LIMIT 1`,
    { application, userId },
  ) !== undefined;

/** Origin of an account, for a person who decides whether it is the right one. */
export interface AccountOrigin {
  createdAt: number;
  memberships: { title: string; applicationId: string; orgId: string; role: Role }[];
}

const MAX_SHOWN = 20;

export function accountOrigin(database: Database, { userId }: { userId: string }): AccountOrigin {
  const account = database.get<{ createdAt: number }>(
    'SELECT created_at AS "createdAt" FROM user_account WHERE id = :userId',
    { userId },
  );
  const memberships = database.all<AccountOrigin['memberships'][number]>(
    `SELECT a.title, a.id AS "applicationId", a.org_id AS "orgId", m.role
     FROM membership m JOIN application a ON a.application = m.application
     WHERE m.user_id = :userId ORDER BY a.application LIMIT :limit`,
    { userId, limit: MAX_SHOWN },
  );
  return { createdAt: account?.createdAt ?? 0, memberships };
}

/** Removes a member with the views of their own, even the last admin; returns false if the user is no member. */
export function endMembership(
  database: Database,
  { application, userId }: { application: number; userId: string },
): boolean {
  deleteViewsOfUser(database, { application, userId });
  return (
    database.run('DELETE FROM membership WHERE application = :application AND user_id = :userId', {
      application,
      userId,
    }) > 0
  );
}

/** Deletes an account with its memberships, logins and the views of its own. Audit entries and annotations keep the id of the user. */
export function deleteAccount(database: Database, { userId }: { userId: string }): void {
  database.run('DELETE FROM user_login WHERE user_id = :userId', { userId });
  forgetBrowsers(database, { userId });
  deleteViewsOfUser(database, { application: null, userId });
  database.run('DELETE FROM membership WHERE user_id = :userId', { userId });
  database.run('DELETE FROM setup_link WHERE user_id = :userId', { userId });
  database.run('DELETE FROM user_account WHERE id = :userId', { userId });
}
