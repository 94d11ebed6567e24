import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelTest, DELIVER } from '../../src/deliver/delivery-store.ts';
import { AppError } from '../../src/errors.ts';
import { enqueueJob } from '../../src/jobs/store.ts';
import { findTest, setCheck, type TestInFlight } from '../../src/tests/store.ts';
import type { Stage } from '../../src/tests/transitions.ts';
import { uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { checkAt, STATES, storeTest } from '../support/stored-tests.ts';

const AT = 1_800_000_000_000;
const hooks = { onTestEnded: [], onTestReopened: [] };

const store = useStore();
let tenant: Tenant;
beforeEach(() => {
  tenant = store.newTenant();
});

/** A test in a stage, with a job to deliver it. */
function testIn(stage: Stage): TestInFlight {
  const { database, application } = tenant;
  const id = randomUUID();
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: AT };
  storeTest(database, application, { id, run, createdAt: AT, ...STATES[stage] });
  enqueueJob(database, { application, kind: DELIVER, key: id, dueAt: AT, at: AT });
  setCheck(database, stored(id), { checkAt: AT + 9_000, at: AT });
  return stored(id);
}
const stored = (testId: string): TestInFlight =>
  findTest(tenant.database, { application: tenant.application, testId }) as TestInFlight;
const timeline = (id: string): string[] =>
  tenant.database
    .all<{ detail: string }>('SELECT detail FROM test_event WHERE test_id = ?', id)
    .map(({ detail }) => detail);
const jobs = (id: string): number =>
  tenant.database.get<{ n: number }>('SELECT count(*) AS n FROM job WHERE key = ?', id)?.n ?? 0;

function cancel(id: string, application = tenant.application): string | null {
  try {
    cancelTest(tenant.database, { application, id, at: AT + 7 }, hooks);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('cancelling', () => {
  it.each<Stage>([
    'queued',
    'delivering',
    'retrying',
    'interrupted',
    'delivered',
    'trace_received',
    'evaluating',
  ])('ends a test for good: %s', (stage) => {
    const { id } = testIn(stage);
    expect(cancel(id)).toBeNull();
    expect(stored(id)).toMatchObject({
      status: 'FAILED',
      phase: 'done',
      failure: { code: 'cancelled' },
      unknownSince: null,
    });
    expect(checkAt(tenant.database, id)).toBeNull();
    expect(timeline(id)).toEqual(['cancelled: The test was cancelled.']);
    expect(jobs(id)).toBe(0);
  });

  it.each<Stage>(['completed', 'failed', 'failed_without_trace', 'failed_evaluation'])(
    'is rejected for a test that has ended: %s',
    (stage) => {
      const test = testIn(stage);
      expect(cancel(test.id)).toBe('conflict');
      expect(stored(test.id)).toEqual(test);
      expect(timeline(test.id)).toEqual([]);
    },
  );

  it("finds no unknown test, and no other application's", () => {
    const test = testIn('queued');
    expect(cancel(uuid(0xdead))).toBe('not_found');
    expect(cancel(test.id, store.newTenant().application)).toBe('not_found');
    expect(stored(test.id)).toEqual(test);
  });
});
