import type { Owner } from '../../contract/owner.ts';
import { NO_RESULT, type Result, resultsOf } from '../../evaluate/results.ts';
import type { Database } from '../../storage/database.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import { outcomesOfTests, type StoredOutcome } from '../../tests/outcome/outcome-store.ts';
import type { listedTests } from '../../tests/record.ts';
import { evalsOfTests } from '../evals/record.ts';
import { tasks } from '../tasks/record.ts';
import type { ListedTest, TestSummary } from './contract.ts';
import { firstTraces } from './first-traces.ts';

/** Returns tests with their results, in the order of their rows. */
export function withResults<T extends FieldsOf<typeof listedTests>>(
  database: Database,
  owner: Owner,
  records: readonly T[],
) {
  const ids = records.map(({ id }) => id);
  const results = resultsOf(database, { application: owner.application, by: 'id', ids });
  return records.map((one) => ({ ...owned(one, owner), result: results.get(one.id) ?? NO_RESULT }));
}

/** Returns the result of a test as the API shows it; null when nothing counts. */
const shownResult = ({ passRate, averageScore, ...counts }: Result): TestSummary['result'] =>
  passRate === null ? null : { ...counts, passRate, averageScore: averageScore ?? 0 };

/** Returns tests as other records show them, in the order of their rows. */
export const testSummaries = <T extends FieldsOf<typeof listedTests>>(
  database: Database,
  owner: Owner,
  records: readonly T[],
): (T & TestSummary)[] => {
  const outcomes = outcomesOfTests(database, owner.application, records);
  return withResults(database, owner, records).map((test) => ({
    ...test,
    result: shownResult(test.result),
    ...(outcomes.get(test.id) as StoredOutcome),
  }));
};

const heads = tasks.pick('id', 'title', 'topicId');

/** Adds the task and the first trace of each test. */
export function withTaskAndTrace<T extends TestSummary>(
  database: Database,
  { application }: Owner,
  records: readonly T[],
): (T & Pick<ListedTest, 'task' | 'traceId'>)[] {
  const titles = heads.byIds(database, application, new Set(records.map(({ taskId }) => taskId)));
  const traces = firstTraces(
    database,
    application,
    records.map(({ id }) => id),
  );
  return records.map((test) => ({
    ...test,
    task: titles.get(test.taskId) ?? { id: test.taskId, title: '', topicId: null },
    traceId: traces.get(test.id) ?? null,
  }));
}

/** Returns tests as lists show them, in the order of their rows. */
export function shownInList(
  database: Database,
  owner: Owner,
  records: readonly FieldsOf<typeof listedTests>[],
): ListedTest[] {
  const evals = evalsOfTests(
    database,
    owner,
    records.map(({ id }) => id),
  );
  const tests = withTaskAndTrace(database, owner, testSummaries(database, owner, records));
  return tests.map((test) => ({ ...test, evals: evals.get(test.id) ?? [] }));
}
