import { isEvidenceDeleted } from '../../evaluate/deleted-evidence.ts';
import { inputHash } from '../../evaluate/engine/input-hash.ts';
import { costOf, type EvalRecord, tokensOf } from '../../evaluate/engine/eval-costs.ts';
import { evals } from '../../evaluate/eval-record.ts';
import type { AppliedDefinition, Verdict } from '../../evaluate/evaluator.ts';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import { loadSubject } from '../../evaluate/load-subject.ts';
import type { Subject } from '../../evaluate/subject.ts';
import type { Target } from '../../evaluate/target.ts';
import { enqueueJob, finishJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { resultInput } from '../../tests/outcome/outcome-store.ts';
import { gateOf } from './gate.ts';
import { definitions } from './record.ts';
import { newestJudgeVersion } from './verdict-store.ts';

/** Kind of the jobs that judge the canaries of a run set again. The key of a job is the id of the run set. */
export const CANARIES = 'canaries';
/** Fewest canaries of a definition: fewer could show no change. */
const MIN_CANARIES = 5;
/** Newest evals of which canaries are chosen. */
const MAX_CANDIDATES = 1_000;
/** Type whose verdict depends on another test, which may be deleted on its own. */
const COMPARING = 'PAIRWISE';

interface OfRunSet {
  application: number;
  runSetId: string;
}

interface PlanCanaries extends OfRunSet {
  at: number;
}

interface GatedDefinition {
  id: string;
  version: number;
  /** Number of canaries, at most. */
  most: number;
  /** Standing of its judge when the run set was started; null for run sets of earlier versions. */
  state: 'PROVED' | 'UNPROVED' | 'LOST' | null;
  /** Version of the judge that was proved then; null for other states. */
  provedJudge: string | null;
}

const gates = definitions.pick(
  'id',
  'version',
  'type',
  'gateMinKappa',
  'gateMinAnnotations',
  'gateMaxAgeDays',
  'gateCanaries',
);

/**
 * Returns the definitions of a run set that a judge model with a gate judges, unless they have another version by now. A run set that was
 * cancelled has none, so that it costs nothing further.
 */
function gatedOf(database: Database, { application, runSetId }: OfRunSet): GatedDefinition[] {
  const fixed = database.all<Pick<GatedDefinition, 'id' | 'version' | 'state' | 'provedJudge'>>(
    `SELECT definition_id AS id, version, gate_state AS state, gate_judge AS "provedJudge" FROM run_set_definition
     WHERE application = :application AND run_set_id = :runSetId
       AND EXISTS (SELECT 1 FROM run_set WHERE run_set.application = :application AND run_set.id = :runSetId
         AND run_set.status <> 'CANCELLED')`,
    { application, runSetId },
  );
  const found = gates.byIds(
    database,
    application,
    fixed.map(({ id }) => id),
  );
  return fixed.flatMap(({ id, version, ...gate }) => {
    const definition = found.get(id);
    const rule = definition && gateOf(definition);
    if (!rule || definition.version !== version || definition.type === COMPARING) return [];
    return evaluatorOf(definition.type)?.judgedBy === 'model'
      ? [{ id, version, most: rule.canaries, ...gate }]
      : [];
  });
}

/**
 * Plans that the canaries of definitions are judged again with a run set that is being started. Those of a judge that was never proved show
 * nothing: its verdicts do not count.
 */
export function planCanaries(database: Database, args: PlanCanaries): void {
  const { application, runSetId, at } = args;
  const gated = gatedOf(database, args);
  if (gated.length === 0) return;
  for (const { id: definitionId, version, most } of gated.filter(({ state }) => state !== 'UNPROVED'))
    database.run(
      `INSERT INTO canary_verdict (application, run_set_id, definition_id, eval_id, status, before, created_at)
       SELECT application, :runSetId, definition_id, eval_id, 'PENDING', passed, :at FROM canary
       WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
         AND passed IS NOT NULL ORDER BY eval_id LIMIT :most`,
      { application, runSetId, definitionId, version, most, at },
    );
  enqueueCanaries(database, args);
}

/** Requests that canaries are frozen where some are missing, and judged, with a run set that has started or ended. */
export function enqueueCanaries(database: Database, args: PlanCanaries): void {
  const { application, runSetId: key, at } = args;
  if (gatedOf(database, args).length > 0)
    enqueueJob(database, { application, kind: CANARIES, key, dueAt: at, at });
}

/** Skips the canaries of a run set that was cancelled. */
export const skipCanaries = (database: Database, of: OfRunSet): void => {
  database.run(
    `UPDATE canary_verdict SET status = 'SKIPPED'
     WHERE application = :application AND run_set_id = :runSetId AND status = 'PENDING'`,
    { ...of },
  );
};

/**
 * Freezes canaries of the definitions of a run set that have too few, and plans the verdict with which later ones are compared. Only a
 * judge that was proved when the run set was started, and has judged until now, gets canaries; they replace those of other versions and
 * judges. A judge that has lost its gate keeps those of the judge that was proved. Forgets canaries of judges that were never proved, and
 * those of definitions whose gate wants none.
 */
function freezeCanaries(database: Database, args: PlanCanaries): void {
  const { application, runSetId, at } = args;
  for (const { id: definitionId, version, most, state, provedJudge } of gatedOf(database, args)) {
    const of = { application, definitionId };
    if (most === 0 || state === 'UNPROVED') database.run(`DELETE FROM canary WHERE ${OF_DEFINITION}`, of);
    if (most === 0 || state !== 'PROVED' || provedJudge === null) continue;
    const judgeVersion = newestJudgeVersion(database, { application, definitionId, version });
    if (judgeVersion !== provedJudge) continue;
    const chosen = chooseCanaries(database, { ...of, version, judgeVersion, most });
    const usable = countUsable(database, { ...of, version, judgeVersion });
    if (chosen.length < MIN_CANARIES || usable >= chosen.length / 2) continue;
    database.run(`DELETE FROM canary WHERE ${OF_DEFINITION}`, of);
    for (const evalId of chosen) {
      database.run(
        `INSERT INTO canary (application, definition_id, eval_id, definition_version, judge_version, created_at)
         VALUES (:application, :definitionId, :evalId, :version, :judgeVersion, :at)`,
        { ...of, evalId, version, judgeVersion, at },
      );
      database.run(
        `INSERT INTO canary_verdict (application, run_set_id, definition_id, eval_id, status, created_at)
         VALUES (:application, :runSetId, :definitionId, :evalId, 'PENDING', :at) ON CONFLICT DO NOTHING`,
        { ...of, runSetId, evalId, at },
      );
    }
  }
}

const OF_DEFINITION = 'application = :application AND definition_id = :definitionId';

interface OfJudgeOfDefinition {
  application: number;
  definitionId: string;
  version: number;
  judgeVersion: string;
}

/** Counts canaries by a judge that can be compared, or wait for the verdict to compare with. */
const countUsable = (database: Database, of: OfJudgeOfDefinition): number =>
  database.get<{ n: number }>(
    `SELECT count(*) AS n FROM canary ${orderedJoin} eval ON eval.application = canary.application AND eval.id = canary.eval_id
     WHERE canary.application = :application AND canary.definition_id = :definitionId
       AND canary.definition_version = :version AND canary.judge_version = :judgeVersion AND eval.judge IS NOT NULL
       AND (canary.passed IS NOT NULL OR EXISTS (SELECT 1 FROM canary_verdict JOIN job ON kind = '${CANARIES}' AND key = run_set_id
         WHERE canary_verdict.application = canary.application AND canary_verdict.definition_id = canary.definition_id
           AND canary_verdict.eval_id = canary.eval_id AND canary_verdict.status = 'PENDING'))`,
    { ...of },
  )?.n ?? 0;

interface Candidate {
  id: string;
  passed: number;
  input: string;
}

/**
 * Chooses evals to freeze, the newest of each input: half of those that passed and half of the others, so that a judge that becomes
 * lenient or strict shows, whatever the pass rate is.
 */
function chooseCanaries(
  database: Database,
  { most, ...of }: OfJudgeOfDefinition & { most: number },
): string[] {
  const newest = database.all<Candidate>(
    `SELECT eval.id, eval.passed, CASE WHEN test.id IS NULL THEN eval.id ELSE ${resultInput('test')} END AS input
     FROM eval LEFT JOIN test ON test.application = eval.application AND test.id = eval.test_id
     WHERE eval.application = :application AND definition_id = :definitionId AND definition_version = :version
       AND eval.status = 'COMPLETED' AND judge_version = :judgeVersion AND judge IS NOT NULL
     ORDER BY eval.created_at DESC LIMIT ${MAX_CANDIDATES}`,
    { ...of },
  );
  const [passed = [], others = []] = [1, 0].map((value) => {
    const inputs = new Set<string>();
    return newest.filter((one) => one.passed === value && inputs.size < inputs.add(one.input).size);
  });
  const half = Math.ceil(most / 2);
  const fromOthers = Math.max(Math.min(others.length, half), Math.min(others.length, most - passed.length));
  return [...others.slice(0, fromOthers), ...passed.slice(0, most - fromOthers)].map(({ id }) => id);
}

/** Returns the ids of the evals of canaries that wait with a run set, by definition. */
const pendingCanaries = (database: Database, of: OfRunSet): { definitionId: string; evalId: string }[] =>
  database.all(
    `SELECT definition_id AS "definitionId", eval_id AS "evalId" FROM canary_verdict
     WHERE application = :application AND run_set_id = :runSetId AND status = 'PENDING'`,
    { ...of },
  );

export interface CanaryKey extends OfRunSet {
  definitionId: string;
  evalId: string;
}

/** Definition and subject by which a canary is judged. `gone`: what was judged has changed, or was deleted. */
export type CanaryWork =
  | { state: 'over' | 'gone' }
  | {
      state: 'waiting';
      definition: AppliedDefinition;
      subject: Subject;
    };

function findCanaryWork(database: Database, key: CanaryKey): CanaryWork {
  if (!isCanaryWaiting(database, key)) return { state: 'over' };
  const { application, evalId, definitionId } = key;
  const row = evals.find(database, application, evalId);
  const applied = row?.judge?.['definition'] as Omit<AppliedDefinition, 'definitionId'> | undefined;
  const evaluator = row && evaluatorOf(row.definitionType);
  if (!row || !applied || evaluator?.judgedBy !== 'model') return { state: 'gone' };
  const target: Target =
    row.testId === null ? { traceId: row.traceId as Uint8Array } : { testId: row.testId };
  if (isEvidenceDeleted(database, { application, target })) return { state: 'gone' };
  const definition = { ...applied, definitionId };
  const hasTurns = evaluator.reads(definition).includes('turns');
  const subject = loadSubject(database, { application, target, hasTurns });
  if (inputHash(definition, evaluator, subject) !== row.inputHash) return { state: 'gone' };
  return { state: 'waiting', definition, subject };
}

/** Reports whether a canary waits for its verdict and what was judged is stored: a deletion in between ends it. */
function isCanaryWaiting(
  database: Database,
  { application, runSetId, definitionId, evalId }: CanaryKey,
): boolean {
  return (
    database.get(
      `SELECT 1 FROM canary_verdict JOIN eval ON eval.application = canary_verdict.application AND eval.id = eval_id
       WHERE canary_verdict.application = :application AND run_set_id = :runSetId
         AND canary_verdict.definition_id = :definitionId AND eval_id = :evalId AND canary_verdict.status = 'PENDING'
         AND eval.judge IS NOT NULL`,
      { application, runSetId, definitionId, evalId },
    ) !== undefined
  );
}

/** Verdict on a canary, and the calls of its judge; null for one that is gone. */
export interface EndedCanary extends CanaryKey {
  judged: { verdict: Verdict; record: EvalRecord | null } | null;
  at: number;
}

/** Stores the verdict on a canary that waits. */
function endCanary(database: Database, { judged, at, ...key }: EndedCanary): void {
  const verdict = judged?.verdict;
  const passed = verdict?.status === 'COMPLETED' ? Number(verdict.passed) : null;
  const record = judged?.record ?? null;
  const tokens = record && tokensOf(record);
  const isChanged = database.run(
    `UPDATE canary_verdict SET status = :status, passed = :passed, cost = :cost, input_tokens = :inputTokens,
       output_tokens = :outputTokens, created_at = :at
     WHERE application = :application AND run_set_id = :runSetId AND definition_id = :definitionId AND eval_id = :evalId
       AND status = 'PENDING'`,
    {
      ...key,
      at,
      status: verdict?.status ?? 'GONE',
      passed,
      cost: record && costOf(record),
      inputTokens: tokens?.inputTokens ?? null,
      outputTokens: tokens?.outputTokens ?? null,
    },
  );
  if (isChanged === 0 || passed === null) return;
  const { application, definitionId, evalId } = key;
  database.run(
    `UPDATE canary SET passed = :passed
     WHERE application = :application AND definition_id = :definitionId AND eval_id = :evalId AND passed IS NULL`,
    { application, definitionId, evalId, passed },
  );
}

/** Ends the job of a run set; canaries that still wait have failed. */
function endCanaries(
  database: Database,
  { jobId, application, runSetId }: OfRunSet & { jobId: number },
): void {
  finishJob(database, jobId);
  database.run(
    `UPDATE canary_verdict SET status = 'FAILED'
     WHERE application = :application AND run_set_id = :runSetId AND status = 'PENDING'
       AND NOT EXISTS (SELECT 1 FROM job WHERE kind = '${CANARIES}' AND key = :runSetId)`,
    { application, runSetId },
  );
}

/** A canary of a run set. */
export interface CanaryVerdict {
  definitionId: string;
  evalId: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'SKIPPED' | 'GONE';
  /** Verdict of the eval that was frozen; null if it was deleted. */
  first: number | null;
  /** Verdict when it was judged again for the first time. */
  before: number;
  passed: number | null;
}

/** Returns the canaries that were judged again with a run set and can be compared with earlier verdicts. */
export const canariesOf = (database: Database, of: OfRunSet): CanaryVerdict[] =>
  database.all<CanaryVerdict>(
    `SELECT canary_verdict.definition_id AS "definitionId", eval_id AS "evalId", canary_verdict.status,
       eval.passed AS first, before, canary_verdict.passed AS passed
     FROM canary_verdict LEFT JOIN eval ON eval.application = canary_verdict.application AND eval.id = eval_id
     WHERE canary_verdict.application = :application AND run_set_id = :runSetId AND before IS NOT NULL
     ORDER BY canary_verdict.definition_id, eval_id`,
    { ...of },
  );

/** Counts the canaries of run sets that are compared, and those that wait, by run set. */
export const countCanaries = (
  database: Database,
  { application, runSetIds }: { application: number; runSetIds: readonly string[] },
): Map<string, { total: number; open: number }> =>
  new Map(
    database
      .all<{ id: string; total: number; open: number }>(
        `SELECT run_set_id AS id, count(*) AS total, count(*) FILTER (WHERE status = 'PENDING') AS open
         FROM canary_verdict WHERE application = :application AND run_set_id IN ${valuesOf(':ids')} AND before IS NOT NULL
         GROUP BY run_set_id`,
        { application, ids: JSON.stringify(runSetIds) },
      )
      .map(({ id, total, open }) => [id, { total, open }]),
  );

/** Forgets the canaries of a definition, so that the next run set freezes others. */
export const forgetCanaries = (
  database: Database,
  of: { application: number; definitionId: string },
): void => {
  database.run(`DELETE FROM canary WHERE ${OF_DEFINITION}`, { ...of });
};

export const canaryCommands = { freezeCanaries, endCanary, endCanaries };
export const canaryQueries = { pendingCanaries, findCanaryWork, isCanaryWaiting };
