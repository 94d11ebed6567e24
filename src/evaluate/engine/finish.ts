import { enqueueJob, finishJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { isTraceOfTestDeleted } from '../../tests/deleted-traces.ts';
import { endEvaluation } from '../../tests/evaluation.ts';
import { saveOutcome } from '../../tests/outcome/outcome-store.ts';
import type { TestHooks } from '../../tests/store.ts';
import { evals as evalTable } from '../eval-record.ts';
import { isEvidenceDeleted } from '../deleted-evidence.ts';
import { changeWaitingEvals, type EvalChanges } from '../eval-store.ts';
import type { AppliedDefinition, Verdict } from '../evaluator.ts';
import type { Target } from '../target.ts';
import { costOf, type EvalRecord, tokensOf } from './eval-costs.ts';
import { ofTarget } from './rows.ts';

/** An eval that has ended, with its outcome. */
export interface EndedEval {
  id: string;
  verdict: Verdict;
  /** Applied definition, and its judge or scorer; null when the eval ended before it was judged and keeps its planned values. */
  by: {
    definition: AppliedDefinition;
    inputHash: string;
    record: EvalRecord | null;
    latencyMs: number;
  } | null;
}

interface OfJob {
  application: number;
  jobId: number;
  at: number;
}

/** An eval for a judge, and the kind of its job. */
export interface JudgeJob {
  id: string;
  kind: string;
}

/** Stores the result of a run over a target, and enqueues its judged evals. */
export function finishEvalWork(
  database: Database,
  args: OfJob & { target: Target; ended: readonly EndedEval[]; judged: readonly JudgeJob[] },
  hooks: TestHooks,
): void {
  const { application, jobId, target, ended, judged, at } = args;
  finishJob(database, jobId);
  endEvals(database, { application, ended, at });
  for (const { id, kind } of judged) enqueueJob(database, { application, kind, key: id, dueAt: at, at });
  if ('testId' in target)
    settle(database, { application, testId: target.testId, isGivenUp: false, at }, hooks);
}

const subjects = evalTable.pick('id', 'testId', 'traceId');

/** Moves an eval to the queue of another judge. */
export function reassignEval(
  database: Database,
  { application, jobId, id, kind, at }: OfJob & JudgeJob,
): void {
  finishJob(database, jobId);
  enqueueJob(database, { application, kind, key: id, dueAt: at, at });
}

/**
 * Marks an eval as in progress with a judge. `inputHash` is the hash of the judge's input. Returns false when the
 * eval no longer waits, or its evidence, or that of its baseline, was deleted.
 */
export function beginJudging(
  database: Database,
  args: { application: number; id: string; definition: AppliedDefinition; inputHash: string; at: number },
): boolean {
  const { application, id, definition, inputHash, at } = args;
  const { version: definitionVersion, type: definitionType, baseline } = definition;
  const status = 'IN_PROGRESS';
  const of = subjects.find(database, application, id);
  if (!of) return false;
  const target: Target = of.testId === null ? { traceId: of.traceId as Uint8Array } : { testId: of.testId };
  if (isEvidenceDeleted(database, { application, target })) return false;
  const compared = baseline ? [baseline, ...(baseline.others ?? [])] : [];
  if (compared.some((one) => isTraceOfTestDeleted(database, { application, testId: one.testId })))
    return false;
  const changes: EvalChanges[] = [{ id, definitionVersion, definitionType, inputHash, status }];
  return changeWaitingEvals(database, { application, changes, at }) > 0;
}

/** Reports whether an eval still waits for the judge or the scorer that began it. The deletion of its evidence ends it. */
export const isJudging = (
  database: Database,
  { application, id }: { application: number; id: string },
): boolean => evalTable.pick('status').find(database, application, id)?.status === 'IN_PROGRESS';

/** Stores the result of a judge, and ends its job; null when the eval no longer waits for it. */
export function endJudging(
  database: Database,
  { application, jobId, id, ended, at }: OfJob & { id: string; ended: EndedEval | null },
  hooks: TestHooks,
): void {
  finishJob(database, jobId);
  if (ended) endEvals(database, { application, ended: [ended], at });
  const testId = testOf(database, application, id);
  if (testId !== null) settle(database, { application, testId, isGivenUp: false, at }, hooks);
}

/**
 * Ends waiting evals after the engine itself failed too often: a single eval, or those of a target that have no job
 * among `judgeKinds`.
 */
export function giveUpEvals(
  database: Database,
  args: OfJob & { of: Target | { id: string }; judgeKinds: readonly string[]; reason: string },
  hooks: TestHooks,
): void {
  const { application, jobId, of, judgeKinds, reason, at } = args;
  finishJob(database, jobId);
  const { sql, values } = 'id' in of ? { sql: 'id = ?', values: [of.id] } : ofTarget(of);
  const waiting = database.all<{ id: string }>(
    `SELECT id FROM eval WHERE application = ? AND status IN ('PENDING', 'IN_PROGRESS') AND ${sql}
       AND NOT EXISTS (SELECT 1 FROM job WHERE kind IN ${valuesOf('?')} AND key = eval.id)`,
    application,
    ...values,
    JSON.stringify(judgeKinds),
  );
  const verdict: Verdict = { status: 'FAILED', reason };
  endEvals(database, { application, ended: waiting.map(({ id }) => ({ id, verdict, by: null })), at });
  const testId = 'id' in of ? testOf(database, application, of.id) : 'testId' in of ? of.testId : null;
  if (testId !== null) settle(database, { application, testId, isGivenUp: true, at }, hooks);
}

/** Stores the outcome of waiting evals; evals that no longer wait are unchanged. */
export function endEvals(
  database: Database,
  { application, ended, at }: { application: number; ended: readonly EndedEval[]; at: number },
): void {
  changeWaitingEvals(database, { application, changes: ended.map(changesOf), at });
  for (const { id, by } of ended) if (by?.record) storeTokens(database, application, id, by.record);
}

/** Returns the fields of an eval that its outcome sets. */
function changesOf({ id, verdict, by }: EndedEval): EvalChanges {
  const isJudged = verdict.status === 'COMPLETED';
  return {
    id,
    ...(by && { ...judgedBy(by), inputHash: by.inputHash, latencyMs: by.latencyMs }),
    status: verdict.status,
    score: isJudged ? verdict.score : null,
    normalised: isJudged ? verdict.normalised : null,
    passed: isJudged ? verdict.passed : null,
    results: isJudged ? verdict.results : null,
    reason: verdict.reason,
  };
}

function judgedBy({ definition, record }: NonNullable<EndedEval['by']>): Partial<EvalChanges> {
  const { version, name, type, config, checks, expected, rubric, styleGuide, repeats } = definition;
  return {
    definitionVersion: version,
    definitionType: type,
    judge: {
      definition: { version, name, type, config, checks, expected, rubric, styleGuide, repeats },
      ...record,
    },
    judgeVersion: record && 'judgeVersion' in record ? record.judgeVersion : null,
    cost: record && costOf(record),
  };
}

/** Stores the tokens of an eval that cost something, or may have. Lists of costs contain the evals that have tokens. */
function storeTokens(database: Database, application: number, id: string, record: EvalRecord): void {
  const tokens = tokensOf(record);
  if (tokens === null) return;
  database.run(
    'UPDATE eval SET input_tokens = :inputTokens, output_tokens = :outputTokens WHERE application = :application AND id = :id',
    { ...tokens, application, id },
  );
}

const testOf = (database: Database, application: number, id: string): string | null =>
  evalTable.pick('id', 'testId').find(database, application, id)?.testId ?? null;

/**
 * Ends a test when none of its evals waits any longer. It fails only if none of its evals has a verdict or was
 * skipped.
 */
function settle(
  database: Database,
  { isGivenUp, ...test }: { application: number; testId: string; isGivenUp: boolean; at: number },
  hooks: TestHooks,
): void {
  const count = (statuses: string): number =>
    database.get<{ n: number }>(
      `SELECT count(*) AS n FROM eval WHERE application = :application AND test_id = :testId AND superseded = 0 AND status IN (${statuses})`,
      { application: test.application, testId: test.testId },
    )?.n ?? 0;
  if (count(`'PENDING', 'IN_PROGRESS'`) > 0) return;
  endEvaluation(database, { ...test, isGivenUp: isGivenUp && count(`'COMPLETED', 'SKIPPED'`) === 0 }, hooks);
}

/** Ends a test of a deleted trace whose evals were all skipped, without waiting for the calls of judges in progress. */
export function settleDeleted(
  database: Database,
  { application, testId, deletedAt: at }: { application: number; testId: string; deletedAt: number },
  hooks: TestHooks,
): true {
  settle(database, { application, testId, at, isGivenUp: false }, hooks);
  // Its cause was read from results that the deletion has removed.
  saveOutcome(database, { application, testId });
  return true;
}
