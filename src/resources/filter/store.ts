import type { FilterScreen } from '../../filter/fields.ts';
import type { RequestedFilter } from '../../filter/query.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import { bytesOf, orderedJoin, uuidOf } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { testConditions } from '../../tests/filter-terms.ts';
import { storedOutcome } from '../../traces/filter/of-tests.ts';
import { TraceWhere } from '../../traces/trace-where.ts';
import { type CountedValue, completions } from './suggest.ts';

/** Newest matches that are counted. */
const MAX_COUNTED = 2_000;
/** Most values of a field that are suggested, the most frequent first. */
const MAX_VALUES = 50;
/** Limits of a search through steps for suggestions, which must be quick. */
const LIMITS = { traces: 500, bytes: 2 * 1024 * 1024, milliseconds: 50 };

interface CountValues {
  application: number;
  screen: FilterScreen;
  filter: RequestedFilter;
  field: string;
  key: string | null;
  /** Beginning of a word or of a phrase of the input, the output, or both (`text`); null for values of the field. */
  written: string | null;
}

/** Characters of the beginning of a prompt that are read. Previews of traces have as many. */
const MAX_TEXT = 300;

/** Returns the most frequent values of a field among the newest records that meet a filter. */
function countFilterValues(database: Database, args: CountValues): CountedValue[] {
  return args.screen === 'tests' || args.screen === 'results'
    ? ofTests(database, args)
    : ofTraces(database, args);
}

const JOIN_TASK = `${orderedJoin} task ON task.application = test.application AND task.id = test.task_id`;

/** SQL of the values of fields, joined to rows of `test`. */
const OF_TESTS: Readonly<Record<string, { value: string; join?: string }>> = {
  task: { value: 'task.title', join: JOIN_TASK },
  name: { value: 'task.title', join: JOIN_TASK },
  topic: {
    value: 'topic.title',
    join: `${JOIN_TASK} ${orderedJoin} topic ON topic.application = test.application AND topic.id = task.topic_id`,
  },
  run: { value: 'test.run_id' },
  example: { value: 'CAST(test.example_index + 1 AS TEXT)' },
  outcome: { value: storedOutcome('outcome') },
  cause: { value: storedOutcome('cause') },
};

/** SQL of the values of fields of rows of `eval`. */
const OF_VERDICTS: Readonly<Record<string, string>> = {
  evaluator: 'definition.name',
  verdict: `CASE WHEN eval.status IN ('FAILED', 'SKIPPED') THEN 'none' WHEN eval.status <> 'COMPLETED' THEN NULL
    WHEN passed = 1 THEN 'pass' WHEN passed = 0 THEN 'fail' END`,
};

const JOIN_DEFINITION =
  'JOIN definition ON definition.application = eval.application AND definition.id = eval.definition_id';

function ofTests(database: Database, { application, filter, field, written }: CountValues): CountedValue[] {
  const where = testConditions({ database, application, at: filter.at }, filter.terms);
  const newest: SqlFragment = {
    sql: `SELECT id FROM test WHERE ${['application = ?', ...where.map(({ sql }) => sql)].join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ${MAX_COUNTED}`,
    values: [application, ...where.flatMap(({ values }) => values)],
  };
  if (written !== null) return ofTestTexts(database, { application, field, written, newest });
  const known = OF_TESTS[field];
  if (known)
    return counted(
      database,
      `SELECT ${known.value} AS value FROM test ${known.join ?? ''}
      WHERE test.application = ? AND test.id IN (${newest.sql})`,
      [application, ...newest.values],
    );
  const value = OF_VERDICTS[field];
  if (value === undefined) return [];
  return counted(
    database,
    `SELECT DISTINCT ${value} AS value, eval.test_id FROM eval ${JOIN_DEFINITION}
    WHERE eval.application = ? AND superseded = 0 AND eval.test_id IN (${newest.sql})`,
    [application, ...newest.values],
  );
}

interface TextRow {
  input: string | null;
  output: string | null;
}

/** Returns the texts of a row that a field is about. */
const textsOf =
  (field: string) =>
  ({ input, output }: TextRow): (string | null)[] =>
    field === 'input' ? [input] : field === 'output' ? [output] : [input, output];

