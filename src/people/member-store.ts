import type { ListOf, PageQuery } from '../contract/paging.ts';
import { paginate } from '../contract/paging.ts';
import { isoTime } from '../contract/values.ts';
import { AppError } from '../errors.ts';
import { deleteViewsOfUser } from '../resources/views/store.ts';
import type { Database } from '../storage/database.ts';
import { notFound } from '../storage/require-row.ts';
import type { Member } from './member-contract.ts';
import { memberships } from './records.ts';
import type { Role } from './roles.ts';

type Row = Omit<Member, 'createdAt' | 'modifiedAt'> & { createdAt: number; modifiedAt: number };

const SELECT = `SELECT u.id, u.name, u.email, m.role, m.created_at AS "createdAt", m.modified_at AS "modifiedAt"
  FROM membership m JOIN user_account u ON u.id = m.user_id WHERE m.application = :application`;

const shown = ({ createdAt, modifiedAt, ...row }: Row): Member => ({
  ...row,
  createdAt: isoTime(createdAt),
  modifiedAt: isoTime(modifiedAt),
});

function listMembers(
  database: Database,
  { application, page }: { application: number; page: Pick<PageQuery, 'skip' | 'limit'> },
): ListOf<Member> {
  const rows = database.all<Row>(`${SELECT} ORDER BY u.email LIMIT :limit OFFSET :skip`, {
    application,
    skip: page.skip,
    limit: page.limit,
  });
  const counted = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM membership WHERE application = :application',
    { application },
  );
  return { data: rows.map(shown), pagination: paginate(page, counted?.n ?? 0) };
}

interface OneMember {
  application: number;
  userId: string;
}

/** Changes the role of a member. Throws `not_found`, and `conflict` if no admin would be left. */
function updateMember(
  database: Database,
  { application, userId, role, at }: OneMember & { role: Role; at: number },
): Member {
  requireMember(database, { application, userId });
  if (role !== 'admin') requireOtherAdmin(database, { application, userId });
  memberships.update(database, { application, id: userId, at }, { role });
  return requireMember(database, { application, userId });
}

/** Removes a member with the views of their own; the account stays. Throws `not_found`, and `conflict` if no admin would be left. */
function removeMember(database: Database, { application, userId }: OneMember): void {
  requireMember(database, { application, userId });
  requireOtherAdmin(database, { application, userId });
  memberships.delete(database, { application, id: userId });
  deleteViewsOfUser(database, { application, userId });
}

function requireMember(database: Database, { application, userId }: OneMember): Member {
  const row = database.get<Row>(`${SELECT} AND m.user_id = :userId`, { application, userId });
  if (!row) throw notFound('Member');
  return shown(row);
}

function requireOtherAdmin(database: Database, { application, userId }: OneMember): void {
  const others = database.get<{ isAdmin: 0 | 1; others: number }>(
    `SELECT max(user_id = :userId) AS "isAdmin", count(*) FILTER (WHERE user_id <> :userId) AS others
     FROM membership WHERE application = :application AND role = 'admin'`,
    { application, userId },
  );
  if (others?.isAdmin && others.others === 0)
    throw new AppError(
      'conflict',
      'This member is the last admin of the application: make another member admin first, or use `touchstone users`',
    );
}

export const memberCommands = { updateMember, removeMember };
export const memberQueries = { listMembers };
