import type { ListedTest } from '../../api/generated/schema.ts';

export type Status = ListedTest['status'];
export type ListedPhase = ListedTest['phase'];
export type FailureCode = NonNullable<ListedTest['failure']>['code'];
export type RunType = ListedTest['runType'];

/** Names of phases that a test has reached or is in, in their order. */
export const PHASE_NAMES: Readonly<Record<ListedPhase, string>> = {
  queued: 'Queued',
  delivering: 'Delivering',
  delivered: 'Delivered',
  trace_received: 'Trace received',
  evaluating: 'Evaluating',
  done: 'Done',
};
export const PHASES = Object.keys(PHASE_NAMES) as readonly ListedPhase[];

export const TEST_STATUS_NAMES: Readonly<Record<Status, string>> = {
  PENDING: 'Queued',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Done',
  FAILED: 'Failed',
};

export const RUN_TYPE_NAMES: Readonly<Record<RunType, string>> = {
  MANUAL: 'Manual',
  SCHEDULED: 'Scheduled',
  EXPERIMENT: 'Experiment',
  MONITORING: 'Live traffic',
};

/** Names the step at which a test with this failure stopped. */
export const FAILURE_NAMES: Readonly<Record<FailureCode, string>> = {
  prompt_not_written: 'Not sent: no prompt',
  webhook_not_configured: 'Not sent: no webhook',
  webhook_unreachable: 'The app was not reached',
  webhook_blocked_address: 'The address is not allowed',
  webhook_timeout: 'The app did not respond in time',
  webhook_status: 'The app rejected the test',
  delivery_unknown: 'The delivery broke off',
  trace_missing: 'No trace arrived in time',
  trace_deleted: 'The trace was deleted',
  erased: 'The text of the test was erased',
  evaluation_error: 'The evaluation failed',
  cancelled: 'Cancelled',
};

export const hasEnded = ({ status }: Pick<ListedTest, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'FAILED';
