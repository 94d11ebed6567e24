import { inputOf } from '../../tests/input-of.ts';
import type { ListOf } from '../../contract/paging.ts';
import { createdWithin, oneOfEach } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { outcomeIntervalsOf, rateIntervalsOf } from '../../evaluate/rate-intervals.ts';
import { type DefinitionSums, definitionSumsOf, NO_RESULT, resultsOfRuns } from '../../evaluate/results.ts';
import type { RecordOf } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, bytesOf, each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import type { CorrectedRate } from '../definitions/corrected-rate.ts';
import {
  correctedRateOfSums,
  isOfOtherJudge,
  type JudgedSumsRow,
  judgedSums,
} from '../definitions/corrected-store.ts';
import { judgeStandings, type Standings } from '../definitions/standing.ts';
import { shownOrNull } from '../tests/rate-interval.ts';
import { repeatsOfRun } from '../tests/repeats.ts';
import type { OpenWork } from './wait.ts';
import type { Run, RunsQuery } from './contract.ts';
import { NO_OUTCOMES, outcomesOfRuns } from './outcomes.ts';
import { runs } from '../../tests/record.ts';

function listRuns(
  database: Database,
  { owner, query, now }: { owner: Owner; query: RunsQuery; now: number },
): ListOf<Run> {
  const { taskId, type, runSetId, startDate, endDate, ...page } = query;
  const where = [
    ...oneOfEach({ task_id: taskId, type, run_set_id: runSetId }),
    ...createdWithin({ startDate, endDate }),
  ];
  const { data, pagination } = runs.list(database, owner, { where, page });
  return { data: wholeRuns(database, owner, data, now), pagination };
}

/** Returns a run; throws `not_found`. */
function getRun(database: Database, { owner, id, now }: ById & { now: number }): Run {
  const { application } = owner;
  const [run] = wholeRuns(database, owner, [runs.get(database, { owner, id })], now) as [Run];
  const repeats = repeatsOfRun(database, { application, runId: id });
  return repeats ? { ...run, repeats } : run;
}

/** Returns runs as the API shows them, in the order of their rows. */
function wholeRuns(
  database: Database,
  { application }: Owner,
  records: readonly RecordOf<typeof runs>[],
  now: number,
): Run[] {
  const ids = records.map(({ id }) => id);
  const threads = threadsOf(database, application, ids);
  const progress = progressOf(database, application, ids);
  const sums = definitionSumsOf(database, { application, ids });
  const standings = judgeStandings(database, { application, ids: new Set(sums.map((sum) => sum.id)), now });
  const results = resultsOfRuns(database, { application, ids, sums });
  const intervals = rateIntervalsOf(database, { application, ids, by: 'run_id' });
  const outcomes = outcomesOfRuns(database, application, ids);
  const outcomeIntervals = outcomeIntervalsOf(database, { application, ids });
  const { corrected, provedOf, isAdvisory, hasOtherJudge } = judgedRuns(database, application, {
    sums,
    standings,
  });
  const otherJudgesOf = (runId: string): Pick<Run, 'otherJudges'> => {
    const otherJudges = provedOf(runId).filter((id) => hasOtherJudge(runId, id));
    return otherJudges.length > 0 ? { otherJudges } : {};
  };
  return records.map((record) => ({
    ...record,
    ...otherJudgesOf(record.id),
    threadId: threads.get(record.id) ?? null,
    tests: progress.get(record.id) ?? NO_TESTS,
    evals: (results.get(record.id)?.definitions ?? []).map((one) => ({
      ...one,
      isAdvisory: isAdvisory(record.id, one.id),
      correctedPassRate: corrected(record.id, one.id),
    })),
    result: results.get(record.id)?.result ?? NO_RESULT,
    passRateInterval: shownOrNull(intervals.get(record.id)),
    outcomes: outcomes.get(record.id) ?? NO_OUTCOMES,
    outcomeInterval: shownOrNull(outcomeIntervals.get(record.id)),
  }));
}

