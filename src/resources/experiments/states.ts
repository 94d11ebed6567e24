import { AppError } from '../../errors.ts';

/** States of experiments and variants: the events that are possible in each status, and the status they lead to. */

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
  /** Set by hand, like the next event. */
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
    // A late trace resumed a failed test.
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
  /** Set by hand, like the next two events. */
  | 'prepared'
  | 'withdrawn'
  | 'rejected';

export const VARIANT_STATES: Table<VariantStatus, VariantEvent> = {
  DRAFT: { started: 'RUNNING', prepared: 'PENDING', rejected: 'REJECTED' },
  PENDING: { started: 'RUNNING', withdrawn: 'DRAFT', rejected: 'REJECTED' },
  RUNNING: { completed: 'COMPLETED', failed: 'FAILED' },
  COMPLETED: { started: 'RUNNING', rejected: 'REJECTED' },
  // `completed`: a late trace resumed a failed test.
  FAILED: { started: 'RUNNING', completed: 'COMPLETED', rejected: 'REJECTED' },
  REJECTED: {},
};

/** Events that set a status by hand; all others follow from the tests. */
export const VARIANT_BY_HAND: Partial<Record<VariantStatus, VariantEvent>> = {
  PENDING: 'prepared',
  DRAFT: 'withdrawn',
  REJECTED: 'rejected',
};

/** Returns the status after `event`; throws `conflict` when the event is not possible. */
export function experimentAfter(status: ExperimentStatus, event: ExperimentEvent): ExperimentStatus {
  const next = EXPERIMENT_STATES[status][event];
  if (next) return next;
  throw new AppError('conflict', `The experiment is ${status}: ${REJECTED[event]}`);
}

const REJECTED: Record<ExperimentEvent, string> = {
  baselineAdded: 'it accepts no variants',
  variantAdded: 'it accepts no variants',
  baselineStarted: 'its baseline cannot run now',
  baselineCompleted: 'its baseline does not run',
  baselineFailed: 'its baseline does not run',
  variantStarted: 'a variant can run only when the baseline is completed and nothing else is running',
  variantEnded: 'no variant of it runs',
  concluded: 'it can be completed only when its baseline is completed and nothing is running',
  archived: 'it can be archived only when nothing is running, and not restored',
};

/** Returns the status after `event`; throws `conflict` when the event is not possible. */
export function variantAfter(status: VariantStatus, event: VariantEvent): VariantStatus {
  const next = VARIANT_STATES[status][event];
  if (next) return next;
  throw new AppError('conflict', `The variant is ${status}: it cannot be ${event}`);
}
