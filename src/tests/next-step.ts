import { DELIVERY_UNKNOWN, traceMissing } from './failures.ts';
import type { TestState } from './states.ts';
import { stageOf, type TestEvent } from './transitions.ts';

/** What is stored of the app's spans that belong to a test; the spans of our own deliveries don't count. */
export interface AppSpans {
  count: number;
  /** Whether one of them has no parent, a remote parent, or our delivery as its parent. */
  hasRoot: boolean;
  /** When the last of them arrived, in Unix milliseconds; null when none has. */
  lastAt: number | null;
}

export interface CompletionSettings {
  quietMs: number;
  orphanQuietMs: number;
  traceDeadlineMs: number;
}

/** How long after a restart spans may still show that a delivery arrived. */
export const UNKNOWN_GRACE_MS = 20_000;

/** What becomes of a test when it is checked. */
export interface NextStep {
  /** null when nothing happens to it. */
  event: TestEvent | null;
  /** When to check it again, in Unix milliseconds; null when not before something happens. */
  checkAt: number | null;
  /** Late spans have all arrived, and may change what was judged. */
  hasLateSpans?: true;
}

/** Decides what becomes of a test at `now`, given what has arrived of it. */
export function nextStep(
  state: TestState,
  spans: AppSpans,
  now: number,
  settings: CompletionSettings,
): NextStep {
  const stage = stageOf(state);
  switch (stage) {
    case 'interrupted':
      return stepOnSpans(state, spans, now, settings) ?? waitForSign(state, now);
    case 'delivered':
    case 'trace_received':
      return stepOnSpans(state, spans, now, settings) ?? waitForTrace(state, now, settings);
    case 'failed_without_trace':
      return stepOnSpans(state, spans, now, settings) ?? NOTHING;
    case 'evaluating':
    case 'completed':
      return stepOnLateSpans(state, spans, now, settings);
    default:
      return NOTHING;
  }
}

const NOTHING: NextStep = { event: null, checkAt: null };

/** null when no span has arrived. */
function stepOnSpans(
  state: TestState,
  spans: AppSpans,
  now: number,
  settings: CompletionSettings,
): NextStep | null {
  const { lastAt } = spans;
  if (lastAt === null) return null;
  const quietAt = quietAtOf(state.deliveredAt, lastAt, spans, settings);
  if (now >= quietAt) return { event: { type: 'complete', lastSpanAt: lastAt }, checkAt: null };
  const isReceived = state.phase === 'trace_received';
  return { event: isReceived ? null : { type: 'receive', lastSpanAt: lastAt }, checkAt: quietAt };
}

function stepOnLateSpans(
  { deliveredAt }: TestState,
  spans: AppSpans,
  now: number,
  settings: CompletionSettings,
): NextStep {
  if (spans.lastAt === null) return NOTHING;
  const quietAt = quietAtOf(deliveredAt, spans.lastAt, spans, settings);
  return now < quietAt ? { event: null, checkAt: quietAt } : { ...NOTHING, hasLateSpans: true };
}

function waitForSign({ unknownSince }: TestState, now: number): NextStep {
  const until = (unknownSince ?? now) + UNKNOWN_GRACE_MS;
  return now < until
    ? { event: null, checkAt: until }
    : { event: { type: 'expire', failure: DELIVERY_UNKNOWN }, checkAt: null };
}

function waitForTrace(
  { deliveredAt }: TestState,
  now: number,
  { traceDeadlineMs }: CompletionSettings,
): NextStep {
  const until = (deliveredAt ?? now) + traceDeadlineMs;
  return now < until
    ? { event: null, checkAt: until }
    : { event: { type: 'expire', failure: traceMissing(traceDeadlineMs) }, checkAt: null };
}

/** When no span will have arrived for long enough. */
const quietAtOf = (
  deliveredAt: number | null,
  lastAt: number,
  { hasRoot }: AppSpans,
  { quietMs, orphanQuietMs }: CompletionSettings,
): number => Math.max(lastAt, deliveredAt ?? 0) + (hasRoot ? quietMs : orphanQuietMs);