/** Findings about the verdicts of judges with a valid gate on runs. */
interface JudgedRuns {
  /** Returns the corrected pass rate; null without one. */
  corrected: (runId: string, definitionId: string) => CorrectedRate;
  /** Returns the definitions with a valid gate: when the run set was started, or today for a run of none. */
  provedOf: (runId: string) => string[];
  /** Reports whether the verdicts by a definition are only shown. */
  isAdvisory: (runId: string, definitionId: string) => boolean;
  /** Reports whether another judge than the one that was measured gave some of the verdicts. */
  hasOtherJudge: (runId: string, definitionId: string) => boolean;
}

function judgedRuns(
  database: Database,
  application: number,
  { sums, standings: { gated, advisory } }: { sums: readonly DefinitionSums[]; standings: Standings },
): JudgedRuns {
  const fixed = fixedJudges(database, application, new Set(sums.map(({ of }) => of)));
  const keyOf = (runId: string, definitionId: string): string => `${runId} ${definitionId}`;
  /** Version of the judge with a valid gate; undefined without one. */
  const provedJudge = (runId: string, id: string): string | null | undefined => {
    const known = fixed.get(keyOf(runId, id));
    return known ? known.judge : gated.get(id)?.of.judgeVersion;
  };
  const proved = sums.filter(({ of, id }) => gated.has(id) || provedJudge(of, id) !== undefined);
  const source = `(SELECT value AS run, definition_id AS definition, test.task_id, ${inputOf('test')} AS example_id, passed,
      definition_version AS version, judge_version AS judge
    FROM ${each(':ids')} ${orderedJoin} eval ${byIndex('eval_by_run')} ON eval.application = :application AND eval.run_id = value
      AND definition_id IN ${valuesOf(':gated')} AND superseded = 0 AND eval.status = 'COMPLETED'
    ${orderedJoin} test ON test.application = :application AND test.id = eval.test_id AND test.status = 'COMPLETED')`;
  const rows = database.all<JudgedSumsRow & { run: string; definition: string }>(
    judgedSums(source, ['run', 'definition']),
    {
      application,
      ids: JSON.stringify([...new Set(proved.map(({ of }) => of))]),
      gated: JSON.stringify([...new Set(proved.map(({ id }) => id))]),
    },
  );
  const found = new Map(rows.map((row) => [keyOf(row.run, row.definition), row]));
  const rowOf = (runId: string, definitionId: string) => found.get(keyOf(runId, definitionId));
  const hasOtherJudge = (runId: string, definitionId: string): boolean => {
    const [row, judge] = [rowOf(runId, definitionId), provedJudge(runId, definitionId)];
    return row !== undefined && judge !== undefined && isOfOtherJudge(judge, row);
  };
  return {
    corrected: (runId, definitionId) => {
      const row = rowOf(runId, definitionId);
      return row ? correctedRateOfSums(gated.get(definitionId), row) : null;
    },
    provedOf: (runId) =>
      proved.flatMap(({ of, id }) => (of === runId && provedJudge(of, id) !== undefined ? [id] : [])),
    isAdvisory: (runId, id) =>
      (fixed.has(keyOf(runId, id)) ? provedJudge(runId, id) === undefined : advisory.has(id)) ||
      hasOtherJudge(runId, id),
    hasOtherJudge,
  };
}

/**
 * Returns the judges by run and definition as their gates were when the run set was started; undefined for one that was not proved. Runs
 * of no run set have none.
 */
