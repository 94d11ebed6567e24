import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { followTest } from '../../src/tests/follow.ts';
import { withHooks } from '../../src/storage/operations.ts';
import { noteArrivedSpans as noteArrived } from '../../src/tests/note-spans.ts';
import type { NextStep } from '../../src/tests/next-step.ts';
import {
  applyEvent,
  type ChangedTest,
  correctFutureTimes,
  dueTests,
  findTest,
  insertTest,
  setCheck,
  type TestInFlight,
} from '../../src/tests/store.ts';
import type { TestEvent } from '../../src/tests/transitions.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { checkAt, STATES, storeRun, storeTest } from '../support/stored-tests.ts';

const noteArrivedSpans = withHooks({ beforeTraceDeleted: [] })(noteArrived);

const AT = 1_800_000_000_000;
const MISSING = { code: 'trace_missing', message: 'No trace.', hint: 'Send one.' } as const;

const store = useStore();
let tenant: Tenant;
let changed: ({ event: 'ended' | 'reopened' } & ChangedTest)[] = [];
beforeEach(() => {
  tenant = store.newTenant();
  changed = [];
});
const hooks = {
  onTestEnded: [(_database: unknown, test: ChangedTest) => void changed.push({ event: 'ended', ...test })],
  onTestReopened: [
    (_database: unknown, test: ChangedTest) => void changed.push({ event: 'reopened', ...test }),
  ],
  onTestComplete: [],
  onLateSpans: [],
};

function newTest(): TestInFlight {
  const { database, application } = tenant;
  const [id, taskId] = [randomUUID(), randomUUID()];
  const run = { id: randomUUID(), taskId, createdAt: AT };
  storeRun(database, application, run);
  insertTest(database, {
    application,
    id,
    taskId,
    runId: run.id,
    runType: 'MANUAL',
    prompt: 'Hello?',
    at: AT,
  });
  return stored(id);
}

const stored = (testId: string): TestInFlight =>
  findTest(tenant.database, { application: tenant.application, testId }) as TestInFlight;

const happen = (
  { id }: TestInFlight,
  event: TestEvent,
  more: { at?: number; checkAt?: number | null } = {},
): boolean => applyEvent(tenant.database, { test: stored(id), event, at: AT + 1_000, ...more }, hooks);

const details = ({ id }: TestInFlight): string[] =>
  tenant.database
    .all<{ text: string }>(
      `SELECT phase || ': ' || detail AS text FROM test_event WHERE test_id = ? ORDER BY id`,
      id,
    )
    .map(({ text }) => text);
const modifiedAt = (table: 'test' | 'run', id: string): number | undefined =>
  tenant.database.get<{ at: number }>(`SELECT modified_at AS at FROM ${table} WHERE id = ?`, id)?.at;

describe('an event of a test', () => {
  it('stores the state, when to check it, and a line of the timeline', () => {
    const test = newTest();
    happen(test, { type: 'send' });
    expect(happen(test, { type: 'answer', at: AT }, { checkAt: AT + 5_000 })).toBe(true);
    expect(stored(test.id)).toMatchObject({ status: 'IN_PROGRESS', phase: 'delivered', deliveredAt: AT });
    expect(checkAt(tenant.database, test.id)).toBe(AT + 5_000);
    expect(modifiedAt('test', test.id)).toBe(AT + 1_000);
    expect(modifiedAt('run', test.runId)).toBe(AT + 1_000);
    expect(details(test)).toEqual([
      'queued: The test was started.',
      'delivered: The webhook responded with 200.',
    ]);
  });

  it('adds to the timeline until the test is completed', () => {
    const test = newTest();
    const events: TestEvent[] = [
      { type: 'send' },
      { type: 'answer', at: AT },
      { type: 'expire', failure: MISSING },
      { type: 'receive', lastSpanAt: AT },
      { type: 'complete', lastSpanAt: AT },
    ];
    for (const event of events) expect(happen(test, event)).toBe(true);
    expect(details(test).slice(2)).toEqual([
      'done: trace_missing: No trace.',
      'trace_received: A late span arrived; the test resumes.',
      'done: The trace is complete.',
    ]);
    expect(stored(test.id)).toMatchObject({ status: 'COMPLETED', failure: null });
  });

  it('changes nothing where it cannot happen', () => {
    const test = newTest();
    expect(happen(test, { type: 'answer', at: AT }, { checkAt: AT + 5_000 })).toBe(false);
    expect(stored(test.id)).toEqual(test);
    expect(checkAt(tenant.database, test.id)).toBeNull();
    expect(details(test)).toHaveLength(1);
  });

  it('is reported when it ends or reopens the test, and only then', () => {
    const test = newTest();
    const of = {
      application: tenant.application,
      testId: test.id,
      taskId: test.taskId,
      experimentVariantId: null,
    };
    happen(test, { type: 'send' });
    happen(test, { type: 'answer', at: AT }, { at: AT + 1 });
    expect(changed).toEqual([]);
    happen(test, { type: 'expire', failure: MISSING }, { at: AT + 2 });
    happen(test, { type: 'expire', failure: MISSING }, { at: AT + 3 });
    happen(test, { type: 'receive', lastSpanAt: AT }, { at: AT + 4 });
    happen(test, { type: 'complete', lastSpanAt: AT }, { at: AT + 5 });
    expect(changed).toEqual([
      { event: 'ended', ...of, at: AT + 2 },
      { event: 'reopened', ...of, at: AT + 4 },
      { event: 'ended', ...of, at: AT + 5 },
    ]);
  });
});

