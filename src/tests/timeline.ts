import type { Database } from '../storage/database.ts';
import type { TestPhase, TestState } from './states.ts';
import type { TestEvent, TestEventType } from './transitions.ts';

export interface TimelineEntry {
  at: number;
  phase: TestPhase;
  detail: string;
}

const TRACE_RECEIVED = 'Spans of the app arrived.';

/** Events that carry a failure, or are described by their caller, have no text here. */
const DETAILS: Partial<Record<TestEventType, string>> = {
  answer: 'The webhook was answered 200.',
  receive: TRACE_RECEIVED,
  complete: 'The trace is complete.',
  evaluate: 'The trace is complete; it is judged.',
  judge: 'All verdicts are there.',
  replay: 'A replay was answered 200; the test goes on.',
};

/** Returns the timeline entries of an event: one for each phase, also for one that was skipped. */
export function entriesOf(
  before: TestState,
  { phase }: TestState,
  event: TestEvent,
  { at, detail = detailOf(before, event) }: { at: number; detail?: string | undefined },
): TimelineEntry[] {
  const isComplete = event.type === 'complete' || event.type === 'evaluate';
  return [
    ...(isComplete && before.phase !== 'trace_received'
      ? [{ at: event.lastSpanAt, phase: 'trace_received' as const, detail: TRACE_RECEIVED }]
      : []),
    ...(detail === undefined ? [] : [{ at, phase, detail }]),
  ];
}

function detailOf(before: TestState, event: TestEvent): string | undefined {
  if ('failure' in event) return `${event.failure.code}: ${event.failure.message}`;
  if (event.type === 'receive' && before.status === 'FAILED') return 'A span came late; the test goes on.';
  return DETAILS[event.type];
}

export function addEntry(
  database: Database,
  { application, testId }: { application: number; testId: string },
  { at, phase, detail }: TimelineEntry,
): void {
  database.run(
    `INSERT INTO test_event (application, test_id, at, phase, detail)
     VALUES (:application, :testId, :at, :phase, :detail)`,
    { application, testId, at, phase, detail },
  );
}
