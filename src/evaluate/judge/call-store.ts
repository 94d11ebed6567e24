import type { Database } from '../../storage/database.ts';
import { totalOf } from '../../storage/dialect.ts';
import { isRunErased } from '../../tests/store.ts';
import { type JudgeCall, judgeCalls, judgePrompts, judgeReplies, type JudgeReply } from './call-record.ts';

/**
 * Stores a response and adds its cost, unless it is already stored. Stores the texts of an eval only while it waits for
 * a verdict, because it may have ended when its trace was deleted.
 */
export function storeJudgeCall(
  database: Database,
  { call, reply, at }: { call: JudgeCall; reply: JudgeReply; at: number },
): void {
  const { instructions, ...stored } = call;
  const { application, subjectId, runId, request } = stored;
  const { hash: promptHash } = instructions;
  const { isAwaited, isStored } = database.get<{ isAwaited: number; isStored: number }>(
    `SELECT EXISTS (SELECT 1 FROM eval WHERE application = :application AND id = :subjectId
         AND status IN ('PENDING', 'IN_PROGRESS')) AS "isAwaited",
       EXISTS (SELECT 1 FROM judge_call WHERE application = :application AND subject_id = :subjectId
         AND request = :request AND prompt_hash = :promptHash) AS "isStored"`,
    { application, subjectId, request, promptHash },
  ) as { isAwaited: number; isStored: number };
  const keepsTexts = subjectId === runId ? !isRunErased(database, { application, runId }) : isAwaited === 1;
  const isShown = keepsTexts && isStored === 0;
  const texts = {
    request: isShown ? request : null,
    promptHash,
    raw: keepsTexts ? reply.raw : null,
  };
  if (isShown) judgePrompts.tryInsert(database, { application, at }, instructions);
  const isNew = judgeCalls.tryInsert(database, { application, at }, { ...stored, ...reply, ...texts });
  if (!isNew || reply.cost === null) return;
  database.run(
    `INSERT INTO judge_day (day, application, cost) VALUES (:day, :application, :cost)
     ON CONFLICT (day, application) DO UPDATE SET cost = judge_day.cost + excluded.cost`,
    { day: dayOf(at), application, cost: reply.cost },
  );
}

/** Returns the stored response to a request; null when there is none or its text was deleted. */
export function findJudgeCall(
  database: Database,
  { application, subjectId, hash }: Pick<JudgeCall, 'application' | 'subjectId' | 'hash'>,
): JudgeReply | null {
  const condition = 'subject_id = :subjectId AND hash = :hash AND raw IS NOT NULL';
  const [found] = judgeReplies.all(database, application, condition, { subjectId, hash });
  return (found as JudgeReply | undefined) ?? null;
}

/**
 * Returns the US dollars spent on judges: by all applications on the day of `at` (UTC), because they share one
 * budget; and for a run.
 */
export function judgeCosts(
  database: Database,
  { application, runId, at }: { application: number; runId: string | null; at: number },
): { ofDay: number; ofRun: number; ofOrganisation: { day: number; month: number } } {
  const day = dayOf(at);
  const since = (from: string): number =>
    total(
      database,
      `SELECT ${totalOf('cost')} AS cost FROM judge_day WHERE day >= ? AND day <= ? AND application IN (
         SELECT application FROM application WHERE org_id = (SELECT org_id FROM application WHERE application = ?))`,
      from,
      day,
      application,
    );
  return {
    ofOrganisation: { day: since(day), month: since(`${day.slice(0, 7)}-01`) },
    ofDay: total(database, `SELECT ${totalOf('cost')} AS cost FROM judge_day WHERE day = ?`, day),
    ofRun:
      runId === null
        ? 0
        : total(
            database,
            `SELECT ${totalOf('cost')} AS cost FROM judge_call WHERE application = ? AND run_id = ? AND cost IS NOT NULL`,
            application,
            runId,
          ),
  };
}

/** Returns the US dollars that the judges of each organisation have cost on the day of `at` (UTC), and in its month so far. */
export const judgeCostsByOrganisation = (
  database: Database,
  { at }: { at: number },
): { orgId: string; day: number; month: number }[] => {
  const day = dayOf(at);
  return database.all(
    `SELECT org_id AS "orgId", ${totalOf('cost')} AS month, ${totalOf('CASE WHEN day = :day THEN cost ELSE 0 END')} AS day
     FROM judge_day JOIN application ON application.application = judge_day.application
     WHERE day >= :month AND day <= :day GROUP BY org_id`,
    { day, month: `${day.slice(0, 7)}-01` },
  );
};

const total = (database: Database, sql: string, ...values: (string | number)[]): number =>
  database.get<{ cost: number }>(sql, ...values)?.cost ?? 0;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
