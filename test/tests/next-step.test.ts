import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CANCELLED,
  type Failure,
  FAILURE_CODES,
  type FailureCode,
  NOT_CONFIGURED,
  NOT_JUDGED,
  promptNotWritten,
  SEALED,
} from '../../src/tests/failures.ts';
import { type AppSpans, nextStep, UNKNOWN_GRACE_MS } from '../../src/tests/next-step.ts';
import { TEST_PHASES, TEST_STATUSES, type TestPhase, type TestState } from '../../src/tests/states.ts';
import { stateAfter } from '../../src/tests/transitions.ts';

const settings = { quietMs: 2_000, orphanQuietMs: 15_000, traceDeadlineMs: 600_000 };

/** The webhook was answered 200 at this time. */
const T = 1_000_000;

const state = (more: Partial<TestState> = {}): TestState => ({
  status: 'IN_PROGRESS',
  phase: 'delivered',
  failure: null,
  deliveredAt: T,
  unknownSince: null,
  ...more,
});
const failed = (code: FailureCode, more: Partial<TestState> = {}): TestState =>
  state({ status: 'FAILED', phase: 'done', failure: { code, message: 'm', hint: 'h' }, ...more });
const received = state({ phase: 'trace_received' });
const evaluating = state({ phase: 'evaluating' });
const completed = state({ status: 'COMPLETED', phase: 'done' });
const unknown = state({ phase: 'delivering', deliveredAt: null, unknownSince: T });

const NONE: AppSpans = { count: 0, hasRoot: false, lastAt: null, isDeleted: false };
const root = (lastAt: number): AppSpans => ({ count: 3, hasRoot: true, lastAt, isDeleted: false });
const orphans = (lastAt: number): AppSpans => ({ count: 3, hasRoot: false, lastAt, isDeleted: false });

interface Expected {
  status: string;
  phase: TestPhase;
  failure?: FailureCode;
  checkAt: number | null;
}

const inPhase = (phase: TestPhase, checkAt: number | null): Expected => ({
  status: 'IN_PROGRESS',
  phase,
  checkAt,
});
const FAILS = (failure: FailureCode): Expected => ({
  status: 'FAILED',
  phase: 'done',
  failure,
  checkAt: null,
});
const COMPLETES: Expected = { status: 'COMPLETED', phase: 'done', checkAt: null };

interface Checked {
  state: TestState;
  checkAt: number | null;
  complete: 'first' | 'again' | undefined;
}

/** Checks a test once, and applies the event that the check results in. */
function check(before: TestState, spans: AppSpans, now: number, more = settings): Checked {
  const { event, checkAt, hasLateSpans } = nextStep(before, spans, now, more);
  const after = event ? stateAfter(before, event) : before;
  if (after === null) throw new Error(`${event?.type} cannot happen to a test that is ${before.phase}`);
  const isFirst = event?.type === 'complete' ? 'first' : undefined;
  return { state: after, checkAt, complete: hasLateSpans ? 'again' : isFirst };
}

/** Checks a test for as long as it is to be checked again at once, but no more than three times. */
function settle(before: TestState, spans: AppSpans, now: number): Checked {
  let next = check(before, spans, now);
  for (let looks = 1; looks < 3 && next.checkAt !== null && next.checkAt <= now; looks++)
    next = check(next.state, spans, now);
  return next;
}

