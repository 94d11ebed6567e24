import type { Database } from '../../storage/database.ts';
import { bytesOf, each, jsonField, orderedJoin } from '../../storage/dialect.ts';
import { testContent } from '../../tests/content.ts';
import { withIds } from '../../storage/rows-by-id.ts';
import { firstTraces } from '../tests/first-traces.ts';
import type { ResultGroup, ResultRow, ResultSideRow, ResultVerdict } from './contract.ts';
import type { IndexedExample, IndexedSide } from './result-index.ts';

/** Characters of the output that lists of traces keep. A shorter one is complete. */
const MAX_PREVIEW = 300;

interface Page {
  application: number;
  /** Largest number of characters of each text. */
  text: number;
  titleOf: (causeKey: string) => string;
  /** Returns the group of an example; undefined without groups. */
  groupOf?: ((example: IndexedExample) => ResultGroup) | undefined;
}

/** Returns examples with their texts and verdicts. */
export function resultRows(
  database: Database,
  examples: readonly IndexedExample[],
  { application, text, titleOf, groupOf }: Page,
): ResultRow[] {
  const ids = examples.flatMap(({ sides }) => sides.flatMap((side) => side?.testId ?? []));
  const of = { application, ids, text };
  const inputs = inputsOf(database, of);
  const outputs = outputsOf(database, of);
  const verdicts = verdictsOf(database, of);
  const traces = firstTraces(database, application, ids);
  const expected = expectedOf(database, {
    application,
    text,
    ids: examples.flatMap(({ exampleId }) => exampleId ?? []),
  });
  const shownSide = (side: IndexedSide, place: number): ResultSideRow => {
    const output = outputs.get(side.testId) ?? null;
    const shown = output === null ? null : output.slice(0, text);
    return {
      side: place,
      tests: side.tests,
      passed: side.passed,
      outcome: side.outcome,
      testId: side.testId,
      traceId: traces.get(side.testId) ?? null,
      output: shown,
      isTruncated: output !== null && output.length > text,
      cause: side.causeKey === null ? null : { key: side.causeKey, title: titleOf(side.causeKey) },
      verdicts: (verdicts.get(side.testId) ?? [])
        .slice(0, MAX_VERDICTS)
        .map((row) => shownVerdict(row, shown)),
      durationMs: side.durationMs,
      cost: side.cost,
      tokens: side.tokens,
    };
  };
  return examples.map((example) => {
    const { taskId, exampleId, exampleIndex, sides, change, isOutputChanged } = example;
    const first = sides.find((side) => side !== null);
    return {
      taskId,
      exampleId,
      exampleIndex,
      input: inputs.get(first?.testId ?? '') ?? '',
      expected: expected.get(exampleId ?? '') ?? null,
      isExampleDeleted: exampleId !== null && !expected.has(exampleId),
      change,
      isOutputChanged,
      sides: sides.flatMap((side, place) => (side === null ? [] : [shownSide(side, place)])),
      ...(groupOf && { group: groupOf(example) }),
    };
  });
}

interface OfTests {
  application: number;
  ids: readonly string[];
  text: number;
}

function inputsOf(database: Database, { application, ids, text }: OfTests): Map<string, string> {
  const rows = database.all<{ id: string; input: string }>(
    `SELECT id, substr(prompt, 1, :text) AS input FROM ${withIds('test')}`,
    { application, ids: JSON.stringify(ids), text },
  );
  return new Map(rows.map(({ id, input }) => [id, input]));
}

function expectedOf(database: Database, { application, ids, text }: OfTests): Map<string, string | null> {
  const rows = database.all<{ id: string; expected: string | null }>(
    `SELECT id, expected FROM ${withIds('example')}`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, expected }) => [id, expectedText(expected)?.slice(0, text) ?? null]));
}

function expectedText(stored: string | null): string | null {
  if (stored === null) return null;
  const value: unknown = JSON.parse(stored);
  return typeof value === 'string' ? value : stored;
}

/** Returns outputs, one character longer than shown where they are longer. */
function outputsOf(database: Database, { application, ids, text }: OfTests): Map<string, string> {
  const rows = database.all<{ id: string; output: string | null }>(
    `SELECT value AS id, (SELECT output FROM trace_test JOIN trace_preview USING (tkey)
       WHERE trace_test.application = :application AND trace_test.test_id = ${bytesOf('value')}
       ORDER BY output_rank, output_ns DESC LIMIT 1) AS output
     FROM ${each(':ids')}`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(
    rows.flatMap(({ id, output }) => {
      if (output === null) return [];
      if (output.length < MAX_PREVIEW || text < MAX_PREVIEW) return [[id, output]];
      const complete = testContent(database, { application, testId: id }).output;
      const whole = typeof complete === 'string' ? complete : JSON.stringify(complete);
      return [[id, complete === null ? output : whole.slice(0, text + 1)]];
    }),
  );
}

interface VerdictRow extends Omit<ResultVerdict, 'passed' | 'citations'> {
  testId: string;
  passed: number | null;
  /** Statement of the output that was judged wrong. */
  statement: string | null;
}

/** Verdicts of a test that are shown. */
const MAX_VERDICTS = 50;

function verdictsOf(database: Database, { application, ids, text }: OfTests): Map<string, VerdictRow[]> {
  const missing = jsonField('results', 'falseNegatives[0]', 'statement');
  const statement = jsonField('results', 'falsePositives[0]', 'statement');
  const rows = database.all<VerdictRow>(
    `SELECT test_id AS "testId", eval.id AS "evalId", definition_id AS "definitionId", status, passed, score,
       substr(coalesce(reason, CASE WHEN status <> 'COMPLETED' THEN NULL WHEN passed = 0 AND definition_type = 'FACT' THEN
         coalesce('Missing: ' || (${missing}), 'Not supported: ' || (${statement})) ELSE ${jsonField('results', 'rationale')} END), 1, :text) AS reason,
       CASE WHEN passed = 0 AND definition_type = 'FACT' THEN ${statement} END AS statement
     FROM ${each(':ids')} ${orderedJoin} eval ON eval.application = :application AND test_id = value AND superseded = 0
     ORDER BY definition_id`,
    { application, ids: JSON.stringify(ids), text },
  );
  return Map.groupBy(rows, ({ testId }) => testId);
}

function shownVerdict(
  { testId: _testId, passed, statement, ...verdict }: VerdictRow,
  output: string | null,
): ResultVerdict {
  return {
    ...verdict,
    passed: passed === null ? null : passed === 1,
    citations: statement === null || output === null ? [] : citationsOf(statement, output),
  };
}

/** Finds the statement in the output, if the judge has quoted it. */
function citationsOf(statement: string, output: string): ResultVerdict['citations'] {
  const start = output.toLowerCase().indexOf(statement.toLowerCase());
  return start === -1 ? [] : [{ start, end: start + statement.length }];
}