function ofTestTexts(
  database: Database,
  {
    application,
    field,
    written,
    newest,
  }: Pick<CountValues, 'application' | 'field'> & { written: string; newest: SqlFragment },
): CountedValue[] {
  const output =
    field === 'input'
      ? 'NULL'
      : `(SELECT output FROM trace_test JOIN trace_preview USING (tkey)
          WHERE trace_test.application = test.application AND trace_test.test_id = ${bytesOf('test.id')}
          ORDER BY output_rank, output_ns DESC LIMIT 1)`;
  const rows = database.all<TextRow>(
    `SELECT substr(prompt, 1, ${MAX_TEXT}) AS input, ${output} AS output FROM test
     WHERE test.application = ? AND test.id IN (${newest.sql})`,
    application,
    ...newest.values,
  );
  return completions(rows.map(textsOf(field)), written);
}

function ofTraces(
  database: Database,
  { application, screen, filter, field, key, written }: CountValues,
): CountedValue[] {
  const options = { limits: LIMITS, isContinued: true };
  const where = new TraceWhere(
    database,
    application,
    { q: filter, includeSamples: screen === 'sessions' },
    options,
  );
  const newest = (columns: string): SqlFragment => ({
    sql: `SELECT ${columns} FROM trace WHERE ${where.sql} ORDER BY start_ns DESC, trace_id DESC LIMIT ${MAX_COUNTED}`,
    values: where.values,
  });
  if (written !== null) {
    const rows = database.all<TextRow>(
      `SELECT input, output FROM trace_preview WHERE tkey IN (${newest('tkey').sql})`,
      ...where.values,
    );
    return completions(rows.map(textsOf(field)), written);
  }
  const known = OF_TESTS[field];
  if (known)
    return counted(
      database,
      `SELECT DISTINCT ${known.value} AS value, trace_test.tkey FROM trace_test
      JOIN test ON test.application = trace_test.application AND test.id = ${uuidOf('test_id')} ${known.join ?? ''}
      WHERE trace_test.application = ? AND trace_test.tkey IN (${newest('tkey').sql})`,
      [application, ...where.values],
    );
  const value = OF_VERDICTS[field];
  if (value !== undefined)
    return counted(
      database,
      `SELECT DISTINCT ${value} AS value, eval.trace_id FROM eval ${JOIN_DEFINITION}
      WHERE eval.application = ? AND superseded = 0 AND eval.trace_id IN (${newest('trace_id').sql})`,
      [application, ...where.values],
    );
  const { sql, values } = newest(
    'root_name AS "rootName", error_count AS "errorCount", attributes, session_id AS "sessionId", user_id AS "userId"',
  );
  return mostFrequent(database.all<TraceRow>(sql, ...values), field, key);
}

interface TraceRow {
  rootName: string;
  errorCount: number;
  attributes: string;
  sessionId: string | null;
  userId: string | null;
}

function mostFrequent(rows: readonly TraceRow[], field: string, key: string | null): CountedValue[] {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const value of new Set(valuesOf(row, field, key))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}

function valuesOf(row: TraceRow, field: string, key: string | null): string[] {
  switch (field) {
    case 'name':
      return [row.rootName];
    case 'error':
      return [row.errorCount > 0 ? 'yes' : 'no'];
    case 'session':
      return row.sessionId === null ? [] : [row.sessionId];
    case 'user':
      return row.userId === null ? [] : [row.userId];
    default: {
      const wanted = field === 'metadata' ? `metadata.${key ?? ''}` : field;
      const pairs = JSON.parse(row.attributes) as [key: string, value: string][];
      return pairs.filter(([name]) => name === wanted).map(([, value]) => value);
    }
  }
}

/** Counts the values that a query returns. */
function counted(database: Database, query: string, values: readonly SqlValue[]): CountedValue[] {
  return database.all<CountedValue>(
    `SELECT value, count(*) AS count FROM (${query}) AS found WHERE value IS NOT NULL
     GROUP BY value ORDER BY count DESC, value LIMIT ${MAX_VALUES}`,
    ...values,
  );
}

export const filterQueries = { countFilterValues };
