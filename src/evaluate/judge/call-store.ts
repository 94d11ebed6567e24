import type { Database } from '../../storage/sqlite/database.ts';

/** An answer of a judge, and what it took. */
export interface JudgeReply {
  /** As it came: maybe not what was asked for. */
  raw: string;
  /** The model that answered, as it calls itself. */
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars; null = no price is known. */
  cost: number | null;
  /** Of all tries together. */
  latencyMs: number;
  attempts: number;
}

/** One question to a judge, for one eval. */
export interface JudgeCall {
  application: number;
  evalId: string;
  /** SHA-256, in hex, of all that is asked, the number of the repeat included. */
  hash: string;
  /** From 0. */
  repeat: number;
  runId: string | null;
  judge: string;
  /** JSON. */
  request: string;
}

/**
 * Keeps an answer, and counts what it cost; one that is there already is left. The texts are kept only while the eval
 * waits for a verdict: one that ended meanwhile may have ended because its trace was deleted.
 */
export function storeJudgeCall(
  database: Database,
  { call, reply, at }: { call: JudgeCall; reply: JudgeReply; at: number },
): void {
  const { application, evalId, hash, repeat, runId, judge, request } = call;
  const { raw, model, inputTokens, outputTokens, cost, latencyMs, attempts } = reply;
  const added = database.run(
    `INSERT INTO judge_call (application, eval_id, hash, repeat, run_id, judge, model, input_tokens, output_tokens, cost,
       latency_ms, attempts, created_at, request, raw)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
       iif(is_awaited AND NOT EXISTS (
         SELECT 1 FROM judge_call WHERE application = ?1 AND eval_id = ?2 AND request = ?14), ?14, NULL),
       iif(is_awaited, ?15, NULL)
     FROM (SELECT EXISTS (
       SELECT 1 FROM eval WHERE application = ?1 AND id = ?2 AND status IN ('PENDING', 'IN_PROGRESS')) AS is_awaited)
     WHERE true ON CONFLICT DO NOTHING`,
    application,
    evalId,
    hash,
    repeat,
    runId,
    judge,
    model,
    inputTokens,
    outputTokens,
    cost,
    latencyMs,
    attempts,
    at,
    request,
    raw,
  );
  if (added === 0 || cost === null) return;
  database.run(
    'INSERT INTO judge_day (day, application, cost) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost',
    dayOf(at),
    application,
    cost,
  );
}

/** The answer that was kept for a question of an eval; null = it was not asked, or its text is gone. */
export function findJudgeCall(
  database: Database,
  { application, evalId, hash }: Pick<JudgeCall, 'application' | 'evalId' | 'hash'>,
): JudgeReply | null {
  return (
    database.get<JudgeReply>(
      `SELECT raw, model, input_tokens AS inputTokens, output_tokens AS outputTokens, cost, latency_ms AS latencyMs, attempts
       FROM judge_call WHERE application = ? AND eval_id = ? AND hash = ? AND raw IS NOT NULL`,
      application,
      evalId,
      hash,
    ) ?? null
  );
}

/** US dollars that judges took: on the day of `at` (UTC), of all applications, since one purse pays; and for a run. */
export function judgeCosts(
  database: Database,
  { application, runId, at }: { application: number; runId: string | null; at: number },
): { ofDay: number; ofRun: number } {
  return {
    ofDay: total(database, 'SELECT total(cost) AS cost FROM judge_day WHERE day = ?', dayOf(at)),
    ofRun:
      runId === null
        ? 0
        : total(
            database,
            'SELECT total(cost) AS cost FROM judge_call WHERE application = ? AND run_id = ? AND cost IS NOT NULL',
            application,
            runId,
          ),
  };
}

const total = (database: Database, sql: string, ...values: (string | number)[]): number =>
  database.get<{ cost: number }>(sql, ...values)?.cost ?? 0;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
