import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { definitionSumsOf, NO_RESULT, resultsOf, resultsOfRuns } from '../../src/evaluate/results.ts';
import { BASE_MS, traceBytes, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { evalOf, PENDING_EVAL, storeDefinition, verdict } from '../support/stored-evals.ts';
import { storeRun, type StoredRun, type StoredTest, storeTest } from '../support/stored-tests.ts';

const { newTenant } = useStore();

const [DEFINITION, SECOND] = [randomUUID(), randomUUID()];

function newTest(tenant: Tenant, more: Partial<StoredTest> = {}, ofRun: Partial<StoredRun> = {}): StoredTest {
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: BASE_MS, ...ofRun };
  const test: StoredTest = { id: randomUUID(), run, status: 'COMPLETED', createdAt: BASE_MS, ...more };
  storeRun(tenant.database, tenant.application, run);
  storeTest(tenant.database, tenant.application, test);
  return test;
}

const save = ({ database, application }: Tenant, ...evals: SavedEval[]): void =>
  saveEvals(database, { application, evals, at: BASE_MS + 5 });

const rowsOf = (tenant: Tenant, columns: string, testId: string | null): unknown[] =>
  tenant.database.all(
    `SELECT ${columns} FROM eval WHERE application = ? AND test_id IS ? ORDER BY version, superseded DESC`,
    tenant.application,
    testId,
  );

const countsOf = (tenant: Tenant, { id }: StoredTest): unknown =>
  tenant.database.get(
    `SELECT finished_evals AS finished, passed_evals AS passed, counted_evals AS counted, counted_passed AS countedPassed,
       has_error AS hasError FROM test WHERE id = ?`,
    id,
  );

describe('saving evals', () => {
  it('stores one as it goes along, and leaves alone what is final', () => {
    const tenant = newTenant();
    const test = newTest(tenant);
    const begun = evalOf(test, DEFINITION, { definitionVersion: 3, traceId: traceBytes(1) });
    save(tenant, begun);
    save(tenant, { ...begun, status: 'IN_PROGRESS' });
    const done: SavedEval = {
      ...begun,
      ...verdict(true, 0.75),
      score: 4,
      results: { parts: [1] },
      reason: 'kind',
      judge: { model: 'm' },
      cost: 0.25,
      latencyMs: 12,
    };
    save(tenant, done);
    save(tenant, { ...done, ...verdict(false), reason: 'late' }, { ...done, status: 'FAILED' });
    expect(rowsOf(tenant, '*', test.id)).toEqual([
      expect.objectContaining({
        id: begun.id,
        definition_version: 3,
        trace_id: traceBytes(1),
        status: 'COMPLETED',
        score: 4,
        normalised: 0.75,
        passed: 1,
        results: '{"parts":[1]}',
        reason: 'kind',
        judge: '{"model":"m"}',
        cost: 0.25,
        latency_ms: 12,
        version: 1,
        superseded: 0,
      }),
    ]);
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 1 });
  });

  it('keeps one current of each test and definition, and counts those that are COMPLETED', () => {
    const tenant = newTenant();
    const [test, other] = [newTest(tenant), newTest(tenant)];
    save(
      tenant,
      evalOf(test, DEFINITION, verdict(true)),
      evalOf(test, SECOND, verdict(true)),
      evalOf(other, DEFINITION),
    );
    expect(countsOf(tenant, test)).toMatchObject({ finished: 2, passed: 2 });
    const again = evalOf(test, DEFINITION);
    save(tenant, again);
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 1 });
    save(tenant, { ...again, ...verdict(false) }, evalOf(test, SECOND, { status: 'SKIPPED' }));
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 0 });
    expect(countsOf(tenant, other)).toMatchObject({ finished: 0 });
    expect(rowsOf(tenant, 'definition_id AS d, version AS v, superseded AS s', test.id)).toEqual([
      ...[DEFINITION, SECOND].sort().map(() => ({ d: expect.anything() as string, v: 1, s: 1 })),
      ...[DEFINITION, SECOND].sort().map(() => ({ d: expect.anything() as string, v: 2, s: 0 })),
    ]);
  });

  it('lets a verdict that comes after its version was superseded change nothing that counts', () => {
    const tenant = newTenant();
    const test = newTest(tenant);
    const slow = evalOf(test, DEFINITION);
    save(tenant, slow, evalOf(test, DEFINITION, verdict(false)), { ...slow, ...verdict(true) });
    expect(rowsOf(tenant, 'status, passed, superseded', test.id)).toEqual([
      { status: 'COMPLETED', passed: 1, superseded: 1 },
      { status: 'COMPLETED', passed: 0, superseded: 0 },
    ]);
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 0 });
  });

  it('distinguishes evals of a trace from those of a test that has the trace', () => {
    const tenant = newTenant();
    const ofTrace = { ...PENDING_EVAL, id: randomUUID(), definitionId: DEFINITION, traceId: traceBytes(1) };
    save(tenant, ofTrace, evalOf(newTest(tenant), DEFINITION, { traceId: traceBytes(1) }));
    save(tenant, { ...ofTrace, id: randomUUID() }, { ...ofTrace, id: randomUUID(), traceId: traceBytes(2) });
    expect(rowsOf(tenant, 'version, superseded', null)).toEqual([
      { version: 1, superseded: 1 },
      { version: 1, superseded: 0 },
      { version: 2, superseded: 0 },
    ]);
  });

  it("touches no other application's, even with the same ids", () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const test = newTest(tenant);
    save(tenant, evalOf(test, DEFINITION, verdict(true)));
    save(other, evalOf(test, DEFINITION, verdict(false)));
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 1 });
    expect(rowsOf(tenant, 'superseded', test.id)).toEqual([{ superseded: 0 }]);
  });
});

