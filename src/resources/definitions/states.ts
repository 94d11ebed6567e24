import { AppError } from '../../errors.ts';
import type { DefinitionStatus } from './contract.ts';

/** Statuses that a change may set, by current status. Deleting a definition with results changes it to ARCHIVED. */
const AFTER_CHANGE: Readonly<Record<DefinitionStatus, readonly DefinitionStatus[]>> = {
  DRAFT: ['DRAFT', 'ACTIVE', 'ARCHIVED'],
  ACTIVE: ['DRAFT', 'ACTIVE', 'ARCHIVED'],
  ARCHIVED: [],
};

/** Throws `conflict` when a change may not lead from one status to the other. */
export function requireChange(from: DefinitionStatus, to: DefinitionStatus): void {
  if (!AFTER_CHANGE[from].includes(to))
    throw new AppError('conflict', `An evaluation definition that is ${from} cannot be changed`);
}
