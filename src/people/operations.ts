import type { ApplicationHooks } from '../resources/applications/store.ts';
import type { ErasureHooks } from '../resources/erasures/step.ts';
import { locking, mergeOperations } from '../storage/operations.ts';
import { auditPurgeCommands, auditQueries, copiesInAudit, hashSessionInAudit } from './audit-store.ts';
import { browserQueries } from './browser-store.ts';
import { attemptCommands } from './attempt-store.ts';
import { acceptCommands, invitationCommands, invitationQueries } from './invitation-store.ts';
import { loginCommands, loginQueries } from './login-store.ts';
import { memberCommands, memberQueries } from './member-store.ts';
import { purgeCommands, purgeQueries } from './purge-store.ts';
import { ownLoginCommands, ownLoginQueries } from './own-login-store.ts';
import { addMember, adminsBeside, setupCommands, setupQueries } from './setup-store.ts';
import { signInCommands, signInQueries } from './sign-in-store.ts';

export const peopleCommands = mergeOperations(
  loginCommands,
  ownLoginCommands,
  signInCommands,
  attemptCommands,
  setupCommands,
  acceptCommands,
  purgeCommands,
  locking('application', mergeOperations(memberCommands, invitationCommands, auditPurgeCommands)),
);

export const peopleQueries = mergeOperations(
  loginQueries,
  ownLoginQueries,
  browserQueries,
  signInQueries,
  setupQueries,
  memberQueries,
  invitationQueries,
  auditQueries,
  purgeQueries,
);

export const peopleHooks = {
  onApplicationCreated: [
    (database, { userId, application, at }) => {
      const admins = userId === null ? adminsBeside(database, application) : [userId];
      for (const one of admins) addMember(database, { application, userId: one, role: 'admin', at });
    },
  ],
  onSessionErased: [hashSessionInAudit],
  madeCopies: [copiesInAudit],
} satisfies Partial<ApplicationHooks & ErasureHooks>;
