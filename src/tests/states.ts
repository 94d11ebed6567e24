import type { Failure } from './failures.ts';

export const TEST_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

export const TEST_PHASES = [
  'queued',
  'delivering',
  'delivered',
  'trace_received',
  'evaluating',
  'done',
] as const;
export type TestPhase = (typeof TEST_PHASES)[number];

export const RUN_TYPES = ['MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING'] as const;
export type RunType = (typeof RUN_TYPES)[number];

/** State of a test. Times are Unix milliseconds. */
export interface TestState {
  status: TestStatus;
  phase: TestPhase;
  /** Reason for its failure; null when it did not fail. */
  failure: Failure | null;
  /** Time when the webhook responded with 200; null when no such response is known. */
  deliveredAt: number | null;
  /** Time when it became unknown whether the app received the test; null while that is known. */
  unknownSince: number | null;
}

/** Reports whether a test has ended. A late trace, a replay or a new evaluation may still reopen it. */
export const isOver = ({ status }: Pick<TestState, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'FAILED';
