import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CANCELLED, DELIVERY_UNKNOWN, GIVEN_UP, NOT_JUDGED, TEXTS_ERASED } from '../../src/tests/failures.ts';
import { applyEvent, findTest, type TestInFlight } from '../../src/tests/store.ts';
import {
  type Stage,
  stageOf,
  STAGES,
  stateAfter,
  type TestEvent,
  type TestEventType,
  TRANSITIONS,
} from '../../src/tests/transitions.ts';
import { useStore } from '../support/storage.ts';
import { STATES, storeTest } from '../support/stored-tests.ts';

const EVENTS: Readonly<Record<TestEventType, TestEvent>> = {
  send: { type: 'send' },
  retry: { type: 'retry' },
  answer: { type: 'answer', at: 60 },
  fail: { type: 'fail', failure: GIVEN_UP },
  reject: { type: 'reject', failure: GIVEN_UP },
  interrupt: { type: 'interrupt', at: 60 },
  receive: { type: 'receive', lastSpanAt: 55 },
  complete: { type: 'complete', lastSpanAt: 55 },
  evaluate: { type: 'evaluate', lastSpanAt: 55 },
  expire: { type: 'expire', failure: DELIVERY_UNKNOWN },
  judge: { type: 'judge' },
  giveUp: { type: 'giveUp', failure: NOT_JUDGED },
  reopen: { type: 'reopen' },
  replay: { type: 'replay', at: 60 },
  cancel: { type: 'cancel', failure: CANCELLED },
  erase: { type: 'erase', failure: TEXTS_ERASED },
};

/** Each row is a stage; what is not listed cannot happen in it. */
const EXPECTED: Readonly<Record<Stage, Partial<Record<TestEventType, Stage>>>> = {
  queued: { send: 'delivering', reject: 'failed_without_trace', cancel: 'failed', erase: 'failed' },
  retrying: { send: 'delivering', reject: 'failed_without_trace', cancel: 'failed', erase: 'failed' },
  delivering: {
    send: 'delivering',
    retry: 'retrying',
    answer: 'delivered',
    fail: 'failed_without_trace',
    reject: 'failed_without_trace',
    interrupt: 'interrupted',
    cancel: 'failed',
    erase: 'failed',
  },
  interrupted: {
    answer: 'delivered',
    fail: 'failed_without_trace',
    reject: 'failed_without_trace',
    receive: 'trace_received',
    complete: 'completed',
    evaluate: 'evaluating',
    expire: 'failed_without_trace',
    cancel: 'failed',
    erase: 'failed',
  },
  delivered: {
    receive: 'trace_received',
    complete: 'completed',
    evaluate: 'evaluating',
    expire: 'failed_without_trace',
    cancel: 'failed',
    erase: 'failed',
  },
  trace_received: {
    complete: 'completed',
    evaluate: 'evaluating',
    expire: 'failed_without_trace',
    cancel: 'failed',
    erase: 'failed',
  },
  evaluating: { judge: 'completed', giveUp: 'failed_evaluation', cancel: 'failed' },
  completed: { reopen: 'evaluating' },
  failed: { replay: 'delivered' },
  failed_without_trace: {
    receive: 'trace_received',
    complete: 'completed',
    evaluate: 'evaluating',
    replay: 'delivered',
  },
  failed_evaluation: { reopen: 'evaluating', replay: 'delivered' },
};

const pairs = STAGES.flatMap((stage) => Object.values(EVENTS).map((event) => ({ stage, event })));

describe('the transitions of a test', () => {
  it('name each stage by a state of its own', () => {
    expect(STAGES.map((stage) => stageOf(STATES[stage]))).toEqual(STAGES);
    expect(Object.keys(EVENTS).toSorted()).toEqual(Object.keys(TRANSITIONS).toSorted());
  });

  it.each(STAGES)('are the expected ones: %s', (stage) => {
    const found = Object.values(EVENTS).flatMap((event) => {
      const after = stateAfter(STATES[stage], event);
      return after ? [[event.type, stageOf(after)]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(EXPECTED[stage]);
  });

  it('give a test a failure exactly when it has failed', () => {
    const after = pairs.flatMap(({ stage, event }) => stateAfter(STATES[stage], event) ?? []);
    expect(after.filter(({ failure, status }) => (failure !== null) !== (status === 'FAILED'))).toEqual([]);
  });

  it('keep when the webhook responded, unless it responds again', () => {
    const deliveredAt = (stage: Stage, event: TestEvent): number | null | undefined =>
      stateAfter(STATES[stage], event)?.deliveredAt;
    expect(deliveredAt('delivering', EVENTS.answer)).toBe(60);
    expect(deliveredAt('failed_without_trace', EVENTS.replay)).toBe(60);
    expect(deliveredAt('interrupted', EVENTS.receive)).toBe(55);
    expect(deliveredAt('failed_without_trace', EVENTS.receive)).toBe(50);
    expect(deliveredAt('completed', EVENTS.reopen)).toBe(50);
  });
});

describe('the store', () => {
  const { newTenant } = useStore();

  it('takes every test from every stage where the table says, and nowhere else', () => {
    const { database, application } = newTenant();
    const hooks = { onTestEnded: [], onTestReopened: [] };
    for (const { stage, event } of pairs) {
      const testId = randomUUID();
      const run = { id: randomUUID(), taskId: randomUUID(), createdAt: 1 };
      storeTest(database, application, { id: testId, run, createdAt: 1, ...STATES[stage] });
      const test = findTest(database, { application, testId }) as TestInFlight;
      const expected = stateAfter(STATES[stage], event);
      const happened = applyEvent(database, { test, event, at: 70 }, hooks);
      expect({ stage, event, happened }).toEqual({ stage, event, happened: expected !== null });
      expect(findTest(database, { application, testId })).toMatchObject(expected ?? STATES[stage]);
    }
  });
});
