import type { Owner } from '../../contract/owner.ts';
import { paginate } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import type { TestOutcome } from '../../tests/outcome/outcome.ts';
import { causeTitles } from './cause-titles.ts';
import type { ResultFilter, ResultRow, Results, ResultsPage } from './contract.ts';
import { resultIndexOf } from './result-cache.ts';
import { definitionCounts, resultColumns } from './result-definitions.ts';
import { matchingExamples } from './result-filter.ts';
import { groupedExamples } from './result-groups.ts';
import type { IndexedExample, IndexedSide } from './result-index.ts';
import { causeCounts, lastSide, ordered } from './result-order.ts';
import { resultRows } from './result-rows.ts';
import { hiddenTests, shownExamples } from './shown-examples.ts';
import { loadSideRuns } from './result-sides.ts';

/** Most causes that are counted by name. */
const MAX_CAUSES = 200;

/** Returns a page of results. Throws `not_found` for a run or a variant. */
function listResults(database: Database, { owner, query }: { owner: Owner; query: ResultsPage }): Results {
  const { application } = owner;
  const { side, skip, limit, text } = query;
  const sides = loadSideRuns(database, application, side);
  const index = resultIndexOf(database, application, sides);
  const { definitions, definitionIds } = index;
  const { seenBy } = query;
  const examples = shownExamples(database, index.examples, { application, seenBy, sides });
  const hidden = hiddenTests(database, { application, seenBy, sides: sides.slice(-1) });
  const { skip: _skip, limit: _limit, text: _text, groupBy, orderBy: _by, orderDir: _dir, ...filter } = query;
  const matching = matchingExamples(database, index, { application, filter, sides });
  const grouped = groupBy && groupedExamples(database, application, matching, groupBy);
  const page = (grouped?.examples ?? ordered(matching, query)).slice(skip, skip + limit);
  const causes = causeFacet(examples);
  const keys = [
    ...causes.map(({ key }) => key),
    ...page.flatMap((example) => example.sides.flatMap((one) => one?.causeKey ?? [])),
  ];
  const titleOf = causeTitles(database, application, new Set(keys));
  return {
    data: resultRows(database, page, { application, text, titleOf, groupOf: grouped?.groupOf }),
    pagination: paginate({ skip, limit }, matching.length),
    columns: resultColumns(database, application, definitionIds),
    facets: {
      outcomes: outcomeFacet(examples),
      changes: changeFacet(examples),
      causes: causes.map((cause) => ({ ...cause, title: titleOf(cause.key) })),
      definitions:
        hidden.size === 0
          ? [...definitions]
          : definitionCounts(database, { application, runIds: sides.at(-1)?.runIds ?? [], hidden }),
    },
  };
}

function outcomeFacet(examples: readonly IndexedExample[]): Results['facets']['outcomes'] {
  const counts = { FAILED: 0, APP_ERROR: 0, NO_VERDICT: 0, NOT_RUN: 0, RUNNING: 0, PASSED: 0 };
  for (const example of examples) {
    const outcome = lastSide(example)?.outcome;
    if (outcome) counts[outcome] += 1;
  }
  return counts;
}

function changeFacet(examples: readonly IndexedExample[]): Results['facets']['changes'] {
  const counts = { REGRESSED: 0, FIXED: 0, BOTH_FAILED: 0, ONE_SIDE: 0, BOTH_PASSED: 0, OUTPUT_CHANGED: 0 };
  for (const { change, isOutputChanged } of examples) {
    if (change) counts[change] += 1;
    if (isOutputChanged) counts.OUTPUT_CHANGED += 1;
  }
  return counts;
}

function causeFacet(
  examples: readonly IndexedExample[],
): { key: string; outcome: TestOutcome; count: number }[] {
  const outcomes = new Map<string, TestOutcome>();
  for (const example of examples) {
    const side = lastSide(example);
    if (side?.causeKey != null) outcomes.set(side.causeKey, side.outcome);
  }
  return [...causeCounts(examples)]
    .map(([key, count]) => ({ key, outcome: outcomes.get(key) as TestOutcome, count }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_CAUSES);
}

interface ExportResults {
  owner: Owner;
  filter: ResultFilter;
  /** Number of examples that were read. */
  after: number | null;
  limit: number;
}

/** Characters of each text in a file. */
const EXPORT_TEXT = 4_000;

/** Returns the results that follow a number of them. */
function exportResults(
  database: Database,
  { owner: { application }, filter, after, limit }: ExportResults,
): { rows: ResultRow[]; last: number | null } {
  const sides = loadSideRuns(database, application, filter.side);
  const index = resultIndexOf(database, application, sides);
  const matching = matchingExamples(database, index, { application, filter, sides });
  const from = after ?? 0;
  const page = matching.slice(from, from + limit);
  const titleOf = causeTitles(
    database,
    application,
    new Set(page.flatMap((example) => example.sides.flatMap((one) => one?.causeKey ?? []))),
  );
  return {
    rows: resultRows(database, page, { application, text: EXPORT_TEXT, titleOf }),
    last: from + page.length < matching.length ? from + page.length : null,
  };
}

/** An example with its result on the last side. */
interface SelectedResult {
  taskId: string;
  exampleId: string | null;
  side: IndexedSide;
}

/** Returns the results that meet a filter and have a test on the last side, in the default order. Throws `not_found`. */
export function selectResults(
  database: Database,
  { application, filter }: { application: number; filter: ResultFilter },
): SelectedResult[] {
  const sides = loadSideRuns(database, application, filter.side);
  const index = resultIndexOf(database, application, sides);
  return matchingExamples(database, index, { application, filter, sides }).flatMap((example) => {
    const side = lastSide(example);
    return side === null ? [] : [{ taskId: example.taskId, exampleId: example.exampleId, side }];
  });
}

export const resultQueries = { listResults, exportResults };