describe('a test that was checked', () => {
  const deliver = (): TestInFlight => {
    const { database, application } = tenant;
    const [id, runId] = [randomUUID(), randomUUID()];
    const run = { id: runId, taskId: randomUUID(), createdAt: AT };
    storeTest(database, application, { id, run, createdAt: AT, ...STATES.delivered });
    return stored(id);
  };
  const follow = (seen: TestInFlight, step: NextStep): boolean =>
    followTest(tenant.database, { seen, step, at: AT + 1_000 }, hooks);

  it('is not modified when nothing became of it', () => {
    const test = deliver();
    expect(follow(test, { event: null, checkAt: AT + 9_000 })).toBe(true);
    expect(checkAt(tenant.database, test.id)).toBe(AT + 9_000);
    expect(modifiedAt('test', test.id)).toBe(AT);
    expect(details(test)).toEqual([]);
  });

  it('stays as it is when something happened to it meanwhile', () => {
    const seen = deliver();
    happen(seen, { type: 'cancel', failure: { code: 'cancelled', message: 'm', hint: 'h' } });
    expect(follow(seen, { event: { type: 'receive', lastSpanAt: AT }, checkAt: AT + 5_000 })).toBe(false);
    expect(stored(seen.id)).toMatchObject({ status: 'FAILED', failure: { code: 'cancelled' } });
    expect(checkAt(tenant.database, seen.id)).toBeNull();
  });

  it('does not fail for a missing trace when its spans have arrived meanwhile', () => {
    const seen = deliver();
    const expire: NextStep = { event: { type: 'expire', failure: MISSING }, checkAt: null };
    tenant.store([{ id: 1, attributes: { 'service.test.id': seen.id } }], { at: AT + 500 });
    expect(follow(seen, expire)).toBe(false);
    expect(stored(seen.id)).toMatchObject({ status: seen.status, phase: 'delivered', failure: null });
    noteArrivedSpans(tenant.database, null);
    expect(checkAt(tenant.database, seen.id)).toBe(AT + 500);
  });

  it.each<[string, NextStep['event']]>([
    ['nothing else became of it', null],
    ['it goes on', { type: 'receive', lastSpanAt: AT }],
  ])('is checked for spans that arrived meanwhile: %s', (_what, event) => {
    const seen = deliver();
    tenant.store([{ id: 1, attributes: { 'service.test.id': seen.id } }], { at: AT + 500 });
    noteArrivedSpans(tenant.database, null);
    follow(seen, { event, checkAt: AT + 600_000 });
    expect(checkAt(tenant.database, seen.id)).toBe(AT + 500);
  });
});

describe('the tests to be checked', () => {
  it('are those that are due, the longest waiting first, and no more than requested', () => {
    const ids = [30, 10, 20, 40, null].map((at) => {
      const test = newTest();
      setCheck(tenant.database, test, { checkAt: at, at: AT });
      return test.id;
    });
    const due = (now: number, limit: number) => {
      const { tests, nextAt } = dueTests(tenant.database, { now, limit });
      return { tests: tests.map(({ id }) => ids.indexOf(id)), nextAt };
    };
    expect(due(30, 10)).toEqual({ tests: [1, 2, 0], nextAt: 40 });
    expect(due(30, 2)).toEqual({ tests: [1, 2], nextAt: 30 });
    expect(due(9, 10)).toEqual({ tests: [], nextAt: 10 });
  });
});

describe('tests with times in the future, of a clock that was set back since', () => {
  it('are checked at once, and their times are those of the present', () => {
    const wrong = newTest();
    tenant.database.run(
      'UPDATE test SET delivered_at = :at, last_span_at = :at, check_at = :next WHERE id = :id',
      {
        at: AT + 146_000,
        next: AT + 148_000,
        id: wrong.id,
      },
    );
    const right = newTest();
    setCheck(tenant.database, right, { checkAt: AT + 600_000, at: AT });
    expect(correctFutureTimes(tenant.database, { now: AT })).toBe(false);
    expect(checkAt(tenant.database, wrong.id)).toBe(AT);
    expect(stored(wrong.id)).toMatchObject({ deliveredAt: AT, lastSpanAt: AT, unknownSince: null });
    expect(checkAt(tenant.database, right.id)).toBe(AT + 600_000);
  });
});
