import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { endEvaluation, reopenTest } from '../../src/tests/evaluation.ts';
import { followTest } from '../../src/tests/follow.ts';
import type { NextStep } from '../../src/tests/next-step.ts';
import type { TestState } from '../../src/tests/states.ts';
import { findTest, type TestInFlight } from '../../src/tests/store.ts';
import { MS } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { storeRun, storeTask, storeTest, type StoredTest } from '../support/stored-tests.ts';

const AT = 1_800_000_000_000;
const CANCELLED = { code: 'cancelled', message: 'm', hint: 'h' } as const;
const ERROR = { code: 'evaluation_error', message: 'm', hint: 'h' } as const;

const store = useStore();
let tenant: Tenant;
let told: string[] = [];
const hooks = (evals: number) => ({
  onTestEnded: [() => void told.push('ended')],
  onTestReopened: [() => void told.push('reopened')],
  onTestComplete: [
    () => {
      told.push('complete');
      return evals;
    },
  ],
  onLateSpans: [() => void told.push('late')],
});

beforeEach(() => {
  tenant = store.newTenant();
  told = [];
});

/** A test in a state. */
function testIn(state: Partial<StoredTest>): TestInFlight {
  const { database, application } = tenant;
  const [id, taskId] = [randomUUID(), randomUUID()];
  const run = { id: randomUUID(), taskId, createdAt: AT - 10 };
  storeTask(database, application, taskId);
  storeRun(database, application, run);
  storeTest(database, application, { id, run, createdAt: AT - 10, ...state });
  return findTest(database, { application, testId: id }) as TestInFlight;
}

const now = ({ id }: TestInFlight): Pick<TestState, 'status' | 'phase'> & { failure: string | null } => {
  const { status, phase, failure } = findTest(tenant.database, {
    application: tenant.application,
    testId: id,
  }) as TestInFlight;
  return { status, phase, failure: failure?.code ?? null };
};
const timeline = ({ id }: TestInFlight): string[] =>
  tenant.database
    .all<{ line: string }>(
      `SELECT phase || ': ' || detail AS line FROM test_event WHERE test_id = ? ORDER BY id`,
      id,
    )
    .map(({ line }) => line);
const checkAt = ({ id }: TestInFlight): number | null | undefined =>
  tenant.database.get<{ at: number | null }>('SELECT check_at AS at FROM test WHERE id = ?', id)?.at;
const runChangedAt = ({ id }: TestInFlight): number | undefined =>
  tenant.database.get<{ at: number }>(
    'SELECT modified_at AS at FROM run WHERE id = (SELECT run_id FROM test WHERE id = ?)',
    id,
  )?.at;

const RECEIVED = { status: 'IN_PROGRESS', phase: 'trace_received' } as const;
const EVALUATING = { status: 'IN_PROGRESS', phase: 'evaluating' } as const;
const COMPLETED = { status: 'COMPLETED', phase: 'done' } as const;

