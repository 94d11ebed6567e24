import { AppError } from '../../errors.ts';
import type { QuickstartStatus } from './contract.ts';

/** Actor of a change of status: a person by a request, or the service during its work. */
export type ReviewActor = 'person' | 'service';

/**
 * All changes of status, by status before and after, with their actors. An upload returns any review to PROCESSING.
 */
const MOVES: Readonly<Record<QuickstartStatus, Partial<Record<QuickstartStatus, ReviewActor>>>> = {
  UPLOADING: { PROCESSING: 'service', TASKS_TOPICS_REVIEW: 'person' },
  PROCESSING: { TASKS_TOPICS_REVIEW: 'service' },
  TASKS_TOPICS_REVIEW: { PROCESSING: 'service', KNOWLEDGE_BASE_REVIEW: 'person' },
  KNOWLEDGE_BASE_REVIEW: { PROCESSING: 'service', TASKS_TOPICS_REVIEW: 'person', POLICIES_REVIEW: 'person' },
  POLICIES_REVIEW: { PROCESSING: 'service', KNOWLEDGE_BASE_REVIEW: 'person', STYLE_REVIEW: 'person' },
  STYLE_REVIEW: { PROCESSING: 'service', POLICIES_REVIEW: 'person', COMPLETING: 'service' },
  COMPLETING: { COMPLETE: 'service', FAILED: 'service' },
  COMPLETE: {},
  FAILED: { STYLE_REVIEW: 'person' },
};

/** Throws `conflict` when `actor` may not change the status of a quickstart in this way. */
export function requireMove(from: QuickstartStatus, to: QuickstartStatus, actor: ReviewActor): void {
  if (MOVES[from][to] !== actor)
    throw new AppError('conflict', `A quickstart in ${from} cannot change to ${to}`);
}
