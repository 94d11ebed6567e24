import type { Database } from '../storage/database.ts';
import type { TestPhase, TestState } from './states.ts';
import type { TestEvent, TestEventType } from './transitions.ts';

export interface TimelineEntry {
  at: number;
  phase: TestPhase;
  detail: string;
}

const TRACE_RECEIVED = 'Spans of the app arrived.';

/** Texts of the timeline. Events that carry a failure, or whose caller describes them, have none here. */
const DETAILS: Partial<Record<TestEventType, string>> = {
  answer: 'The webhook responded with 200.',
  receive: TRACE_RECEIVED,
  complete: 'The trace is complete.',
  evaluate: 'The trace is complete; its evaluation begins.',
  judge: 'All verdicts have been stored.',
  replay: 'A replay was answered with 200; the test resumes.',
};

/** Returns the timeline entries of an event: one for each phase, including skipped phases. */
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
  if (event.type === 'receive' && before.status === 'FAILED') return 'A late span arrived; the test resumes.';
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
