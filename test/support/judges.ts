/** Judges over a store, without a server. */
import { randomUUID } from 'node:crypto';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { JudgeDeps } from '../../src/evaluate/judge/judge.ts';
import { createJudges, type Judges } from '../../src/evaluate/judge/judges.ts';
import { judgeCommands, judgeQueries } from '../../src/evaluate/judge/operations.ts';
import { type JudgeSettings, type JudgesSettings, NO_JUDGES } from '../../src/evaluate/judge/settings.ts';
import { createMetrics, type Metrics } from '../../src/runtime/metrics.ts';
import type { Operations } from '../../src/storage/operations.ts';
import type { Database } from '../../src/storage/database.ts';
import { BASE_MS } from './spans.ts';
import type { Tenant } from './storage.ts';
import { PENDING_EVAL } from './stored-evals.ts';

export const SECRET = 'sk-judge-secret-0123456789';

/** Returns the settings of a judge at this endpoint. */
export const judgeOf = (baseUrl: string, more: Partial<JudgeSettings> = {}): JudgeSettings => ({
  name: 'first',
  provider: 'openai-compatible',
  baseUrl,
  apiKey: SECRET,
  model: 'judge-1',
  temperature: 0,
  seed: null,
  timeoutMs: 60_000,
  maxWaitMs: 3_600_000,
  concurrency: 4,
  maxOutputTokens: 500,
  embeddingModel: null,
  embeddingPrice: null,
  headers: {},
  query: {},
  body: {},
  prices: { input: 2, output: 10 },
  structuredOutput: 'json_schema',
  ...more,
});

/** Cost of a call of the substitute judge by these prices, in US dollars. */
export const CALL_COST = 0.003;

export interface OpenedJudges extends Judges {
  metrics: Metrics;
}

export function openJudges(
  database: Database,
  judges: readonly JudgeSettings[],
  more: Partial<JudgesSettings> = {},
  now: () => number = () => BASE_MS,
  ofOrganisations: Pick<JudgeDeps, 'organisationLimits' | 'onCost'> = {},
): OpenedJudges {
  const metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error('there is none')),
    memory: { used: 0, limit: 0 },
  });
  const call =
    (operations: Operations) =>
    async (name: string, args: never): Promise<never> =>
      operations[name]?.(database, args) as never;
  const settings = { ...NO_JUDGES, judges, default: judges[0]?.name ?? null, ...more };
  const deps = { read: call(judgeQueries), write: call(judgeCommands), metrics, now, ...ofOrganisations };
  return { ...createJudges(settings, deps), metrics };
}

/** An eval of a trace that waits to be judged. */
export function waitingEval(
  { database, application }: Tenant,
  more: { traceId?: Uint8Array; runId?: string | null } = {},
): { application: number; subjectId: string; runId: string | null } {
  const { traceId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), runId = null } = more;
  const subjectId = randomUUID();
  const evals = [{ ...PENDING_EVAL, id: subjectId, definitionId: randomUUID(), traceId, runId }];
  saveEvals(database, { application, evals, at: BASE_MS });
  return { application, subjectId, runId };
}