function fixedJudges(
  database: Database,
  application: number,
  runIds: ReadonlySet<string>,
): Map<string, { judge: string | null | undefined }> {
  const rows = database.all<{ run: string; definition: string; state: string; judge: string | null }>(
    `SELECT run.id AS run, definition_id AS definition, gate_state AS state, gate_judge AS judge
     FROM ${each(':ids')} ${orderedJoin} run ON run.application = :application AND run.id = value
     ${orderedJoin} run_set_definition AS fixed ON fixed.application = :application AND fixed.run_set_id = run.run_set_id
     WHERE gate_state IS NOT NULL`,
    { application, ids: JSON.stringify([...runIds]) },
  );
  return new Map(
    rows.map(({ run, definition, state, judge }) => [
      `${run} ${definition}`,
      { judge: state === 'PROVED' ? judge : undefined },
    ]),
  );
}

const NO_TESTS: Run['tests'] = {
  total: 0,
  pending: 0,
  inProgress: 0,
  completed: 0,
  failed: 0,
  judged: 0,
  skipped: 0,
};

function progressOf(
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, Run['tests']> {
  const ofRuns = JSON.stringify(ids);
  const rows = database.all<Omit<Run['tests'], 'skipped'> & { id: string }>(
    `SELECT run_id AS id, count(*) AS total, count(*) FILTER (WHERE status = 'PENDING') AS pending,
       count(*) FILTER (WHERE status = 'IN_PROGRESS') AS inProgress,
       count(*) FILTER (WHERE status = 'COMPLETED') AS completed, count(*) FILTER (WHERE status = 'FAILED') AS failed,
       count(*) FILTER (WHERE counted_evals > 0) AS judged
     FROM test WHERE application = :application AND run_id IN ${valuesOf(':ofRuns')} GROUP BY run_id`,
    { application, ofRuns },
  );
  const skipped = database.all<{ id: string; n: number }>(
    `SELECT run_id AS id, count(DISTINCT test_id) AS n FROM eval
     WHERE application = :application AND run_id IN ${valuesOf(':ofRuns')} AND superseded = 0 AND status = 'SKIPPED' GROUP BY run_id`,
    { application, ofRuns },
  );
  const skippedOf = new Map(skipped.map(({ id, n }) => [id, n]));
  return new Map(rows.map(({ id, ...tests }) => [id, { ...tests, skipped: skippedOf.get(id) ?? 0 }]));
}

/**
 * Finds the sessions of runs. The trace of a delivery may be separate from the app's, so the first trace with a
 * session counts. Traces of the first test are read first, and others are rarely needed.
 */
function threadsOf(
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, string | null> {
  const rows = database.all<{ id: string; session: string | null }>(
    `SELECT value AS id, (
       SELECT session_id FROM test
         ${orderedJoin} trace_test ON trace_test.application = :application AND test_id = ${bytesOf('test.id')}
         ${orderedJoin} trace USING (tkey)
       WHERE test.application = :application AND run_id = value AND session_id IS NOT NULL
       ORDER BY test.created_at, test.id, start_ns, trace.trace_id LIMIT 1) AS session
     FROM ${each(':ids')}`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, session }) => [id, session]));
}

/** Returns what a run has still to send: its evals without a verdict, and where its tests go. */
function findOpenWork(
  database: Database,
  { application, runId }: { application: number; runId: string },
): OpenWork {
  const rows = database.all<{ type: string; config: string; count: number }>(
    `SELECT definition_type AS type, definition.global_config AS config, open.count AS count
     FROM (SELECT definition_id, definition_type, count(*) AS count FROM eval
       WHERE application = :application AND run_id = :runId AND superseded = 0
         AND status IN ('PENDING', 'IN_PROGRESS') GROUP BY definition_id, definition_type) AS open
     ${orderedJoin} definition ON definition.id = open.definition_id WHERE definition.application = :application`,
    { application, runId },
  );
  const webhook = database.get<{ url: string }>(
    'SELECT url FROM webhook WHERE application = :application AND enabled = 1',
    { application },
  );
  return {
    webhookUrl: webhook?.url ?? null,
    evals: rows.map(({ config, ...row }) => ({
      ...row,
      config: JSON.parse(config) as Record<string, unknown>,
    })),
  };
}

export const runQueries = { listRuns, getRun, findOpenWork };
