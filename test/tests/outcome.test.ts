import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { reopenTest } from '../../src/tests/evaluation.ts';
import { FAILURE_CODES } from '../../src/tests/failures.ts';
import { DERIVED_OF_TESTS } from '../../src/tests/outcome/derived-rows.ts';
import { fillSome } from '../../src/tests/outcome/fill-store.ts';
import { decideOutcome, type CurrentVerdict } from '../../src/tests/outcome/outcome.ts';
import { outcomesOfTests } from '../../src/tests/outcome/outcome-store.ts';
import { storeVerifiedJudges } from '../../src/tests/outcome/verified-judges.ts';
import { removeTests } from '../../src/tests/remove-tests.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { storeRun, storeTask, storeTest, type StoredTest } from '../support/stored-tests.ts';

const AT = 1_800_000_000_000;

describe('the outcome of a test', () => {
  const one = (letter: string, index: number): CurrentVerdict => {
    const isBlocking = letter === letter.toUpperCase();
    const status = { S: 'SKIPPED', E: 'FAILED' }[letter.toUpperCase()] ?? 'COMPLETED';
    const passed = status === 'COMPLETED' ? letter.toUpperCase() === 'P' : null;
    return { definitionId: `d${index}`, definitionType: 'CUSTOM', isBlocking, status, passed, results: null };
  };
  // P passed, F did not, S skipped, E without verdict; capitals are blocking.
  it.each([
    ['P', 'PASSED', 'BLOCKING', null],
    ['PP', 'PASSED', 'BLOCKING', null],
    ['PF', 'FAILED', 'BLOCKING', 'verdict:d1'],
    ['FF', 'FAILED', 'BLOCKING', 'verdict:d0'],
    ['Pf', 'PASSED', 'BLOCKING', null],
    ['Ps', 'PASSED', 'BLOCKING', null],
    ['PS', 'NO_VERDICT', 'BLOCKING', 'none:d1:SKIPPED'],
    ['E', 'NO_VERDICT', 'BLOCKING', 'none:d0:FAILED'],
    ['SF', 'FAILED', 'BLOCKING', 'verdict:d1'],
    ['pf', 'FAILED', 'ALL', 'verdict:d1'],
    ['pp', 'PASSED', 'ALL', null],
    ['ps', 'NO_VERDICT', 'ALL', 'none:d1:SKIPPED'],
    ['', 'NO_VERDICT', null, 'none'],
  ])('of verdicts %s is %s by %s', (letters, outcome, basis, causeKey) => {
    const verdicts = letters.split('').map(one);
    expect(decideOutcome({ status: 'COMPLETED', failure: null, verdicts })).toEqual({
      outcome,
      basis,
      causeKey,
    });
  });

  it.each(
    FAILURE_CODES.map((code) => {
      const isOfApp = ['webhook_status', 'webhook_timeout', 'trace_missing'].includes(code);
      const hasNoVerdict = ['evaluation_error', 'trace_deleted'].includes(code);
      return [code, isOfApp ? 'APP_ERROR' : hasNoVerdict ? 'NO_VERDICT' : 'NOT_RUN'] as const;
    }),
  )('that failed with %s is %s', (code, outcome) => {
    const failure = { code, message: 'The webhook responded with status 503: “status 200”', hint: '' };
    const causeKey = `failure:${code}${code === 'webhook_status' ? ':503' : ''}`;
    expect(decideOutcome({ status: 'FAILED', failure, verdicts: [] })).toEqual({
      outcome,
      basis: null,
      causeKey,
    });
  });

  const check = (type: string, passed: boolean, weight = 1) => ({ type, passed, weight });
  it.each([
    [
      'ASSERT',
      { assertions: [check('contains', true), check('cost', false, 0), check('json', false)] },
      ':2:json',
    ],
    ['ASSERT', { assertions: [check('contains', true)] }, ''],
    ['ASSERT', null, ''],
    ['FACT', { falsePositives: [], falseNegatives: [{}] }, ':missing'],
    ['FACT', { falsePositives: [{}], falseNegatives: [] }, ':contradicted'],
    ['FACT', { falsePositives: [{}], falseNegatives: [{}] }, ':missing+contradicted'],
    ['FACT', null, ''],
    ['CUSTOM', { verdict: 'no' }, ''],
  ])('names what failed in %s %j', (definitionType, results, signature) => {
    const failed = { ...one('F', 0), definitionType, results };
    expect(decideOutcome({ status: 'COMPLETED', failure: null, verdicts: [failed] }).causeKey).toBe(
      `verdict:d0${signature}`,
    );
  });
});

