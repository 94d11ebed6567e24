import type { Quickstart, QuickstartStep } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';

export type StepId = 'upload' | 'tasks' | 'knowledge' | 'policies' | 'style' | 'confirm';
type Status = Quickstart['status'];

/** Steps in their order, each with its review on the server. */
export const STEPS: readonly (readonly [
  id: StepId,
  title: string,
  counted: QuickstartStep['step'] | null,
])[] = [
  ['upload', 'Upload', 'UPLOAD'],
  ['tasks', 'Topics and tasks', 'TASKS_TOPICS'],
  ['knowledge', 'Knowledge', 'KNOWLEDGE_BASE'],
  ['policies', 'Policies', 'POLICIES'],
  ['style', 'Style', 'STYLE'],
  ['confirm', 'Confirm and run', null],
];

/** Statuses in which people review, in their order. */
const REVIEWS: readonly Status[] = [
  'UPLOADING',
  'TASKS_TOPICS_REVIEW',
  'KNOWLEDGE_BASE_REVIEW',
  'POLICIES_REVIEW',
  'STYLE_REVIEW',
];

const STEP_OF_STATUS: Readonly<Record<Status, StepId>> = {
  UPLOADING: 'upload',
  PROCESSING: 'upload',
  TASKS_TOPICS_REVIEW: 'tasks',
  KNOWLEDGE_BASE_REVIEW: 'knowledge',
  POLICIES_REVIEW: 'policies',
  STYLE_REVIEW: 'style',
  COMPLETING: 'confirm',
  COMPLETE: 'confirm',
  FAILED: 'confirm',
};

/** Returns the step at which a quickstart is continued. */
export const stepOfStatus = (status: Status): StepId => STEP_OF_STATUS[status];

/** Returns the step before or after another one; null beyond the ends. */
export function stepBeside(id: StepId, by: 1 | -1): StepId | null {
  const at = STEPS.findIndex(([one]) => one === id);
  return STEPS[at + by]?.[0] ?? null;
}

export const titleOfStep = (id: StepId): string => STEPS.find(([one]) => one === id)?.[1] ?? '';

/** Returns the changes of status that lead from one review to the next ones, up to that of `step`; none if it is behind. */
export function movesTo(from: Status, step: StepId): Status[] {
  if (from === 'FAILED') return ['STYLE_REVIEW'];
  const at = REVIEWS.indexOf(from);
  if (at < 0) return [];
  const end = Math.min(
    STEPS.findIndex(([one]) => one === step),
    REVIEWS.length - 1,
  );
  return REVIEWS.slice(at + 1, end + 1);
}

/** Returns whether a quickstart takes no more changes. */
export const isConfirmed = (status: Status): boolean => status === 'COMPLETING' || status === 'COMPLETE';

/** Returns how far the review of a step is, such as `7 of 18`; null where there is nothing to review. */
export function progressOf(counts: QuickstartStep | undefined): string | null {
  if (counts === undefined || counts.total === 0) return null;
  return `${formatWhole(counts.accepted + counts.rejected)} of ${formatWhole(counts.total)}`;
}

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  UPLOADING: 'waits for a file',
  PROCESSING: 'reads the files',
  TASKS_TOPICS_REVIEW: 'review of topics and tasks',
  KNOWLEDGE_BASE_REVIEW: 'review of knowledge',
  POLICIES_REVIEW: 'review of policies',
  STYLE_REVIEW: 'review of the style',
  COMPLETING: 'is being activated',
  COMPLETE: '✓ active',
  FAILED: '✕ failed',
};
