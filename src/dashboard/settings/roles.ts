/** Roles of members, with what each adds to the one before. */
export const ROLE_MEANINGS = [
  ['viewer', 'reads'],
  ['annotator', 'also gives verdicts'],
  ['editor', 'also changes everything else'],
  ['admin', 'also manages members, keys and the application'],
] as const;
export type Role = (typeof ROLE_MEANINGS)[number][0];
export const ROLE_CHOICES = ROLE_MEANINGS.map(([role]) => [role, role] as const);
