import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { withHooks } from '../../src/storage/operations.ts';
import { noteArrivedSpans as noteArrived } from '../../src/tests/note-spans.ts';
import { findTest } from '../../src/tests/store.ts';
import { hasTestTouches } from '../../src/traces/test-touches.ts';
import { type SpanSpec, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { checkAt, STATES, storeTest } from '../support/stored-tests.ts';

const noteArrivedSpans = withHooks({ beforeTraceDeleted: [] })(noteArrived);

const AT = 1_800_000_000_000;

const store = useStore();
let tenant: Tenant;
beforeEach(() => {
  tenant = store.newTenant();
});

function newTest(): string {
  const id = randomUUID();
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: AT };
  storeTest(tenant.database, tenant.application, { id, run, createdAt: AT, ...STATES.delivered });
  return id;
}
const spanOf = (testId: string, id: number): SpanSpec => ({
  trace: id,
  id,
  attributes: { 'service.test.id': testId },
});
const note = (): number => {
  let commands = 1;
  while (noteArrivedSpans(tenant.database, null)) commands += 1;
  return commands;
};
const noted = (testId: string) => ({
  lastSpanAt: findTest(tenant.database, { application: tenant.application, testId })?.lastSpanAt,
  checkAt: checkAt(tenant.database, testId),
});
const touches = (): unknown[] => tenant.database.all('SELECT test_id AS testId, at FROM test_touch');

describe('spans of a test that arrive', () => {
  it('have it checked at once, and later ones again after a second', () => {
    const id = newTest();
    tenant.store([spanOf(id, 1)], { at: AT + 500 });
    expect(noted(id)).toEqual({ lastSpanAt: null, checkAt: null });
    note();
    expect(noted(id)).toEqual({ lastSpanAt: AT + 500, checkAt: AT + 500 });
    tenant.store([spanOf(id, 2)], { at: AT + 700 });
    tenant.store([spanOf(id, 3)], { at: AT + 900 });
    note();
    expect(noted(id)).toEqual({ lastSpanAt: AT + 900, checkAt: AT + 1_900 });
  });

  it('are one row for each test of a commit, and none is left', () => {
    const [one, two] = [newTest(), newTest()];
    tenant.store([spanOf(one, 1), spanOf(one, 2), spanOf(two, 3)], { at: AT + 500 });
    expect(touches()).toHaveLength(2);
    note();
    expect(touches()).toEqual([]);
    expect(hasTestTouches(tenant.database)).toBe(false);
  });

  it('are noted some at a time; ids that are no test are dropped', () => {
    const id = newTest();
    const strangers = Array.from({ length: 2_500 }, (_, i) => spanOf(uuid(0x9000_0000 + i), i + 1));
    tenant.store([...strangers, spanOf(id, 3_000)], { at: AT + 500 });
    expect(note()).toBe(3);
    expect(noted(id)).toEqual({ lastSpanAt: AT + 500, checkAt: AT + 500 });
    expect(touches()).toEqual([]);
  });
});
