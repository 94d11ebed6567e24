import type { ById } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { runSets } from '../run-sets/record.ts';
import { issueEvents, issues } from './record.ts';
import type { RunSetIssue } from './run-set-issues-contract.ts';

/** Most issues of a run set that are returned. */
const MAX_ISSUES = 100;
/** Latest events of an issue in which a run of the run set is looked for. */
const MAX_EVENTS = 20;
const SUBSET = /^issue-([1-9]\d{0,8})$/;

const FAILED = "result.outcome IN ('FAILED', 'APP_ERROR')";

interface ExampleRow {
  split: string;
  failed: number;
  passed: number;
  tests: number;
}

/**
 * Returns the issues that a run set concerns: their regression examples were tested, failed tests are linked to them, or a run opened them
 * again. Those that failed come first. Throws `not_found`.
 */
function listRunSetIssues(database: Database, { owner: { application }, id }: ById): RunSetIssue[] {
  runSets.pick('id').require(database, application, id);
  const examples = examplesOf(database, application, id);
  const linked = linkedTestsOf(database, application, id);
  const runIds = new Set(
    database
      .all<{ id: string }>('SELECT id FROM run WHERE application = :application AND run_set_id = :id', {
        application,
        id,
      })
      .map((run) => run.id),
  );
  const found = issues.pick('id', 'number', 'title', 'status', 'priority').all(
    database,
    application,
    `(number IN ${valuesOf(':numbers')} OR id IN ${valuesOf(':ids')})
     ORDER BY number LIMIT ${MAX_ISSUES}`,
    { numbers: JSON.stringify([...examples.keys()]), ids: JSON.stringify([...linked.keys()]) },
  );
  return found
    .map((issue) => ({
      ...issue,
      wasReopened:
        issue.status === 'OPEN' && wasReopenedBy(database, { application, issueId: issue.id, runIds }),
      examples: examples.get(issue.number) ?? { passed: 0, failed: 0, unknown: 0 },
      linkedTests: linked.get(issue.id) ?? 0,
    }))
    .toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ wasReopened, examples, linkedTests }: RunSetIssue): number => {
  if (wasReopened) return 0;
  return examples.failed > 0 ? 1 : linkedTests > 0 ? 2 : 3;
};

/** Returns how the regression examples of issues went, by the number of the issue. */
function examplesOf(
  database: Database,
  application: number,
  runSetId: string,
): Map<number, RunSetIssue['examples']> {
  const rows = database.all<ExampleRow>(
    `SELECT example.split, count(*) AS tests, count(*) FILTER (WHERE ${FAILED}) AS failed,
       count(*) FILTER (WHERE result.outcome = 'PASSED') AS passed
     FROM run
     ${orderedJoin} test_result AS result ON result.application = run.application AND result.run_id = run.id
     ${orderedJoin} example ON example.application = run.application AND example.id = result.example_id
     WHERE run.application = :application AND run.run_set_id = :runSetId
       AND example.split >= 'issue-' AND example.split < 'issue.'
     GROUP BY example.id, example.split`,
    { application, runSetId },
  );
  const found = new Map<number, RunSetIssue['examples']>();
  for (const { split, failed, passed, tests } of rows) {
    const [, digits] = SUBSET.exec(split) ?? [];
    if (digits === undefined) continue;
    const counts = found.get(Number(digits)) ?? { passed: 0, failed: 0, unknown: 0 };
    if (failed > 0) counts.failed += 1;
    else if (passed === tests) counts.passed += 1;
    else counts.unknown += 1;
    found.set(Number(digits), counts);
  }
  return found;
}

/** Returns the numbers of failed tests that are linked to issues, by the id of the issue. */
function linkedTestsOf(database: Database, application: number, runSetId: string): Map<string, number> {
  const rows = database.all<{ issueId: string; n: number }>(
    `SELECT link.issue_id AS "issueId", count(DISTINCT result.test_id) AS n
     FROM run
     ${orderedJoin} test_result AS result ON result.application = run.application AND result.run_id = run.id
     ${orderedJoin} issue_link AS link ON link.application = run.application AND link.test_id = result.test_id
     WHERE run.application = :application AND run.run_set_id = :runSetId AND ${FAILED}
     GROUP BY link.issue_id`,
    { application, runSetId },
  );
  return new Map(rows.map(({ issueId, n }) => [issueId, n]));
}

function wasReopenedBy(
  database: Database,
  { application, issueId, runIds }: { application: number; issueId: string; runIds: ReadonlySet<string> },
): boolean {
  const events = issueEvents
    .pick('kind', 'detail')
    .all(database, application, `issue_id = :issueId ORDER BY created_at DESC, id DESC LIMIT ${MAX_EVENTS}`, {
      issueId,
    });
  const last = events.find(({ kind }) => kind === 'REOPENED');
  return runIds.has(last?.detail.relapse?.runId ?? '');
}

export const runSetIssueQueries = { listRunSetIssues };
