import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, orderedJoin, uuidOf } from '../../storage/dialect.ts';
import type { Target } from '../../evaluate/target.ts';
import { definitions } from '../definitions/record.ts';
import { isJudgedByModel, judgeStanding } from '../definitions/standing.ts';
import { verdictsOnDefinition } from '../definitions/verdict-store.ts';
import type { AgreementStep } from './contract.ts';

/** Most reviewed tests and traces that one call judges again. */
const MAX_MEASURED = 1_000;
const MAX_SAMPLE = 100;

interface OfDefinition {
  application: number;
  id: string;
}

/** Returns what is missing until the verdicts of a definition can fail a test. Throws `not_found`. */
export function agreementStep(
  database: Database,
  { application, id, now }: OfDefinition & { now: number },
): AgreementStep {
  const { type, version, issueId } = definitions.require(database, application, id);
  const none = (reason: string): AgreementStep => {
    return { definitionId: id, step: 'NONE', count: 0, queueId: null, pending: 0, reason };
  };
  if (!isJudgedByModel(type)) return none('Rules, and endpoints of your own, always decide.');
  const gate = judgeStanding(database, { application, id, now })?.gate ?? null;
  if (gate === null)
    return {
      ...none('No agreement with people is required yet, so its verdicts never fail a test.'),
      step: 'SET_GATE',
    };
  if (gate.isValid) return none('The judge agrees with people: its verdicts can fail tests and releases.');
  const unmeasured = unmeasuredTargets(database, { application, id }).length;
  const { queueId, pending } = waitingItems(database, { application, id, now });
  const found = { definitionId: id, queueId, pending };
  if (unmeasured > 0)
    return {
      ...found,
      step: 'MEASURE',
      count: unmeasured,
      reason: `Version ${version} has not judged ${unmeasured} of the tests and traces that people have reviewed.`,
    };
  if (!hasJudged(database, { application, id, version }))
    return {
      ...found,
      step: 'JUDGE',
      count: 1,
      reason: `Version ${version} has judged nothing yet. Run a task that it applies to, or sample live traffic.`,
    };
  const missing = Math.max(0, gate.nextTestAt - gate.verdicts);
  const counted = missing === 0 && gate.awaited === 0 ? gate.minAnnotations : missing - gate.awaited;
  // Half of what is drawn falls into the draft half, which does not count for a definition drafted from notes.
  const toSample = issueId === null ? counted : 2 * counted;
  const reason = `${gate.reason ?? ''}${issueId === null ? '' : ' Only the holdout counts, because the evaluator was drafted from notes.'}`;
  return toSample > 0
    ? { ...found, step: 'SAMPLE', count: Math.min(MAX_SAMPLE, toSample), reason }
    : { ...found, step: 'REVIEW', count: Math.max(missing, gate.awaited), reason };
}

const hasJudged = (database: Database, of: OfDefinition & { version: number }): boolean =>
  database.get(
    `SELECT 1 FROM eval WHERE application = :application AND definition_id = :id AND definition_version = :version
       AND status = 'COMPLETED' LIMIT 1`,
    { ...of },
  ) !== undefined;

/** Returns the queue with the most drawn items that no one has judged, else the one of the newest draw for the definition. */
function waitingItems(
  database: Database,
  { application, id, now }: OfDefinition & { now: number },
): { queueId: string | null; pending: number } {
  const [row] = database.all<{ queueId: string; pending: number }>(
    `SELECT queue_id AS "queueId", count(*) FILTER (WHERE completed_at IS NULL AND expires_at > :now) AS pending
     FROM annotation_queue_item WHERE application = :application AND drawn_at IS NOT NULL AND eval_definition_id = :id
     GROUP BY queue_id ORDER BY pending DESC, max(drawn_at) DESC LIMIT 1`,
    { application, id, now },
  );
  return { queueId: row?.queueId ?? null, pending: row?.pending ?? 0 };
}

/** Returns the reviewed tests and traces whose newest verdict an earlier version of the definition gave. */
export function unmeasuredTargets(database: Database, { application, id }: OfDefinition): Target[] {
  const { version, isOverall } = definitions.require(database, application, id);
  const { annotations } = verdictsOnDefinition(database, { application, definitionId: id, isOverall });
  const traces = [...new Set(annotations.map(({ traceId }) => traceId))];
  const args = { application, id, version, traces: JSON.stringify(traces), limit: MAX_MEASURED };
  const isEarlier = `eval.application = :application AND eval.definition_id = :id AND superseded = 0
    AND definition_version < :version AND status IN ('COMPLETED', 'FAILED', 'SKIPPED')`;
  const ofTests = database.all<{ testId: string }>(
    `SELECT DISTINCT eval.test_id AS "testId" FROM ${each(':traces')}
     ${orderedJoin} trace ON trace.application = :application AND trace.trace_id = ${bytesOf('value')}
     ${orderedJoin} trace_test ON trace_test.tkey = trace.tkey
     ${orderedJoin} eval ON eval.test_id = ${uuidOf('trace_test.test_id')} AND ${isEarlier} LIMIT :limit`,
    args,
  );
  const ofTraces = database.all<{ traceId: string }>(
    `SELECT DISTINCT ${hexOf('eval.trace_id')} AS "traceId" FROM ${each(':traces')}
     ${orderedJoin} eval ON eval.trace_id = ${bytesOf('value')} AND eval.test_id IS NULL AND ${isEarlier} LIMIT :limit`,
    args,
  );
  return [
    ...ofTests.map(({ testId }) => ({ testId })),
    ...ofTraces.map(({ traceId }) => ({ traceId: Buffer.from(traceId, 'hex') })),
  ].slice(0, MAX_MEASURED);
}

/** Returns the mean cost of the verdicts of a definition in US dollars; null when none has one. */
export const meanCost = (database: Database, of: OfDefinition): number | null =>
  database.get<{ cost: number | null }>(
    `SELECT avg(cost) AS cost FROM (SELECT cost FROM eval WHERE application = :application AND definition_id = :id
       AND status = 'COMPLETED' ORDER BY created_at DESC LIMIT 100) AS newest`,
    { ...of },
  )?.cost ?? null;
