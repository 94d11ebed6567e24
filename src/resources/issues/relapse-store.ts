import { isoTime } from '../../contract/values.ts';
import { exampleRelapse, type ExampleRun } from '../../evaluate/statistics/relapse.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin } from '../../storage/dialect.ts';
import { findLiveRelapse } from './live-relapse.ts';
import type { Relapse } from './relapse-contract.ts';
import type { FoundRelapse, KnownDays, ResolvedIssue } from './resolved-issue.ts';

/** Most examples of an issue that are looked at. */
const MAX_EXAMPLES = 200;
/** Newest runs of all its examples that are looked at. */
const MAX_RUNS = 2_000;
/** Share of tests of an example that may fail although the problem is gone. */
const TOLERATED = 0.02;

/** Returns resolved issues of all applications in the order of their keys, those after one of them. */
function listResolved(
  database: Database,
  { after, limit }: { after: Pick<ResolvedIssue, 'application' | 'id'> | null; limit: number },
): ResolvedIssue[] {
  const rows = database.all<Omit<ResolvedIssue, 'resolvedAt'> & { resolution: string | null }>(
    `SELECT application, id, number, eval_definition_id AS "evalDefinitionId", resolution FROM issue
     WHERE status = 'RESOLVED' AND (application, id) > (:application, :id) ORDER BY application, id LIMIT :limit`,
    { application: after?.application ?? 0, id: after?.id ?? '', limit },
  );
  return rows.flatMap(({ resolution, ...issue }) => {
    const { at } = JSON.parse(resolution ?? '{}') as { at?: string };
    return at === undefined ? [] : [{ ...issue, resolvedAt: Date.parse(at) }];
  });
}

/** Looks for evidence, newer than its resolution, that the problem of an issue has come back. Call it in a reader only. */
function findRelapse(
  database: Database,
  { issue, known, now }: { issue: ResolvedIssue; known: KnownDays; now: number },
): FoundRelapse {
  const ofExample = findExampleRelapse(database, issue);
  if (ofExample) return { relapse: ofExample, known };
  return findLiveRelapse(database, { issue, known, now });
}

interface RunRow {
  exampleId: string;
  taskId: string;
  runId: string;
  at: number;
  failed: number;
  judged: number;
  testId: string | null;
}

function findExampleRelapse(
  database: Database,
  { application, number, resolvedAt }: ResolvedIssue,
): Relapse | null {
  const examples = database.all<{ id: string }>(
    `SELECT id FROM example WHERE application = :application AND split = :split AND status = 'ACTIVE'
     ORDER BY id LIMIT ${MAX_EXAMPLES}`,
    { application, split: `issue-${number}` },
  );
  if (examples.length === 0) return null;
  const runs = runsOf(database, { application, ids: examples.map(({ id }) => id), since: resolvedAt });
  const results = runs.map(
    ({ exampleId, failed, judged }): ExampleRun => ({ exampleId, failed: failed / judged }),
  );
  const place = exampleRelapse(results, {
    examples: examples.length,
    tolerated: TOLERATED,
    earlier: runs.length < MAX_RUNS ? 0 : MAX_RUNS,
  });
  return place === null ? null : shownRuns(runs.slice(0, place + 1));
}

/** Returns what a relapse says of the last example that failed. */
function shownRuns(runs: readonly RunRow[]): Relapse | null {
  const decisive = runs.findLast(({ failed }) => failed > 0);
  if (!decisive) return null;
  const { exampleId, taskId, runId, testId } = decisive;
  const own = runs.filter((run) => run.exampleId === exampleId);
  const failed = own.filter((run) => run.failed > 0);
  return {
    kind: 'EXAMPLE',
    since: isoTime(failed[0]?.at ?? decisive.at),
    count: failed.length,
    of: own.length,
    exampleId,
    taskId,
    runId,
    testId,
    evalDefinitionId: null,
    rate: null,
    low: null,
    high: null,
  };
}

/**
 * Returns the runs in which all tests of an example have ended, the newest ones in the order in which they began. Tests without a verdict
 * count nowhere.
 */
function runsOf(
  database: Database,
  { application, ids, since }: { application: number; ids: readonly string[]; since: number },
): RunRow[] {
  const rows = database.all<RunRow>(
    `SELECT test.example_id AS "exampleId", test.run_id AS "runId", min(test.task_id) AS "taskId", min(test.created_at) AS at,
       count(*) FILTER (WHERE outcome = 'FAILED') AS failed,
       count(*) FILTER (WHERE outcome IN ('FAILED', 'PASSED')) AS judged,
       min(CASE WHEN outcome = 'FAILED' THEN test.id END) AS "testId"
     FROM ${each(':ids')}
     ${orderedJoin} test ON test.application = :application AND test.example_id = value AND test.created_at > :since
     LEFT JOIN test_result ON test_result.application = :application AND test_result.run_id = test.run_id
       AND test_result.test_id = test.id
     GROUP BY test.example_id, test.run_id
     HAVING count(*) FILTER (WHERE test.status NOT IN ('COMPLETED', 'FAILED')) = 0
       AND count(*) FILTER (WHERE outcome IN ('FAILED', 'PASSED')) > 0
     ORDER BY min(test.created_at) DESC, test.run_id DESC, test.example_id DESC LIMIT ${MAX_RUNS}`,
    { application, ids: JSON.stringify(ids), since },
  );
  return rows.toReversed();
}

export const relapseQueries = { listResolved, findRelapse };
