import { DELIVERY_UNKNOWN, type Failure, TRACE_DELETED, traceMissing } from './failures.ts';
import type { TestState } from './states.ts';
import { stageOf, type TestEvent } from './transitions.ts';

/** Count and times of the stored app spans of a test, without the spans of the service's own deliveries. */
export interface AppSpans {
  count: number;
  /**
   * True if one of the spans has no parent, a remote parent, or the service's delivery span as its parent.
   */
  hasRoot: boolean;
  /** Time when the last span arrived, in Unix milliseconds; null when none has. */
  lastAt: number | null;
  /** True if a trace of the test was deleted, after which no span of it is accepted. */
  isDeleted: boolean;
}

export interface CompletionSettings {
  quietMs: number;
  orphanQuietMs: number;
  traceDeadlineMs: number;
}

/** Time after a restart during which spans may still show that a delivery reached the app. */
export const UNKNOWN_GRACE_MS = 20_000;

/** Result of a check: the next step of the test. */
export interface NextStep {
  /** Event to store; null for none. */
  event: TestEvent | null;
  /** Time of the next check, in Unix milliseconds; null to wait for an event. */
  checkAt: number | null;
  /** True when all late spans have arrived and may change completed evals. */
  hasLateSpans?: true;
}

/** Decides the next step of a test at `now` from the spans that have arrived. */
export function nextStep(
  state: TestState,
  spans: AppSpans,
  now: number,
  settings: CompletionSettings,
): NextStep {
  switch (stageOf(state)) {
    case 'interrupted':
      return (
        onSpans(state, spans, now, settings) ??
        onDeleted(spans) ??
        expireAt((state.unknownSince ?? now) + UNKNOWN_GRACE_MS, DELIVERY_UNKNOWN, now)
      );
    case 'delivered':
    case 'trace_received':
      return (
        onSpans(state, spans, now, settings) ??
        onDeleted(spans) ??
        expireAt(
          (state.deliveredAt ?? now) + settings.traceDeadlineMs,
          traceMissing(settings.traceDeadlineMs),
          now,
        )
      );
    case 'failed_without_trace':
      return onSpans(state, spans, now, settings) ?? NOTHING;
    case 'evaluating':
    case 'completed': {
      const quietAt = quietAtOf(state, spans, settings);
      const isQuiet = quietAt !== null && now >= quietAt;
      return isQuiet ? { ...NOTHING, hasLateSpans: true } : { event: null, checkAt: quietAt };
    }
    default:
      return NOTHING;
  }
}

/** Time of the next check while spans arrive; null when no span has arrived. */
function onSpans(
  state: TestState,
  spans: AppSpans,
  now: number,
  settings: CompletionSettings,
): NextStep | null {
  const quietAt = quietAtOf(state, spans, settings);
  if (spans.lastAt === null || quietAt === null) return null;
  if (now >= quietAt) return { event: { type: 'complete', lastSpanAt: spans.lastAt }, checkAt: null };
  const isReceived = state.phase === 'trace_received';
  return { event: isReceived ? null : { type: 'receive', lastSpanAt: spans.lastAt }, checkAt: quietAt };
}

/** Ends a test none of whose spans is left; null when no trace of it was deleted. */
const onDeleted = ({ isDeleted }: AppSpans): NextStep | null =>
  isDeleted ? { event: { type: 'expire', failure: TRACE_DELETED }, checkAt: null } : null;

const NOTHING: NextStep = { event: null, checkAt: null };

const expireAt = (deadline: number, failure: Failure, now: number): NextStep =>
  now < deadline ? { event: null, checkAt: deadline } : { event: { type: 'expire', failure }, checkAt: null };

/** Returns when the idle timeout of the test ends; null when no span has arrived. */
const quietAtOf = (
  { deliveredAt }: TestState,
  { lastAt, hasRoot }: AppSpans,
  { quietMs, orphanQuietMs }: CompletionSettings,
): number | null =>
  lastAt === null ? null : Math.max(lastAt, deliveredAt ?? 0) + (hasRoot ? quietMs : orphanQuietMs);
