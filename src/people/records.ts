import type { Actor } from '../contract/scope.ts';
import { asIs, bytes, number, nullable, text, time } from '../storage/column.ts';
import { table } from '../storage/record.ts';
import type { Role } from './roles.ts';

export const memberships = table(
  'membership',
  'Member',
  { userId: text, role: asIs<Role>(), createdAt: time, modifiedAt: time },
  'userId',
);

export const invitations = table('invitation', 'Invitation', {
  id: text,
  tokenHash: bytes,
  email: text,
  role: asIs<Role>(),
  createdAt: time,
  expiresAt: time,
});

export const auditEntries = table('audit_entry', 'Audit entry', {
  id: number,
  createdAt: time,
  actorType: asIs<Actor['type']>(),
  actorId: text,
  actorName: text,
  action: text,
  resourceId: nullable(text),
  requestId: text,
  detail: nullable(text),
});
/** Columns for inserts: the engine gives each row its id. */
export const newAuditEntries = auditEntries.omit('id');
