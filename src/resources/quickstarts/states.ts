import { AppError } from '../../errors.ts';
import type { QuickstartStatus } from './contract.ts';

/** Actor who changes the status of a quickstart: a person by a request, or the service as its work goes on. */
export type Actor = 'person' | 'service';

/** Every move there is, by status before and after. An upload takes any review back to PROCESSING. */
const MOVES: Readonly<Record<QuickstartStatus, Partial<Record<QuickstartStatus, Actor>>>> = {
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

/** Throws `conflict` when `mover` may not take a quickstart from one of these to the other. */
export function requireMove(from: QuickstartStatus, to: QuickstartStatus, actor: Actor): void {
  if (MOVES[from][to] !== actor)
    throw new AppError('conflict', `A quickstart in ${from} can't be moved to ${to}`);
}