describe('deleting a trace', () => {
  const TEXTS = { results: { quote: 'secret' }, reason: 'secret', judge: { raw: 'secret' } };

  it('takes along what judges wrote of it, and ends what is not judged yet', () => {
    const tenant = newTenant();
    const [test, other] = [newTest(tenant, { id: uuid(0x51) }), newTest(tenant)];
    tenant.store([{ trace: 1, id: 1, attributes: { 'service.test.id': test.id } }]);
    tenant.store([{ trace: 2, id: 1 }]);
    const waiting = evalOf(test, SECOND, { traceId: traceBytes(1) });
    const ofTrace = { ...PENDING_EVAL, ...TEXTS, ...verdict(true), definitionId: DEFINITION };
    save(
      tenant,
      { ...evalOf(test, DEFINITION, verdict(true)), ...TEXTS },
      waiting,
      { ...evalOf(other, DEFINITION, verdict(true)), ...TEXTS },
      { ...ofTrace, id: randomUUID(), traceId: traceBytes(1) },
      { ...ofTrace, id: randomUUID(), traceId: traceBytes(2) },
    );
    tenant.delete(1);
    save(tenant, { ...waiting, ...verdict(true), ...TEXTS });
    save(tenant, { ...ofTrace, id: randomUUID(), traceId: traceBytes(1) });
    const COLUMNS = 'status, passed, results, reason, judge';
    const emptied = { status: 'COMPLETED', passed: 1, results: null, reason: null, judge: null };
    const skipped = { ...emptied, status: 'SKIPPED', passed: null, reason: 'The trace was deleted.' };
    expect(rowsOf(tenant, COLUMNS, test.id)).toEqual(expect.arrayContaining([emptied, skipped]));
    expect(rowsOf(tenant, COLUMNS, other.id)).toMatchObject([{ reason: 'secret' }]);
    const traces = rowsOf(
      tenant,
      `trace_id = x'${traceBytes(1).toString('hex')}' AS isDeleted, reason`,
      null,
    );
    expect(traces).toHaveLength(2);
    expect(traces).toEqual(
      expect.arrayContaining([
        { isDeleted: 1, reason: null },
        { isDeleted: 0, reason: 'secret' },
      ]),
    );
    expect(countsOf(tenant, test)).toMatchObject({ finished: 1, passed: 1 });
  });
});