describe('a test whose trace is complete', () => {
  const COMPLETE: NextStep = { event: { type: 'complete', lastSpanAt: AT - 5 }, checkAt: null };
  const follow = (seen: TestInFlight, step: NextStep, evals: number): boolean =>
    followTest(tenant.database, { seen, step, at: AT }, hooks(evals));

  it('is judged while evals of it are planned', () => {
    const test = testIn(RECEIVED);
    expect(follow(test, COMPLETE, 2)).toBe(true);
    expect(now(test)).toEqual({ ...EVALUATING, failure: null });
    expect(timeline(test)).toEqual(['evaluating: The trace is complete; its evaluation begins.']);
    expect(told).toEqual(['complete']);
  });

  it('is over at once when none are', () => {
    const test = testIn(RECEIVED);
    follow(test, COMPLETE, 0);
    expect(now(test)).toEqual({ ...COMPLETED, failure: null });
    expect(timeline(test)).toEqual(['done: The trace is complete.']);
    expect(told).toEqual(['complete', 'ended']);
  });

  it('has its spans even if it was not read before it was complete', () => {
    const test = testIn({ status: 'IN_PROGRESS', phase: 'delivered' });
    follow(test, COMPLETE, 1);
    expect(timeline(test).map((line) => line.split(':')[0])).toEqual(['trace_received', 'evaluating']);
  });

  it('is left alone when something happened to it meanwhile', () => {
    const test = testIn({ status: 'FAILED', phase: 'done', failure: CANCELLED });
    expect(follow({ ...test, ...RECEIVED }, COMPLETE, 2)).toBe(false);
    expect(now(test)).toMatchObject({ status: 'FAILED' });
    expect(told).toEqual([]);
  });

  it('is checked again at once when its trace was deleted meanwhile', () => {
    const test = testIn({ status: 'IN_PROGRESS', phase: 'delivered' });
    tenant.database.run('UPDATE test SET trace_deleted = 1, check_at = ? WHERE id = ?', AT - 1, test.id);
    expect(follow(test, { event: null, checkAt: AT + 900_000 }, 0)).toBe(false);
    expect(checkAt(test)).toBe(AT - 1);
  });

  it.each([EVALUATING, COMPLETED])('has late spans looked into, and stays as it is: $phase', (state) => {
    const test = testIn(state);
    follow(test, { event: null, checkAt: null, hasLateSpans: true }, 2);
    expect(now(test)).toEqual({ ...state, failure: null });
    expect(timeline(test)).toEqual([]);
    expect(told).toEqual(['late']);
  });

  it('shows in lists of results what late spans changed', () => {
    const test = testIn(COMPLETED);
    const attributes = { 'service.test.id': test.id };
    const result = () => {
      follow(test, { event: null, checkAt: null, hasLateSpans: true }, 2);
      return tenant.database.get('SELECT duration_ms AS ms FROM test_result WHERE test_id = ?', test.id);
    };
    tenant.store([{ trace: 1, id: 1, start: 0, end: 20 * MS, attributes }]);
    expect(result()).toEqual({ ms: 20 });
    tenant.store([{ trace: 1, id: 2, parent: 1, start: 5 * MS, end: 90 * MS, attributes }]);
    expect(result()).toEqual({ ms: 90 });
  });
});

describe('the end of judging', () => {
  const end = ({ id: testId }: TestInFlight, isGivenUp = false): void =>
    endEvaluation(tenant.database, { application: tenant.application, testId, isGivenUp, at: AT }, hooks(0));

  it('completes a test that is judged, and leaves what late spans have to do with it', () => {
    const test = testIn(EVALUATING);
    tenant.database.run('UPDATE test SET check_at = ? WHERE id = ?', AT + 5, test.id);
    end(test);
    expect(now(test)).toEqual({ ...COMPLETED, failure: null });
    expect(timeline(test)).toEqual(['done: All verdicts have been stored.']);
    expect(checkAt(test)).toBe(AT + 5);
    expect(runChangedAt(test)).toBe(AT);
    expect(told).toEqual(['ended']);
  });

  it('fails it when the service could not judge it', () => {
    const test = testIn(EVALUATING);
    end(test, true);
    expect(now(test)).toEqual({ status: 'FAILED', phase: 'done', failure: 'evaluation_error' });
    expect(told).toEqual(['ended']);
  });

  it.each<[string, Partial<StoredTest>]>([
    ['one that is over', COMPLETED],
    ['one that was cancelled meanwhile', { status: 'FAILED', phase: 'done', failure: CANCELLED }],
    ['one that is still at work', RECEIVED],
  ])('changes nothing of %s', (_what, state) => {
    const test = testIn(state);
    const before = now(test);
    end(test);
    expect(now(test)).toEqual(before);
    expect(told).toEqual([]);
  });
});

describe('judging again', () => {
  const reopen = ({ id: testId }: TestInFlight): void =>
    reopenTest(tenant.database, { application: tenant.application, testId, evals: 3, at: AT }, hooks(0));

  it.each<[string, Partial<StoredTest>]>([
    ['completed', COMPLETED],
    ['could not be judged', { status: 'FAILED', phase: 'done', failure: ERROR }],
  ])('continues a test that %s', (_what, state) => {
    const test = testIn(state);
    reopen(test);
    expect(now(test)).toEqual({ ...EVALUATING, failure: null });
    expect(timeline(test)).toEqual(['evaluating: The test is evaluated again by 3 of its definitions.']);
    expect(told).toEqual(['reopened']);
  });

  it.each<[string, Partial<StoredTest>]>([
    ['failed otherwise', { status: 'FAILED', phase: 'done', failure: CANCELLED }],
    ['is judged already', EVALUATING],
  ])('leaves a test as it is that %s', (_what, state) => {
    const test = testIn(state);
    const before = now(test);
    reopen(test);
    expect(now(test)).toEqual(before);
    expect(timeline(test)).toEqual([]);
  });
});
