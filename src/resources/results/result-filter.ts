import type { Database } from '../../storage/database.ts';
import { each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { hiddenTests, shownExamples } from './shown-examples.ts';
import { ifShown, shownTo } from '../../traces/withheld/store.ts';
import { testConditions } from '../../tests/filter-terms.ts';
import type { ResultFilter } from './contract.ts';
import type { ResultIndex } from './result-cache.ts';
import type { IndexedExample } from './result-index.ts';
import { lastSide } from './result-order.ts';
import type { LoadedSide } from './result-sides.ts';

interface Filtering {
  application: number;
  filter: ResultFilter;
  sides: readonly LoadedSide[];
}

/** Returns the ids of the tests of the last side that meet one part of a filter; null if the filter does not have that part. */
type TestCondition = (database: Database, filtering: Filtering) => ReadonlySet<string> | null;

/** Parts of a filter that are about tests. An example is shown if its test of the last side meets all of them. */
const CONDITIONS: readonly TestCondition[] = [testsWithVerdict, testsOfIssues, testsOfLine];

/** Returns the examples of results that meet a filter, in their order. */
export function matchingExamples(
  database: Database,
  index: ResultIndex,
  filtering: Filtering,
): readonly IndexedExample[] {
  const { seenBy, ...filter } = filtering.filter;
  const { application, sides } = filtering;
  const examples = shownExamples(database, index.examples, { application, seenBy, sides });
  // What is withheld differs between callers, and changes with the time.
  // Links, notes and reviews change without a change of the results.
  if (examples !== index.examples || dependsOnPeople(filtering.filter))
    return filterExamples(database, examples, filtering);
  const key = JSON.stringify(filter);
  if (index.filtered?.key !== key)
    index.filtered = { key, examples: filterExamples(database, examples, filtering) };
  return index.filtered.examples;
}

const OF_PEOPLE: ReadonlySet<string> = new Set(['issue', 'note', 'human', 'has']);

const dependsOnPeople = ({ issueId, q }: ResultFilter): boolean =>
  issueId !== undefined || (q?.terms ?? []).some(({ field }) => OF_PEOPLE.has(field));

function filterExamples(
  database: Database,
  examples: readonly IndexedExample[],
  filtering: Filtering,
): readonly IndexedExample[] {
  const { outcome, change, causeKey } = filtering.filter;
  const [outcomes, changes, causes] = [outcome, change, causeKey].map(
    (values) => values && new Set<string>(values),
  );
  const matching = CONDITIONS.flatMap((condition) => condition(database, filtering) ?? []);
  if (!outcomes && !changes && !causes && matching.length === 0) return examples;
  return examples.filter((example) => {
    const side = lastSide(example);
    if (outcomes && !(side && outcomes.has(side.outcome))) return false;
    if (causes && !(side?.causeKey != null && causes.has(side.causeKey))) return false;
    if (changes && !hasChange(example, changes)) return false;
    return matching.every((tests) => side !== null && tests.has(side.testId));
  });
}

const hasChange = ({ change, isOutputChanged }: IndexedExample, changes: ReadonlySet<string>): boolean =>
  (change !== null && changes.has(change)) || (isOutputChanged === true && changes.has('OUTPUT_CHANGED'));

function testsWithVerdict(
  database: Database,
  { application, filter: { definitionId, passed, seenBy }, sides }: Filtering,
): ReadonlySet<string> | null {
  if (definitionId === undefined) return null;
  const hasVerdict = passed === undefined ? 'passed IS NOT NULL' : `passed = ${Number(passed)}`;
  const shown = seenBy ? shownTo(database, { application, ...seenBy }) : null;
  const { sql, values } = ifShown(shown, { sql: hasVerdict, values: [] }, { test: 'test_id' });
  const rows = database.all<{ id: string }>(
    `SELECT test_id AS id FROM ${each('?')} ${orderedJoin} eval ON application = ? AND run_id = value
     WHERE definition_id = ? AND superseded = 0 AND status = 'COMPLETED' AND ${sql}`,
    JSON.stringify(sides.at(-1)?.runIds ?? []),
    application,
    definitionId,
    ...values,
  );
  return new Set(rows.map(({ id }) => id));
}

function testsOfIssues(
  database: Database,
  { application, filter: { issueId, seenBy }, sides }: Filtering,
): ReadonlySet<string> | null {
  if (issueId === undefined) return null;
  const hidden = hiddenTests(database, { application, seenBy, sides: sides.slice(-1) });
  const rows = database.all<{ id: string }>(
    `SELECT test_id AS id FROM issue_link ${orderedJoin} test ON test.application = :application AND test.id = test_id
     WHERE issue_link.application = :application AND issue_id IN ${valuesOf(':issueIds')} AND test_id IS NOT NULL
       AND test.run_id IN ${valuesOf(':runIds')}`,
    {
      application,
      issueIds: JSON.stringify(issueId),
      runIds: JSON.stringify(sides.at(-1)?.runIds ?? []),
    },
  );
  return new Set(rows.flatMap(({ id }) => (hidden.has(id) ? [] : [id])));
}

function testsOfLine(
  database: Database,
  { application, filter: { q, seenBy }, sides }: Filtering,
): ReadonlySet<string> | null {
  if (!q || q.terms.length === 0) return null;
  const shown = seenBy ? shownTo(database, { application, ...seenBy }) : null;
  const where = testConditions({ database, application, at: q.at, shown }, q.terms);
  const rows = database.all<{ id: string }>(
    `SELECT test.id FROM test WHERE test.application = ? AND test.run_id IN ${valuesOf('?')}
       AND ${where.map(({ sql }) => sql).join(' AND ')}`,
    application,
    JSON.stringify(sides.at(-1)?.runIds ?? []),
    ...where.flatMap(({ values }) => values),
  );
  return new Set(rows.map(({ id }) => id));
}
