/** Roles of members, with what each adds to the one before. */
export const ROLES = [
  ['viewer', 'reads'],
  ['annotator', 'also gives verdicts'],
  ['editor', 'also changes everything else'],
  ['admin', 'also manages members, keys and the application'],
] as const;
export type Role = (typeof ROLES)[number][0];
export const ROLE_CHOICES = ROLES.map(([role]) => [role, role] as const);