describe('what becomes of a test', () => {
  it.each<[rule: string, state: TestState, spans: AppSpans, now: number, expected: Expected]>([
    [
      'delivered, it waits for a trace until the deadline',
      state(),
      NONE,
      T,
      inPhase('delivered', T + 600_000),
    ],
    [
      'it still waits 1 ms before the deadline',
      state(),
      NONE,
      T + 599_999,
      inPhase('delivered', T + 600_000),
    ],
    ['no trace by the deadline fails it', state(), NONE, T + 600_000, FAILS('trace_missing')],
    [
      'a trace moves it on, and it waits until all is quiet',
      state(),
      root(T + 100),
      T + 100,
      inPhase('trace_received', T + 2_100),
    ],
    [
      'it still waits 1 ms before that',
      state(),
      root(T + 100),
      T + 2_099,
      inPhase('trace_received', T + 2_100),
    ],
    ['quiet for long enough completes it', received, root(T + 100), T + 2_100, COMPLETES],
    [
      'quiet counts from its last span',
      received,
      root(T + 5_000),
      T + 6_999,
      inPhase('trace_received', T + 7_000),
    ],
    [
      'quiet counts from the answer when all spans came before it',
      state(),
      root(T - 50_000),
      T + 1_999,
      inPhase('trace_received', T + 2_000),
    ],
    ['spans that came before the answer count', received, root(T - 50_000), T + 2_000, COMPLETES],
    [
      'with orphans only it waits longer',
      state(),
      orphans(T + 100),
      T + 2_100,
      inPhase('trace_received', T + 15_100),
    ],
    ['orphans that stay alone complete it', received, orphans(T + 100), T + 15_100, COMPLETES],
    [
      'a root that comes after the orphans shortens the wait',
      received,
      root(T + 200),
      T + 200,
      inPhase('trace_received', T + 2_200),
    ],
    ['however late it is looked at, quiet completes it', state(), root(T + 100), T + 60_000, COMPLETES],
    [
      'a trace that came before anybody looked is not missing, whatever the deadline',
      state(),
      root(T + 700_000),
      T + 700_000,
      inPhase('trace_received', T + 702_000),
    ],

    [
      'it is not looked at before it is sent',
      state({ status: 'PENDING', phase: 'queued', deliveredAt: null }),
      NONE,
      T,
      { status: 'PENDING', phase: 'queued', checkAt: null },
    ],
    [
      'spans before it is sent change nothing',
      state({ status: 'PENDING', phase: 'queued', deliveredAt: null }),
      root(T),
      T + 60_000,
      { status: 'PENDING', phase: 'queued', checkAt: null },
    ],
    [
      'spans do not complete it before the webhook is answered',
      state({ phase: 'delivering', deliveredAt: null }),
      root(T),
      T + 60_000,
      inPhase('delivering', null),
    ],
    [
      'it stays completed while spans come late, and is looked at when they are quiet',
      completed,
      root(T + 60_000),
      T + 60_000,
      { ...COMPLETES, checkAt: T + 62_000 },
    ],
    ['it stays completed when they are', completed, root(T + 60_000), T + 62_000, COMPLETES],
    ['it stays completed when its trace is gone', completed, NONE, T + 60_000, COMPLETES],
    [
      'while it is judged, it is looked at when late spans are quiet',
      evaluating,
      orphans(T + 60_000),
      T + 60_000,
      inPhase('evaluating', T + 75_000),
    ],
    ['it is judged until somebody ends it', evaluating, root(T), T + 60_000, inPhase('evaluating', null)],

    [
      'after a crash it waits for a sign of the app',
      unknown,
      NONE,
      T,
      inPhase('delivering', T + UNKNOWN_GRACE_MS),
    ],
    [
      'it still waits 1 ms before its time is up',
      unknown,
      NONE,
      T + 19_999,
      inPhase('delivering', T + 20_000),
    ],
    ['without one it fails after 20 s', unknown, NONE, T + 20_000, FAILS('delivery_unknown')],
    [
      'a span that comes meanwhile takes it on as delivered',
      unknown,
      root(T + 10_000),
      T + 10_000,
      inPhase('trace_received', T + 12_000),
    ],
    ['so does a span that was there before the crash', unknown, root(T - 5_000), T, COMPLETES],

    [
      'a late trace takes up a test whose trace was missing',
      failed('trace_missing'),
      root(T + 700_000),
      T + 700_000,
      inPhase('trace_received', T + 702_000),
    ],
    [
      'a late trace takes up a test of unknown delivery',
      failed('delivery_unknown', { deliveredAt: null }),
      root(T + 90_000),
      T + 90_000,
      inPhase('trace_received', T + 92_000),
    ],
    [
      'a late trace that is quiet already completes it',
      failed('trace_missing'),
      root(T + 700_000),
      T + 800_000,
      COMPLETES,
    ],
    ['without a trace it stays failed', failed('trace_missing'), NONE, T + 800_000, FAILS('trace_missing')],
    ...FAILURE_CODES.filter((code) => code !== 'trace_missing' && code !== 'delivery_unknown').map(
      (code): [string, TestState, AppSpans, number, Expected] => [
        `a late trace does not take up a test that failed with ${code}`,
        failed(code),
        root(T + 1_000),
        T + 1_000,
        FAILS(code),
      ],
    ),
  ])('%s', (_definition, before, spans, now, expected) => {
    const { state: after, checkAt } = settle(before, spans, now);
    const { status, phase, failure } = after;
    expect({ status, phase, ...(failure && { failure: failure.code }), checkAt }).toEqual(expected);
  });

  it.each<[rule: string, before: TestState, spans: AppSpans, now: number, complete: Checked['complete']]>([
    ['is there for the first time when it is quiet', received, root(T), T + 2_000, 'first'],
    ['is not before', received, root(T), T + 1_999, undefined],
    ['is not without a span', received, NONE, T + 600_000, undefined],
    ['is there again when late spans are quiet', completed, root(T), T + 2_000, 'again'],
    ['is there again while it is judged, too', evaluating, root(T), T + 2_000, 'again'],
    ['never is of a test that failed', failed('cancelled'), root(T), T + 2_000, undefined],
  ])('what is to be judged %s', (_definition, before, spans, now, complete) => {
    expect(check(before, spans, now).complete).toBe(complete);
  });

  it('counts a test of unknown delivery as delivered when its first sign came', () => {
    const after = check(unknown, root(T + 10_000), T + 10_000).state;
    expect(after).toMatchObject({ deliveredAt: T + 10_000, unknownSince: null, failure: null });
  });

  it('keeps the time of the response when a late trace reopens a test', () => {
    const after = check(failed('trace_missing'), root(T + 700_000), T + 700_000).state;
    expect(after).toMatchObject({ deliveredAt: T, failure: null });
  });

  it('says how long it waited for the trace', () => {
    const { failure } = check(state(), NONE, T + 90_000, { ...settings, traceDeadlineMs: 90_000 }).state;
    expect(failure?.message).toContain('within 90 s');
  });

  it.each<[string, Failure | null]>([
    ['trace_missing', check(state(), NONE, T + 600_000).state.failure],
    ['delivery_unknown', check(unknown, NONE, T + 20_000).state.failure],
    ['prompt_not_written', promptNotWritten('No prompt was written.')],
    ['webhook_not_configured', NOT_CONFIGURED],
    ['webhook_not_configured', SEALED],
    ['cancelled', CANCELLED],
    ['evaluation_error', NOT_JUDGED],
  ])('reports with %s what went wrong and what to do about it', (code, failure) => {
    expect(failure).toMatchObject({
      code,
      message: expect.stringMatching(/\w.*\.$/) as string,
      hint: expect.stringMatching(/\w.*\.$/) as string,
    });
  });
});

