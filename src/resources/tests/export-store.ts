import type { Owner } from '../../contract/owner.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import { bytesOf, each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import type { FieldsOf } from '../../storage/record.ts';
import { shownTests } from '../../tests/record.ts';
import type { RowPage } from '../exports/export-stream.ts';
import { pageOfPlaces } from '../exports/page-of-places.ts';
import { type TestsFilter, testsThat } from './filter.ts';
import { withResults } from './listed-tests.ts';

/** Most characters of the reason of a verdict. */
const MAX_REASON = 300;

/** Verdict of a definition on a test. */
export interface ExportedVerdict {
  definition: string;
  type: string;
  definitionVersion: number;
  status: string;
  passed: boolean | null;
  score: number | null;
  reason: string | null;
}

/** A test with its current verdicts. */
export type ExportedTest = ReturnType<typeof withResults<FieldsOf<typeof shownTests>>>[number] & {
  taskTitle: string | null;
  exampleKey: string | null;
  /** Beginning of the output of the app; null when no span reports any. */
  output: string | null;
  verdicts: ExportedVerdict[];
};

export interface TestPlace {
  createdAt: number;
  id: string;
}

interface ExportTests {
  owner: Owner;
  filter: TestsFilter;
  after: TestPlace | null;
  limit: number;
}

/** Returns the tests that follow a place, the newest first. */
function exportTests(
  database: Database,
  { owner, filter, after, limit }: ExportTests,
): RowPage<ExportedTest, TestPlace> {
  const { application } = owner;
  const where = [
    { sql: 'application = ?', values: [application] },
    ...testsThat(database, application, filter),
    ...(after ? [{ sql: '(created_at, id) < (?, ?)', values: [after.createdAt, after.id] }] : []),
  ];
  const values: SqlValue[] = where.flatMap((one) => [...one.values]);
  const places = database.all<TestPlace & { characters: number }>(
    `SELECT created_at AS createdAt, id, length(prompt) + coalesce(length(metadata), 0) AS characters
     FROM test WHERE ${where.map(({ sql }) => sql).join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...values,
    limit,
  );
  const some = pageOfPlaces(places);
  const ids = some.map(({ id }) => id);
  const found = shownTests.byIds(database, application, ids);
  const tests = withResults(
    database,
    owner,
    ids.flatMap((id) => found.get(id) ?? []),
  );
  const verdictsOf = verdictsOfTests(database, { application, ids });
  const aboutOf = aboutTests(database, { application, ids });
  const end = some.at(-1);
  const isLast = some.length === places.length && places.length < limit;
  return {
    rows: tests.map((test) => ({ ...test, ...aboutOf(test.id), verdicts: verdictsOf(test.id) })),
    last: end && !isLast ? { createdAt: end.createdAt, id: end.id } : null,
  };
}

interface OfTests {
  application: number;
  ids: readonly string[];
}

/** Returns the current verdicts of tests, by the name of the definition. */
function verdictsOfTests(
  database: Database,
  { application, ids }: OfTests,
): (testId: string) => ExportedVerdict[] {
  const rows = database.all<Omit<ExportedVerdict, 'passed'> & { testId: string; passed: number | null }>(
    `SELECT test_id AS testId, definition.name AS definition, definition_type AS type,
       definition_version AS definitionVersion, eval.status, passed, score, substr(reason, 1, ${MAX_REASON}) AS reason
     FROM eval JOIN definition ON definition.application = eval.application AND definition.id = definition_id
     WHERE eval.application = :application AND test_id IN ${valuesOf(':ids')} AND superseded = 0
     ORDER BY definition.name, definition_id`,
    { application, ids: JSON.stringify(ids) },
  );
  const byTest = Map.groupBy(rows, ({ testId }) => testId);
  return (testId) =>
    (byTest.get(testId) ?? []).map(({ testId: _testId, passed, ...verdict }) => ({
      ...verdict,
      passed: passed === null ? null : passed === 1,
    }));
}

type About = Pick<ExportedTest, 'taskTitle' | 'exampleKey' | 'output'>;

/** Returns what tests refer to. A test with several traces has the output of the one whose span has precedence. */
function aboutTests(database: Database, { application, ids }: OfTests): (testId: string) => About {
  const rows = database.all<About & { testId: string }>(
    `SELECT test.id AS testId, task.title AS taskTitle, example.key AS exampleKey,
       (SELECT output FROM trace_test JOIN trace_preview USING (tkey)
        WHERE trace_test.application = :application AND trace_test.test_id = ${bytesOf('test.id')}
        ORDER BY output_rank, output_ns DESC LIMIT 1) AS output
     FROM ${each(':ids')} ${orderedJoin} test ON test.application = :application AND test.id = value
       LEFT JOIN task ON task.application = :application AND task.id = test.task_id
       LEFT JOIN example ON example.application = :application AND example.id = example_id`,
    { application, ids: JSON.stringify(ids) },
  );
  const byId = new Map(rows.map(({ testId, ...about }) => [testId, about]));
  return (testId) => byId.get(testId) ?? { taskTitle: null, exampleKey: null, output: null };
}

export const exportTestQueries = { exportTests };
