import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { appSpans } from '../../src/tests/app-spans.ts';
import { testContent } from '../../src/tests/content.ts';
import { findTest, type TestInFlight } from '../../src/tests/store.ts';
import { MS, type SpanSpec, spanHex } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { storeTest } from '../support/stored-tests.ts';

const AT = 1_800_000_000_000;

const store = useStore();
let tenant: Tenant;
let [first, second] = ['', ''];
beforeEach(() => {
  tenant = store.newTenant();
  [first, second] = [newTest(), newTest()];
});

function newTest(): string {
  const id = randomUUID();
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: AT };
  storeTest(tenant.database, tenant.application, { id, run, createdAt: AT, lastSpanAt: AT });
  return id;
}

/** What the input of a test is, and how many spans count for its completion. */
function linkedTo(testId: string): { input: unknown; count: number; hasRoot: boolean } {
  const { database, application } = tenant;
  const test = findTest(database, { application, testId }) as TestInFlight;
  const { count, hasRoot } = appSpans(database, { test });
  return { input: testContent(database, { application, testId }).input, count, hasRoot };
}

/** What a native `trace` event is stored as. */
const event = (testId: string | null): SpanSpec => ({
  id: 9,
  start: 9 * MS,
  attributes: {
    'touchstone.event': 'trace',
    'input.value': 'event',
    ...(testId !== null && { 'service.test.id': testId }),
  },
});
const step = (id: number, testId: string): SpanSpec => ({
  id,
  parent: 100 + id,
  start: id * MS,
  attributes: { 'service.test.id': testId, 'openinference.span.kind': 'CHAIN', 'input.value': spanHex(id) },
});

describe('a native trace event', () => {
  it('belongs to the test it names', () => {
    tenant.store([event(second), step(1, first)]);
    expect(linkedTo(second)).toEqual({ input: 'event', count: 1, hasRoot: true });
    expect(linkedTo(first)).toEqual({ input: spanHex(1), count: 1, hasRoot: false });
  });

  it('that names no test belongs to the only test of its trace', () => {
    tenant.store([event(null), step(1, first)]);
    expect(linkedTo(first)).toEqual({ input: 'event', count: 2, hasRoot: true });
  });

  it('that names no test belongs to the primary test of its trace, and to no other one', () => {
    tenant.store([event(null), step(2, second), step(1, first)]);
    expect(linkedTo(first)).toEqual({ input: 'event', count: 2, hasRoot: true });
    expect(linkedTo(second)).toEqual({ input: spanHex(2), count: 1, hasRoot: false });
  });
});
