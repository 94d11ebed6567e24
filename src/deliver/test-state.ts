/** The life of one test: what its states mean, and what comes next. Pure; the store and the clock are elsewhere. */
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

export const FAILURE_CODES = [
  'webhook_not_configured',
  'webhook_unreachable',
  'webhook_blocked_address',
  'webhook_timeout',
  'webhook_status',
  'delivery_unknown',
  'trace_missing',
  'evaluation_error',
  'cancelled',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export interface Failure {
  code: FailureCode;
  message: string;
  /** What to do about it. */
  hint: string;
}

/** After these a trace that comes late takes the test up again: the app did run. */
const REVIVABLE: ReadonlySet<FailureCode> = new Set(['trace_missing', 'delivery_unknown']);

export interface TestState {
  status: TestStatus;
  phase: TestPhase;
  failure: Failure | null;
  /** When the webhook was answered 200; null = it was not, as far as is known. Unix milliseconds, as all here. */
  deliveredAt: number | null;
  /** When it became known that nobody knows whether the app has got it; null = it is known. */
  unknownSince: number | null;
}

/** What is stored of the app's spans that belong to the test; those of our own deliveries don't count. */
export interface TestSpans {
  count: number;
  /** Whether one of them has no parent, a remote parent, or our delivery as its parent. */
  hasRoot: boolean;
  /** When the last of them came; null = none has. */
  lastAt: number | null;
}

export interface CompletionSettings {
  quietMs: number;
  orphanQuietMs: number;
  traceDeadlineMs: number;
}

/** How long after a restart spans may still tell that a delivery arrived. */
export const UNKNOWN_GRACE_MS = 20_000;

/** What becomes of a test, and when to look again (null = not before something happens). */
export interface NextState {
  state: TestState;
  checkAt: number | null;
  /**
   * What came of the app is all there, as far as silence tells: `first` = it is to be judged now, `again` = spans have come
   * late, and may change what was judged.
   */
  complete?: 'first' | 'again';
}

/** The state of a test at `now`, given what has arrived of it. */
export function nextState(
  state: TestState,
  spans: TestSpans,
  now: number,
  settings: CompletionSettings,
): NextState {
  const stay: NextState = { state, checkAt: null };
  if (state.status === 'FAILED') {
    if (state.failure === null || !REVIVABLE.has(state.failure.code) || spans.lastAt === null) return stay;
    return nextState(revived(state, spans.lastAt), spans, now, settings);
  }
  if (state.status === 'COMPLETED' || state.phase === 'evaluating') {
    const quietAt = quietAtOf(state, spans, settings);
    if (quietAt === null) return stay;
    return now < quietAt ? { state, checkAt: quietAt } : { ...stay, complete: 'again' };
  }
  if (state.status !== 'IN_PROGRESS') return stay;
  if (state.unknownSince !== null) {
    if (spans.lastAt !== null) return nextState(revived(state, spans.lastAt), spans, now, settings);
    const until = state.unknownSince + UNKNOWN_GRACE_MS;
    return now < until ? { state, checkAt: until } : failed(state, DELIVERY_UNKNOWN);
  }
  if (state.deliveredAt === null) return stay;
  const quietAt = quietAtOf(state, spans, settings);
  if (quietAt === null) {
    const until = state.deliveredAt + settings.traceDeadlineMs;
    return now < until ? { state, checkAt: until } : failed(state, traceMissing(settings.traceDeadlineMs));
  }
  const received: TestState = { ...state, phase: 'trace_received' };
  if (now < quietAt) return { state: received, checkAt: quietAt };
  return { state: { ...received, status: 'COMPLETED', phase: 'done' }, checkAt: null, complete: 'first' };
}

/** When nothing will have come for long enough; null = nothing has come. */
function quietAtOf(
  { deliveredAt }: TestState,
  { lastAt, hasRoot }: TestSpans,
  { quietMs, orphanQuietMs }: CompletionSettings,
): number | null {
  return lastAt === null ? null : Math.max(lastAt, deliveredAt ?? 0) + (hasRoot ? quietMs : orphanQuietMs);
}

/** A span has come: so the app had got the test. */
function revived(state: TestState, at: number): TestState {
  return {
    ...state,
    status: 'IN_PROGRESS',
    phase: 'delivered',
    failure: null,
    deliveredAt: state.deliveredAt ?? at,
    unknownSince: null,
  };
}

function failed(state: TestState, failure: Failure): NextState {
  return { state: { ...state, status: 'FAILED', phase: 'done', failure }, checkAt: null };
}

const DELIVERY_UNKNOWN: Failure = {
  code: 'delivery_unknown',
  message: 'The service stopped after it had sent the test and before it knew the answer.',
  hint: 'It is not sent again, for the app may have run. Trigger the task once more; a trace that still comes takes this test up again.',
};

function traceMissing(deadlineMs: number): Failure {
  return {
    code: 'trace_missing',
    message: `The webhook was answered 200, but no span of the test came within ${Math.round(deadlineMs / 1000)} s.`,
    hint: 'Send spans with the attribute service.test.id, or in the trace of the traceparent header, and flush them before the answer.',
  };
}

export const NOT_CONFIGURED: Failure = {
  code: 'webhook_not_configured',
  message: 'The application has no webhook, or it is switched off.',
  hint: 'Set the address of your endpoint with POST /v0/webhook.',
};

export const SEALED: Failure = {
  code: 'webhook_not_configured',
  message: 'The secret of the webhook cannot be opened: it was sealed with another secret key.',
  hint: 'Start the service with the secret key it had, or set the webhook anew.',
};

/** Runs that the delivery of a test gets: those count that an end of the process cut off. */
export const MAX_RUNS = 10;

export const GIVEN_UP: Failure = {
  code: 'delivery_unknown',
  message: `The service did not get to the end of the delivery in ${MAX_RUNS} runs.`,
  hint: 'Look into its log for errors and restarts, then trigger the task once more; a trace that still comes takes this test up again.',
};

export const NOT_JUDGED: Failure = {
  code: 'evaluation_error',
  message: 'The service could not judge the test.',
  hint: 'Look into its log for errors, then judge the test again with POST /v0/tests/{id}/evaluate.',
};

export const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'The test was cancelled.',
  hint: 'Trigger the task again to run it.',
};