const time = fc.integer({ min: T - 100_000, max: T + 1_000_000 });
const anyState: fc.Arbitrary<TestState> = fc
  .record({
    status: fc.constantFrom(...TEST_STATUSES),
    phase: fc.constantFrom(...TEST_PHASES),
    failure: fc.option(fc.constantFrom(...FAILURE_CODES).map((code) => ({ code, message: 'm', hint: 'h' }))),
    deliveredAt: fc.option(time),
    unknownSince: fc.option(time),
  })
  .filter(({ status, phase }) => status !== 'IN_PROGRESS' || phase !== 'done');
const anySpans: fc.Arbitrary<AppSpans> = fc.oneof(
  fc.constant(NONE),
  fc.constant({ ...NONE, isDeleted: true }),
  fc.record({
    count: fc.integer({ min: 1, max: 9 }),
    hasRoot: fc.boolean(),
    lastAt: time,
    isDeleted: fc.boolean(),
  }),
);

describe('in every case', () => {
  it('looking at it comes to rest, so that no test is looked at without pause', () => {
    fc.assert(
      fc.property(anyState, anySpans, time, (before, spans, now) => {
        const rest = settle(before, spans, now);
        expect(rest.checkAt ?? now + 1).toBeGreaterThan(now);
        const { state: after, checkAt } = check(rest.state, spans, now);
        expect({ after, checkAt }).toEqual({ after: rest.state, checkAt: rest.checkAt });
      }),
    );
  });

  it('a test is failed exactly when it has just got a failure or had one, and only in the phase done', () => {
    fc.assert(
      fc.property(
        anyState.filter(({ status, failure }) => (status === 'FAILED') === (failure !== null)),
        anySpans,
        time,
        (before, spans, now) => {
          const { state: after } = check(before, spans, now);
          expect(after.failure !== null).toBe(after.status === 'FAILED');
          if (after.status !== before.status && after.status !== 'IN_PROGRESS')
            expect(after.phase).toBe('done');
        },
      ),
    );
  });
});
