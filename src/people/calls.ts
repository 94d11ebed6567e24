import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { auditCommands } from './audit-store.ts';
import type { peopleCommands, peopleQueries } from './operations.ts';

export const { audited, recordChange } = commandsOf<ReturnType<typeof auditCommands>>();
export const {
  signIn,
  signInWithKey,
  signOut,
  changePassword,
  useLogin,
  endOwnLogin,
  endOtherLogins,
  recordSignIn,
  beginAttempt,
  endAttempt,
  setUp,
  acceptInvitation,
  purgeLogins,
  updateMember,
  removeMember,
  createInvitation,
  revokeInvitation,
  purgeAudit,
} = commandsOf<typeof peopleCommands>();
export const {
  findLogin,
  findCredentials,
  listOwnLogins,
  isKnownBrowser,
  findTriedKey,
  findSetupLink,
  hasUsers,
  listMembers,
  listInvitations,
  findInvitation,
  listAudit,
  hasExpiredLogins,
  applicationsWithOldEntries,
} = queriesOf<typeof peopleQueries>();