describe('stored outcomes', () => {
  const store = useStore();
  let tenant: Tenant;
  let test: StoredTest;
  let ruleId: string;
  let judgeId: string;
  const hooks = { onTestEnded: [], onTestReopened: [], onOutcomeFilled: [] };

  beforeEach(() => {
    tenant = store.newTenant();
    const { database, application } = tenant;
    [ruleId, judgeId] = [randomUUID(), randomUUID()];
    const run = { id: randomUUID(), taskId: randomUUID(), createdAt: AT };
    storeTask(database, application, run.taskId);
    storeRun(database, application, run);
    storeDefinition(database, application, { id: ruleId, type: 'ASSERT' });
    storeDefinition(database, application, { id: judgeId, type: 'CUSTOM' });
    test = { id: randomUUID(), run, status: 'COMPLETED', createdAt: AT, exampleIndex: 0 };
    storeTest(database, application, test);
  });

  const save = (...evals: SavedEval[]): void => {
    const { database, application } = tenant;
    database.transaction(() => saveEvals(database, { application, evals, at: AT }));
  };
  const stored = () => {
    const { database, application } = tenant;
    return database.get<object>(
      'SELECT outcome, basis, cause FROM test_result WHERE application = ? AND test_id = ?',
      application,
      test.id,
    );
  };
  const version = (): number =>
    tenant.database.get<{ version: number }>(
      'SELECT results_version AS version FROM run WHERE id = ?',
      test.run.id,
    )?.version as number;
  const fillAll = (): void => {
    while (fillSome(tenant.database, { now: AT }, hooks));
  };
  const faults = (): unknown[] => DERIVED_OF_TESTS.flatMap((rows) => rows.find(tenant.database, 100));

  it('follow the verdicts, each with a new version of the results of the run', () => {
    save(evalOf(test, ruleId, { ...verdict(false), definitionType: 'ASSERT' }));
    expect(stored()).toEqual({ outcome: 'FAILED', basis: 'BLOCKING', cause: `verdict:${ruleId}` });
    const before = version();
    save(evalOf(test, ruleId, { ...verdict(true), definitionType: 'ASSERT' }));
    expect(stored()).toEqual({ outcome: 'PASSED', basis: 'BLOCKING', cause: null });
    expect(version()).toBeGreaterThan(before);
  });

  it('are none while a test runs again', () => {
    save(evalOf(test, ruleId, verdict(true)));
    const { database, application } = tenant;
    reopenTest(database, { application, testId: test.id, evals: 1, at: AT + 1 }, hooks);
    expect(stored()).toBeUndefined();
    const found = outcomesOfTests(database, application, [{ id: test.id, status: 'IN_PROGRESS' }]);
    expect(found.get(test.id)).toEqual({ outcome: 'RUNNING', outcomeBasis: null, causeKey: null });
  });

  it('take the verdict of a judge as blocking once people have verified it, and no longer when that ends', () => {
    const { database, application } = tenant;
    save(
      evalOf(test, judgeId, verdict(false)),
      evalOf(test, ruleId, { ...verdict(true), definitionType: 'ASSERT' }),
    );
    expect(stored()).toMatchObject({ outcome: 'PASSED', basis: 'BLOCKING' });
    storeVerifiedJudges(database, { application, definitionIds: [judgeId] });
    fillAll();
    expect(stored()).toEqual({ outcome: 'FAILED', basis: 'BLOCKING', cause: `verdict:${judgeId}` });
    storeVerifiedJudges(database, { application, definitionIds: [] });
    fillAll();
    expect(stored()).toMatchObject({ outcome: 'PASSED' });
  });

  it('are computed for tests of an older store, and shown before that', () => {
    const { database, application } = tenant;
    save(evalOf(test, judgeId, verdict(false)));
    database.run('DELETE FROM test_result WHERE application = ?', application);
    database.run(`INSERT INTO outcome_fill (application, definition_id) VALUES (?, '')`, application);
    const shown = outcomesOfTests(database, application, [{ id: test.id, status: 'COMPLETED' }]);
    expect(shown.get(test.id)).toMatchObject({ outcome: 'FAILED', outcomeBasis: 'ALL' });
    expect(faults()).toEqual([]);
    fillAll();
    expect(stored()).toEqual({ outcome: 'FAILED', basis: 'ALL', cause: `verdict:${judgeId}` });
  });

  it('that are wrong are found and computed again', () => {
    const { database, application } = tenant;
    save(evalOf(test, judgeId, verdict(false)));
    expect(faults()).toEqual([]);
    database.run(`UPDATE test_result SET outcome = 'PASSED' WHERE application = ?`, application);
    const found = faults();
    expect(found).toMatchObject([{ testId: test.id }]);
    for (const rows of DERIVED_OF_TESTS) for (const row of found) rows.repair(database, row);
    expect(faults()).toEqual([]);
  });

  it('are deleted with their tests', () => {
    const { database, application } = tenant;
    save(evalOf(test, judgeId, verdict(false)));
    removeTests(database, { application, testIds: [test.id] }, { beforeTestsRemoved: [] });
    expect(stored()).toBeUndefined();
  });
});
