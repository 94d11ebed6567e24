import { z } from 'zod';
import { SCOPES, type ScopeName } from '../contract/scope.ts';

/** Roles of members, from the least to the most permissions. */
export const ROLES = ['viewer', 'annotator', 'editor', 'admin'] as const;
export const roleName = z
  .enum(ROLES)
  .describe(
    '`viewer` reads, `annotator` also gives verdicts, `editor` also changes everything else, `admin` also manages the application, its members and keys.',
  );
export type Role = (typeof ROLES)[number];

/** Admins have `ingest` so that they can create keys with it; ingest itself accepts API keys only. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly ScopeName[]>> = {
  viewer: ['read'],
  annotator: ['read', 'annotate'],
  editor: ['read', 'annotate', 'write'],
  admin: SCOPES,
};
