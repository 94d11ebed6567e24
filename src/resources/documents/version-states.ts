import { AppError } from '../../errors.ts';

export const VERSION_STATUSES = ['DRAFT', 'REVIEW', 'APPROVED', 'ARCHIVED'] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

/** Statuses that a caller may set on a version. An approved one is archived only by approving another one. */
const MOVES: Readonly<Record<VersionStatus, readonly VersionStatus[]>> = {
  DRAFT: ['REVIEW'],
  REVIEW: ['DRAFT', 'APPROVED'],
  APPROVED: [],
  ARCHIVED: [],
};

/** Throws `conflict` when a version may not change to this status. The same status is always allowed. */
export function checkMove(from: VersionStatus, to: VersionStatus): void {
  if (from === to || MOVES[from].includes(to)) return;
  const may = MOVES[from].length === 0 ? 'stays so' : `can change only to ${MOVES[from].join(' or ')}`;
  throw new AppError('conflict', `a version that is ${from} ${may}, not ${to}`);
}
