import type { Experiment, Variant } from '../../api/generated/schema.ts';
import type { Tone } from '../ui/badge.tsx';

type Words = readonly [text: string, tone: Tone];

export const EXPERIMENT_STATUS: Readonly<Record<Experiment['status'], Words>> = {
  DRAFT: ['Draft', 'plain'],
  BASELINE_PENDING: ['Baseline not run', 'plain'],
  BASELINE_RUNNING: ['… Baseline running', 'accent'],
  BASELINE_COMPLETED: ['Baseline has run', 'plain'],
  BASELINE_FAILED: ['✕ Baseline failed', 'fail'],
  VARIANT_RUNNING: ['… Running', 'accent'],
  IDLE: ['Variants have run', 'plain'],
  COMPLETED: ['✓ Concluded', 'pass'],
  ARCHIVED: ['Archived', 'plain'],
};

export const VARIANT_STATUS: Readonly<Record<Variant['status'], string>> = {
  DRAFT: 'draft',
  PENDING: 'not run',
  RUNNING: 'running',
  COMPLETED: 'has run',
  FAILED: 'failed',
  REJECTED: 'rejected',
};

/** Letter of a variant by its place: A is the baseline. */
export const letterOf = (place: number): string => String.fromCharCode(65 + (place % 26));
