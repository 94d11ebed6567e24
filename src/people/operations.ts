import { locking, mergeOperations } from '../storage/operations.ts';
import { auditPurgeCommands, auditQueries } from './audit-store.ts';
import { acceptCommands, invitationCommands, invitationQueries } from './invitation-store.ts';
import { loginCommands, loginQueries } from './login-store.ts';
import { memberCommands, memberQueries } from './member-store.ts';
import { purgeCommands, purgeQueries } from './purge-store.ts';
import { setupCommands, setupQueries } from './setup-store.ts';

export const peopleCommands = mergeOperations(
  loginCommands,
  setupCommands,
  acceptCommands,
  purgeCommands,
  locking('application', mergeOperations(memberCommands, invitationCommands, auditPurgeCommands)),
);

export const peopleQueries = mergeOperations(
  loginQueries,
  setupQueries,
  memberQueries,
  invitationQueries,
  auditQueries,
  purgeQueries,
);
