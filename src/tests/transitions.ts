import type { Failure } from './failures.ts';
import type { TestPhase, TestState, TestStatus } from './states.ts';

/**
 * Stages of a test. A stage combines status and phase; for a failed test it also shows what may reopen it.
 */
export const STAGES = [
  'queued',
  'delivering',
  'interrupted',
  'retrying',
  'delivered',
  'trace_received',
  'evaluating',
  'completed',
  'failed',
  'failed_without_trace',
  'failed_evaluation',
] as const;
export type Stage = (typeof STAGES)[number];

/** Events of a test. Times are Unix milliseconds. */
export type TestEvent =
  | { type: 'send' | 'retry' | 'judge' | 'reopen' }
  | { type: 'answer' | 'replay' | 'interrupt'; at: number }
  | { type: 'receive' | 'complete' | 'evaluate'; lastSpanAt: number }
  | { type: 'fail' | 'reject' | 'expire' | 'giveUp' | 'cancel' | 'erase'; failure: Failure };
export type TestEventType = TestEvent['type'];

interface Transition {
  from: readonly Stage[];
  to: readonly [TestStatus, TestPhase];
}

const UNSENT = ['queued', 'retrying'] as const;
const SENT = ['delivering', 'interrupted'] as const;
const AWAITED = ['delivered', 'trace_received'] as const;
/** Stages in which spans prove that the app did receive the test. */
const UNHEARD = ['interrupted', 'delivered', 'failed_without_trace'] as const;

/**
 * Stages in which each event is possible, and the state it leads to. In any other stage the event changes
 * nothing.
 */
export const TRANSITIONS: Readonly<Record<TestEventType, Transition>> = {
  /** An attempt to deliver the test begins. */
  send: { from: [...UNSENT, 'delivering'], to: ['IN_PROGRESS', 'delivering'] },
  /** The attempt did not reach the app; another one follows. */
  retry: { from: ['delivering'], to: ['IN_PROGRESS', 'queued'] },
  /** The webhook responded with 200. */
  answer: { from: SENT, to: ['IN_PROGRESS', 'delivered'] },
  /** The last attempt failed. */
  fail: { from: SENT, to: ['FAILED', 'done'] },
  /** The test cannot be sent. */
  reject: { from: [...UNSENT, ...SENT], to: ['FAILED', 'done'] },
  /** The process ended during an attempt, so it is unknown whether the app received the test. */
  interrupt: { from: ['delivering'], to: ['IN_PROGRESS', 'delivering'] },
  /** Spans of the app have arrived. */
  receive: { from: UNHEARD, to: ['IN_PROGRESS', 'trace_received'] },
  /** The trace is complete, and no definition applies. */
  complete: { from: [...UNHEARD, 'trace_received'], to: ['COMPLETED', 'done'] },
  /** The trace is complete, and its evals are planned. */
  evaluate: { from: [...UNHEARD, 'trace_received'], to: ['IN_PROGRESS', 'evaluating'] },
  /** No span arrived in time. */
  expire: { from: ['interrupted', ...AWAITED], to: ['FAILED', 'done'] },
  /** The last eval has ended. */
  judge: { from: ['evaluating'], to: ['COMPLETED', 'done'] },
  /** The service could not evaluate the test. */
  giveUp: { from: ['evaluating'], to: ['FAILED', 'done'] },
  /** Some evals of a completed test run again. */
  reopen: { from: ['completed', 'failed_evaluation'], to: ['IN_PROGRESS', 'evaluating'] },
  /** The app responded with 200 to a repeated delivery. */
  replay: {
    from: ['failed', 'failed_without_trace', 'failed_evaluation'],
    to: ['IN_PROGRESS', 'delivered'],
  },
  cancel: { from: [...UNSENT, ...SENT, ...AWAITED, 'evaluating'], to: ['FAILED', 'done'] },
  /** The text that the test sends, or its trace, was deleted. Evals are skipped one by one and end the test themselves. */
  erase: { from: [...UNSENT, ...SENT, ...AWAITED], to: ['FAILED', 'done'] },
};

export function stageOf({ status, phase, failure, unknownSince }: TestState): Stage {
  if (status === 'PENDING') return 'queued';
  if (status === 'COMPLETED') return 'completed';
  if (status === 'FAILED') return stageOfFailure(failure);
  if (phase === 'queued') return 'retrying';
  if (phase === 'delivering') return unknownSince === null ? 'delivering' : 'interrupted';
  if (phase === 'done') throw new Error('A test that is IN_PROGRESS cannot have the phase done.');
  return phase;
}

function stageOfFailure(failure: Failure | null): Stage {
  switch (failure?.code) {
    case 'trace_missing':
    case 'delivery_unknown':
      return 'failed_without_trace';
    case 'evaluation_error':
      return 'failed_evaluation';
    default:
      return 'failed';
  }
}

/** The state after an event; null when the event cannot happen in this state. */
export function stateAfter(state: TestState, event: TestEvent): TestState | null {
  const { from, to } = TRANSITIONS[event.type];
  if (!from.includes(stageOf(state))) return null;
  const [status, phase] = to;
  return {
    status,
    phase,
    failure: 'failure' in event ? event.failure : null,
    deliveredAt: deliveredAtAfter(state, event),
    unknownSince: event.type === 'interrupt' ? event.at : null,
  };
}

function deliveredAtAfter({ deliveredAt }: TestState, event: TestEvent): number | null {
  if (event.type === 'answer' || event.type === 'replay') return event.at;
  return 'lastSpanAt' in event ? (deliveredAt ?? event.lastSpanAt) : deliveredAt;
}
