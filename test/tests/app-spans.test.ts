import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DELIVERY_ATTRIBUTE } from '../../src/deliver/delivery-span.ts';
import { appSpans } from '../../src/tests/app-spans.ts';
import { withHooks } from '../../src/storage/operations.ts';
import { noteArrivedSpans as noteArrived } from '../../src/tests/note-spans.ts';
import { findTest, type TestInFlight } from '../../src/tests/store.ts';
import { MS, type SpanSpec, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { checkAt, storeTest } from '../support/stored-tests.ts';

const noteArrivedSpans = withHooks({ beforeTraceDeleted: [] })(noteArrived);

const AT = 1_800_000_000_000;

const store = useStore();
let tenant: Tenant;
beforeEach(() => {
  tenant = store.newTenant();
});

function newTest(): TestInFlight {
  const { database, application } = tenant;
  const [id, runId, taskId] = [randomUUID(), randomUUID(), randomUUID()];
  storeTest(database, application, { id, run: { id: runId, taskId, createdAt: AT }, createdAt: AT });
  return stored(id);
}

const stored = (testId: string): TestInFlight =>
  findTest(tenant.database, { application: tenant.application, testId }) as TestInFlight;

describe('the spans of a test', () => {
  const DELIVERY = { [DELIVERY_ATTRIBUTE]: 'attempt' };

  it.each<[string, (id: string) => SpanSpec[], { count: number; hasRoot: boolean }]>([
    ['none', () => [], { count: 0, hasRoot: false }],
    ['a root', (id) => [{ id: 1, attributes: { 'service.test.id': id } }], { count: 1, hasRoot: true }],
    [
      'a root and its child, which need not name the test',
      (id) => [
        { id: 1, attributes: { 'service.test.id': id } },
        { id: 2, parent: 1 },
      ],
      { count: 2, hasRoot: true },
    ],
    [
      'an orphan',
      (id) => [{ id: 2, parent: 1, attributes: { 'service.test.id': id } }],
      { count: 1, hasRoot: false },
    ],
    [
      'an orphan with a parent in another process',
      (id) => [{ id: 2, parent: 1, flags: 0x300, attributes: { 'service.test.id': id } }],
      { count: 1, hasRoot: true },
    ],
    [
      'our delivery alone, which is no sign of the app',
      (id) => [{ id: 9, attributes: { 'service.test.id': id, ...DELIVERY } }],
      { count: 0, hasRoot: false },
    ],
    [
      'our delivery and what the app did below it',
      (id) => [
        { id: 9, attributes: { 'service.test.id': id, ...DELIVERY } },
        { id: 1, parent: 9 },
        { id: 2, parent: 1 },
      ],
      { count: 2, hasRoot: true },
    ],
    [
      'spans of another test in the same trace',
      (id) => [
        { id: 1, attributes: { 'service.test.id': uuid(5) } },
        { id: 2, parent: 1, attributes: { 'service.test.id': id } },
        { id: 3, start: MS, attributes: { 'service.test.id': uuid(5) } },
      ],
      { count: 1, hasRoot: false },
    ],
    [
      'spans in two traces',
      (id) => [
        { trace: 1, id: 1, attributes: { 'service.test.id': id } },
        { trace: 2, id: 1, attributes: { 'service.test.id': id } },
      ],
      { count: 2, hasRoot: true },
    ],
  ])('are counted: %s', (_which, specs, expected) => {
    const { id } = newTest();
    tenant.store(specs(id), { at: AT + 500 });
    noteArrivedSpans(tenant.database, null);
    const spans = appSpans(tenant.database, { test: stored(id) });
    expect(spans).toEqual({ ...expected, isDeleted: false, lastAt: expected.count === 0 ? null : AT + 500 });
  });

  it("are not another application's, though they name the test", () => {
    const test = newTest();
    const other = store.newTenant();
    other.store([{ id: 1, attributes: { 'service.test.id': test.id } }], { at: AT + 500 });
    noteArrivedSpans(other.database, null);
    expect(appSpans(tenant.database, { test: stored(test.id) })).toEqual({
      count: 0,
      hasRoot: false,
      isDeleted: false,
      lastAt: null,
    });
    expect(stored(test.id).lastSpanAt).toBeNull();
    expect(checkAt(tenant.database, test.id)).toBeNull();
  });
});
