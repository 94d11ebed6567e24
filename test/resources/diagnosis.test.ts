import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { diagnoseTest } from '../../src/resources/tests/diagnosis.ts';
import type { Diagnosis } from '../../src/resources/tests/diagnosis-contract.ts';
import { diagnosis } from '../../src/resources/tests/diagnosis-contract.ts';
import { traceMissing, type Failure } from '../../src/tests/failures.ts';
import { BASE_MS, MS, type SpanSpec, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { storeRun, storeTask, storeTest, type StoredTest } from '../support/stored-tests.ts';

const { newTenant } = useStore();
const SECOND = 1_000;

/** Stores a test that was delivered and waits for its trace; `more` overrides its fields. */
function testIn(tenant: Tenant, more: Partial<StoredTest> = {}): string {
  const [id, taskId, runId] = [randomUUID(), randomUUID(), randomUUID()];
  storeTask(tenant.database, tenant.application, taskId);
  const run = { id: runId, taskId, createdAt: BASE_MS };
  storeRun(tenant.database, tenant.application, run);
  storeTest(tenant.database, tenant.application, {
    id,
    run,
    status: 'IN_PROGRESS',
    phase: 'delivered',
    createdAt: BASE_MS,
    deliveredAt: BASE_MS + SECOND,
    timeline: [
      { at: BASE_MS, phase: 'queued', detail: 'queued' },
      { at: BASE_MS + SECOND, phase: 'delivered', detail: 'delivered' },
    ],
    ...more,
  });
  return id;
}

function diagnosed(tenant: Tenant, id: string): Diagnosis {
  const found = diagnoseTest(tenant.database, { owner: tenant.owner, id, at: BASE_MS + 30 * SECOND });
  expect(diagnosis.parse(found)).toEqual(found);
  return found;
}

const MISSING: { status: 'FAILED'; failure: Failure } = { status: 'FAILED', failure: traceMissing(60_000) };
const spanOf = (trace: number, testId?: string): SpanSpec => ({
  trace,
  id: trace,
  start: 2_000 * MS,
  ...(testId === undefined ? {} : { attributes: { 'service.test.id': testId } }),
});

describe('the diagnosis of a test', () => {
  it.each<[what: string, cause: RegExp, fill: (tenant: Tenant) => void]>([
    ['nothing arrived', /^No span arrived/, () => undefined],
    [
      'traces without a test arrived',
      /^2 traces arrived without a test id/,
      (tenant) => tenant.store([spanOf(1), spanOf(2)]),
    ],
    [
      'traces of another test arrived',
      /^One trace arrived with other test ids \(such as 0+-0000-4000-8000-0+7\)/,
      (tenant) => tenant.store([spanOf(1, uuid(7))]),
    ],
    [
      'spans were rejected',
      /^Spans were rejected while the test waited: The span id is all zeros \(invalid_id\)\.$/,
      (tenant) =>
        tenant.store([spanOf(1)], {
          at: BASE_MS + 2 * SECOND,
          rejections: [
            {
              source: 'otlp',
              reason: 'invalid_id',
              message: 'The span id is all zeros',
              spans: 1,
              traceId: null,
              spanId: null,
            },
          ],
        }),
    ],
  ])('says so when %s', (_what, cause, fill) => {
    for (const state of [{}, MISSING]) {
      const tenant = newTenant();
      const id = testIn(tenant, state);
      fill(tenant);
      const found = diagnosed(tenant, id);
      expect(found.cause).toMatch(cause);
      expect(found.cure).not.toBeNull();
    }
  });

  it('does not blame tests that ran at the same time, unless one of them has all the traces', () => {
    const tenant = newTenant();
    const id = testIn(tenant, MISSING);
    const beside = Array.from({ length: 5 }, () => testIn(tenant, { status: 'COMPLETED', phase: 'done' }));
    tenant.store(beside.map((one, n) => spanOf(n + 1, one)));
    const { cause, meanwhile } = diagnosed(tenant, id);
    expect(cause).toMatch(/^No span arrived/);
    expect(meanwhile).toMatchObject({ tracesOfOtherTests: 0, otherTestIds: [] });
    const another = newTenant();
    const missing = testIn(another, MISSING);
    const first = testIn(another);
    another.store([1, 2, 3].map((trace) => spanOf(trace, first)));
    expect(diagnosed(another, missing).cause).toMatch(/^3 traces arrived with other test ids/);
  });

  it('shows the phases that were reached, the one where it stands, and those to come', () => {
    const tenant = newTenant();
    const states = (id: string): string[] =>
      diagnosed(tenant, id).phases.map(
        ({ phase, state, at }) => `${phase} ${state}${at === null ? '' : ' at'}`,
      );
    const rest = ['trace_received pending', 'evaluating pending', 'done pending'];
    expect(states(testIn(tenant))).toEqual([
      'queued reached at',
      'delivering pending',
      'delivered current at',
      ...rest,
    ]);
    expect(states(testIn(tenant, MISSING))).toContain('delivered failed at');
  });

  it('repeats the failure of the delivery with its hint', () => {
    const tenant = newTenant();
    const failure: Failure = { code: 'webhook_unreachable', message: 'Nobody listens.', hint: 'Start it.' };
    const found = diagnosed(tenant, testIn(tenant, { status: 'FAILED', phase: 'delivering', failure }));
    expect([found.cause, found.cure]).toEqual(['Nobody listens.', 'Start it.']);
  });

  it('has nothing to advise when the test continues or has completed', () => {
    const tenant = newTenant();
    for (const state of [
      { status: 'COMPLETED', phase: 'done' },
      { status: 'PENDING', phase: 'queued' },
    ] as const)
      expect(diagnosed(tenant, testIn(tenant, state)).cure).toBeNull();
  });

  it('counts what is stored of the test', () => {
    const tenant = newTenant();
    const id = testIn(tenant);
    tenant.store([spanOf(1, id)]);
    expect(diagnosed(tenant, id)).toMatchObject({
      spans: { stored: 1, isTraceparentContinued: false },
      meanwhile: { tracesWithoutTest: 0, tracesOfOtherTests: 0 },
      cure: null,
    });
  });

  it('is not found in another application', () => {
    const id = testIn(newTenant());
    expect(() => diagnosed(newTenant(), id)).toThrow('not found');
  });
});
