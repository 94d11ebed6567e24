import { AppError } from '../../errors.ts';

/** The lives of experiments and their variants as tables: what may happen in each state, and which state it leads to. */

export const EXPERIMENT_STATUSES = [
  'DRAFT',
  'BASELINE_PENDING',
  'BASELINE_RUNNING',
  'BASELINE_COMPLETED',
  'BASELINE_FAILED',
  'VARIANT_RUNNING',
  'IDLE',
  'COMPLETED',
  'ARCHIVED',
] as const;
export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number];

export type ExperimentEvent =
  | 'baselineAdded'
  | 'variantAdded'
  | 'baselineStarted'
  | 'baselineCompleted'
  | 'baselineFailed'
  | 'variantStarted'
  | 'variantEnded'
  /** Set by hand, as is the next. */
  | 'concluded'
  | 'archived';

type Table<Status extends string, Event extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Event, Status>>>>
>;

export const EXPERIMENT_STATES: Table<ExperimentStatus, ExperimentEvent> = {
  DRAFT: { baselineAdded: 'BASELINE_PENDING', archived: 'ARCHIVED' },
  BASELINE_PENDING: {
    variantAdded: 'BASELINE_PENDING',
    baselineStarted: 'BASELINE_RUNNING',
    archived: 'ARCHIVED',
  },
  BASELINE_RUNNING: {
    variantAdded: 'BASELINE_RUNNING',
    baselineCompleted: 'BASELINE_COMPLETED',
    baselineFailed: 'BASELINE_FAILED',
  },
  BASELINE_COMPLETED: {
    variantAdded: 'BASELINE_COMPLETED',
    baselineStarted: 'BASELINE_RUNNING',
    variantStarted: 'VARIANT_RUNNING',
    concluded: 'COMPLETED',
    archived: 'ARCHIVED',
  },
  BASELINE_FAILED: {
    variantAdded: 'BASELINE_FAILED',
    baselineStarted: 'BASELINE_RUNNING',
    // A test that had failed was taken up again by a late trace.
    baselineCompleted: 'BASELINE_COMPLETED',
    archived: 'ARCHIVED',
  },
  VARIANT_RUNNING: { variantAdded: 'VARIANT_RUNNING', variantEnded: 'IDLE' },
  IDLE: {
    variantAdded: 'IDLE',
    baselineStarted: 'BASELINE_RUNNING',
    variantStarted: 'VARIANT_RUNNING',
    concluded: 'COMPLETED',
    archived: 'ARCHIVED',
  },
  COMPLETED: { archived: 'ARCHIVED' },
  ARCHIVED: {},
};

/** Events that set a status by hand; all others follow from the variants. */
export const EXPERIMENT_BY_HAND: Partial<Record<ExperimentStatus, ExperimentEvent>> = {
  COMPLETED: 'concluded',
  ARCHIVED: 'archived',
};

export const VARIANT_STATUSES = ['DRAFT', 'PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'REJECTED'] as const;
export type VariantStatus = (typeof VARIANT_STATUSES)[number];

export type VariantEvent =
  | 'started'
  | 'completed'
  | 'failed'
  /** Set by hand, as are the next two. */
  | 'prepared'
  | 'withdrawn'
  | 'rejected';

export const VARIANT_STATES: Table<VariantStatus, VariantEvent> = {
  DRAFT: { started: 'RUNNING', prepared: 'PENDING', rejected: 'REJECTED' },
  PENDING: { started: 'RUNNING', withdrawn: 'DRAFT', rejected: 'REJECTED' },
  RUNNING: { completed: 'COMPLETED', failed: 'FAILED' },
  COMPLETED: { started: 'RUNNING', rejected: 'REJECTED' },
  // `completed`: a test that had failed was taken up again by a late trace.
  FAILED: { started: 'RUNNING', completed: 'COMPLETED', rejected: 'REJECTED' },
  REJECTED: {},
};

/** Events that set a status by hand; all others follow from the tests. */
export const VARIANT_BY_HAND: Partial<Record<VariantStatus, VariantEvent>> = {
  PENDING: 'prepared',
  DRAFT: 'withdrawn',
  REJECTED: 'rejected',
};

/** The status after `event`; throws `conflict` when it can't happen now. */
export function experimentAfter(status: ExperimentStatus, event: ExperimentEvent): ExperimentStatus {
  const next = EXPERIMENT_STATES[status][event];
  if (next) return next;
  throw new AppError('conflict', `The experiment is ${status}: ${REJECTED[event]}`);
}

const REJECTED: Record<ExperimentEvent, string> = {
  baselineAdded: 'it takes no variants',
  variantAdded: 'it takes no variants',
  baselineStarted: 'its baseline can not run now',
  baselineCompleted: 'its baseline does not run',
  baselineFailed: 'its baseline does not run',
  variantStarted: 'a variant runs when the baseline is completed and nothing else is running',
  variantEnded: 'no variant of it runs',
  concluded: 'it is completed by hand when its baseline is completed and nothing is running',
  archived: 'it is archived when nothing is running, and for good',
};

/** The status after `event`; throws `conflict` when it can't happen now. */
export function variantAfter(status: VariantStatus, event: VariantEvent): VariantStatus {
  const next = VARIANT_STATES[status][event];
  if (next) return next;
  throw new AppError('conflict', `The variant is ${status}: it can not be ${event}`);
}
