import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { recordAccountChange } from './audit-store.ts';
import { isInOrganisation } from './account-store.ts';
import { rememberBrowser } from './browser-store.ts';
import {
  actorOf,
  endLogins,
  findCredentials,
  insertLogin,
  type NewLogin,
  type User,
  type When,
} from './login-store.ts';
import type { Invitation } from './member-contract.ts';
import { invitations } from './records.ts';
import type { Role } from './roles.ts';
import { addMember, insertUser } from './setup-store.ts';

const VALID_MS = 7 * 24 * 60 * 60_000;
const MAX_INVITATIONS = 100;
const shown = invitations.omit('tokenHash');

interface CreateInvitation {
  application: number;
  id: string;
  tokenHash: Uint8Array;
  email: string;
  role: Role;
  at: number;
}

/** Creates an invitation, which voids earlier ones to the same address. Throws `conflict` if the user is a member. */
export function createInvitation(
  database: Database,
  { application, at, ...invitation }: CreateInvitation,
): Invitation {
  const { email, id } = invitation;
  const member = database.get(
    `SELECT 1 FROM membership WHERE application = :application
       AND user_id = (SELECT id FROM user_account WHERE email = :email)`,
    { application, email },
  );
  if (member) throw new AppError('conflict', `${email} is a member of the application already`);
  const some = { email, at, limit: MAX_INVITATIONS };
  invitations.deleteSome(database, application, '(email = :email OR expires_at <= :at)', some);
  const open = invitations.all(database, application, 'true LIMIT :most', { most: MAX_INVITATIONS });
  if (open.length === MAX_INVITATIONS)
    throw new AppError('conflict', `The application has ${MAX_INVITATIONS} invitations; revoke one first`);
  invitations.insert(database, { application, at }, { ...invitation, expiresAt: at + VALID_MS });
  return shown.require(database, application, id);
}

/** The invitations that can be accepted, newest first. */
function listInvitations(
  database: Database,
  { application, at }: { application: number; at: number },
): Invitation[] {
  const open = 'expires_at > :at ORDER BY created_at DESC, id LIMIT :limit';
  return shown.all(database, application, open, { at, limit: MAX_INVITATIONS });
}

export interface OpenInvitation {
  email: string;
  /** The account with that address, if there is one. */
  account: { user: User; passwordHash: string } | null;
}

type Found = { id: string; application: number; email: string; role: Role };

/** Finds an invitation by its link, whatever its application: the link is what identifies it. */
const findByToken = (
  database: Database,
  { tokenHash, at }: { tokenHash: Uint8Array; at: number },
): Found | undefined =>
  database.get<Found>(
    `SELECT id, application, email, role FROM invitation WHERE token_hash = :tokenHash AND expires_at > :at`,
    { tokenHash, at },
  );

function findInvitation(
  database: Database,
  link: { tokenHash: Uint8Array; at: number },
): OpenInvitation | null {
  const found = findByToken(database, link);
  return found ? { email: found.email, account: findCredentials(database, found) } : null;
}

export const voidInvitation = (): AppError =>
  new AppError(
    'forbidden',
    'The invitation was used before, was revoked or has expired; request another one',
  );

interface AcceptInvitation extends When {
  /** Hash of the token of the link. */
  linkHash: Uint8Array;
  user: User;
  /** The hash that the password was compared with, or that of a new account. */
  passwordHash: string;
  login: NewLogin;
  /** The browser, which is known from now on. */
  browserHash: Uint8Array;
}

/** Makes the invited person a member, with a new account unless there is one with the address. */
function acceptInvitation(
  database: Database,
  { linkHash, user, passwordHash, login, browserHash, at, requestId }: AcceptInvitation,
): void {
  const found = findByToken(database, { tokenHash: linkHash, at });
  if (!found) throw voidInvitation();
  const { application, role, id } = found;
  const account = findCredentials(database, found);
  if (!account) insertUser(database, { user: { ...user, email: found.email }, passwordHash, at });
  else if (account.user.id !== user.id || account.passwordHash !== passwordHash)
    throw new AppError('conflict', 'The account was changed in the meantime; open the link again');
  invitations.delete(database, { application, id });
  // Browsers that were signed in before have proved nothing to this organisation.
  if (!isInOrganisation(database, { application, userId: user.id })) endLogins(database, { userId: user.id });
  addMember(database, { application, userId: user.id, role, at });
  insertLogin(database, { userId: user.id }, { ...login, browserHash }, at);
  rememberBrowser(database, { userId: user.id, browserHash, at });
  recordAccountChange(database, { ...actorOf(user), action: 'acceptInvitation', at, requestId });
}

export const invitationCommands = {
  createInvitation,
  revokeInvitation: invitations.delete,
};
export const acceptCommands = locking('people', { acceptInvitation });
export const invitationQueries = { listInvitations, findInvitation };
