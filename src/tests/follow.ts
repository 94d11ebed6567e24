import type { Database } from '../storage/database.ts';
import { hasTouchesOf } from '../traces/test-touches.ts';
import { saveOutcome } from './outcome/outcome-store.ts';
import { isOver } from './states.ts';
import type { NextStep } from './next-step.ts';
import {
  applyEvent,
  type ChangedTest,
  findTest,
  setCheck,
  type TestHooks,
  type TestInFlight,
} from './store.ts';
import type { TestEvent } from './transitions.ts';

export interface FollowHooks extends TestHooks {
  /** Plans what is evaluated about a test whose trace is complete. Returns the number of evals. */
  onTestComplete: readonly ((database: Database, test: Omit<ChangedTest, 'experimentVariantId'>) => number)[];
  /** Called when late spans of a test have arrived, which may change its evals. */
  onLateSpans: readonly ((
    database: Database,
    test: Pick<ChangedTest, 'application' | 'testId' | 'at'>,
  ) => void)[];
}

export interface FollowTest {
  /** State of the test when the next step was decided. */
  seen: TestInFlight;
  step: NextStep;
  /** Time of the check, in Unix milliseconds. */
  at: number;
}

/**
 * Stores the result of a check, unless the test has changed in the meantime; returns whether it was stored.
 */
export function followTest(database: Database, { seen, step, at }: FollowTest, hooks: FollowHooks): boolean {
  const key = { application: seen.application, testId: seen.id };
  const test = findTest(database, key);
  if (!test || test.status !== seen.status || test.phase !== seen.phase) return false;
  // A deletion since the check began has made the test due at once.
  if (test.traceDeleted !== seen.traceDeleted) return false;
  // Spans that arrived after the check had begun are noted first, and the test is checked again.
  if (step.event?.type === 'expire' && hasTouchesOf(database, key)) return false;
  if (step.hasLateSpans) noteLateSpans(database, { ...key, at, isOver: isOver(test) }, hooks);
  // Spans that arrived in the meantime have set the time of the next check.
  const checkAt = test.lastSpanAt === seen.lastSpanAt ? step.checkAt : undefined;
  if (step.event !== null) {
    const event = planned(database, test, { event: step.event, at }, hooks);
    return applyEvent(database, { test, event, at, checkAt }, hooks);
  }
  if (checkAt !== undefined) setCheck(database, test, { checkAt, at });
  return true;
}

function noteLateSpans(
  database: Database,
  {
    application,
    testId,
    at,
    isOver: hasEnded,
  }: Omit<ChangedTest, 'taskId' | 'experimentVariantId'> & { isOver: boolean },
  hooks: FollowHooks,
): void {
  for (const onSpans of hooks.onLateSpans) onSpans(database, { application, testId, at });
  // They may have changed the duration, the cost and the output that lists of results show.
  if (hasEnded) saveOutcome(database, { application, testId });
}

/** A complete test is evaluated first if definitions apply to it. */
function planned(
  database: Database,
  { application, id: testId, taskId }: TestInFlight,
  { event, at }: { event: TestEvent; at: number },
  { onTestComplete }: FollowHooks,
): TestEvent {
  if (event.type !== 'complete') return event;
  const evals = onTestComplete.map((plan) => plan(database, { application, testId, taskId, at }));
  return evals.some((count) => count > 0) ? { ...event, type: 'evaluate' } : event;
}