describe('the result of tests', () => {
  const failure = (code: 'webhook_status' | 'cancelled') => ({
    status: 'FAILED' as const,
    failure: { code, message: '', hint: '' },
  });

  it('is the mean over tests, with failures of the app as 0 of 1, of a run, a variant and each test alike', () => {
    const tenant = newTenant();
    const { database, application } = tenant;
    const run: StoredRun = {
      id: randomUUID(),
      taskId: randomUUID(),
      type: 'EXPERIMENT',
      experimentVariantId: randomUUID(),
      createdAt: BASE_MS,
    };
    storeRun(database, application, run);
    const tests = [{}, {}, failure('webhook_status'), failure('cancelled'), {}].map((more): StoredTest => {
      const test: StoredTest = { id: randomUUID(), run, status: 'COMPLETED', createdAt: BASE_MS, ...more };
      storeTest(database, application, test);
      return test;
    }) as [StoredTest, StoredTest, StoredTest, StoredTest, StoredTest];
    for (const [id, name] of [
      [DEFINITION, 'Kind'],
      [SECOND, 'True'],
    ] as const)
      storeDefinition(database, application, { id, name });
    save(
      tenant,
      evalOf(tests[0], DEFINITION, verdict(true, 0.9)),
      evalOf(tests[0], SECOND, verdict(false, 0.3)),
    );
    save(
      tenant,
      evalOf(tests[1], DEFINITION, verdict(true)),
      evalOf(tests[1], SECOND, { status: 'SKIPPED' }),
    );
    // Of tests that failed nothing is read but how they failed.
    save(tenant, evalOf(tests[2], DEFINITION, verdict(true)), evalOf(tests[3], DEFINITION, verdict(true)));

    const whole = { passed: 2, failed: 2, total: 4, passRate: 50, averageScore: 0.733333333333 };
    const byRun = { application, by: 'run_id' as const, ids: [run.id, 'none'] };
    expect(resultsOf(database, byRun)).toEqual(
      new Map([
        [run.id, whole],
        ['none', NO_RESULT],
      ]),
    );
    const variantId = run.experimentVariantId as string;
    const byVariant = { by: 'experiment_variant_id' as const, ids: [variantId] };
    expect(resultsOf(database, { application, ...byVariant }).get(variantId)).toEqual(whole);
    expect(resultsOf(database, { application: application + 1, ...byVariant }).get(variantId)).toEqual(
      NO_RESULT,
    );
    const each = resultsOf(database, { application, by: 'id', ids: tests.map(({ id }) => id) });
    expect([...each.values()]).toEqual([
      { passed: 1, failed: 1, total: 2, passRate: 50, averageScore: 0.6 },
      { passed: 1, failed: 0, total: 1, passRate: 100, averageScore: 1 },
      { passed: 0, failed: 1, total: 1, passRate: 0, averageScore: null },
      NO_RESULT,
      NO_RESULT,
    ]);
    const kind = { id: DEFINITION, name: 'Kind', type: 'CUSTOM', passed: 2, failed: 0, total: 2 };
    const right = { id: SECOND, name: 'True', type: 'CUSTOM', passed: 0, failed: 1, total: 1 };
    const definitions = [
      { ...kind, passRate: 100, averageScore: 0.95 },
      { ...right, passRate: 0, averageScore: 0.3 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1));
    const ids = [run.id, 'none'];
    const sums = definitionSumsOf(database, { application, ids });
    expect(resultsOfRuns(database, { application, ids, sums })).toEqual(
      new Map([
        [run.id, { result: whole, definitions }],
        ['none', { result: NO_RESULT, definitions: [] }],
      ]),
    );
  });
});
