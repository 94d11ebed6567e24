import type { ById } from '../../contract/owner.ts';
import type { Actor } from '../../contract/scope.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf, uuidOf } from '../../storage/dialect.ts';
import { notFound } from '../../storage/require-row.ts';
import { definitions } from '../definitions/record.ts';
import { halfOf } from '../definitions/holdout.ts';
import { newestOf, opinionOf } from '../definitions/human-opinion.ts';
import { verdictsOnDefinition } from '../definitions/verdict-store.ts';
import { addIssueEvent } from '../issues/events.ts';
import { findIssueId } from '../issues/find.ts';
import { issues } from '../issues/record.ts';
import type { Measured } from '../issues/measured-contract.ts';
import type { TryBody } from '../try-outs/contract.ts';
import type { TryCandidate } from '../try-outs/candidates.ts';
import { holdoutOfIssue } from './draft-store.ts';

/** Most traces of each kind that one measurement judges. */
const MAX_CASES = 50;
/** Most traces that people passed of which the first ones that are held out are taken. */
const MAX_READ = 2_000;

/** Holdout of an issue, on which its evaluator is measured. */
export interface MeasureSample {
  issueId: string;
  definitionId: string;
  definition: TryBody['definition'];
  version: number;
  /** Traces with notes of the issue, which the evaluator should fail. */
  shows: TryCandidate[];
  /** Traces that people passed, which it should pass. */
  passed: TryCandidate[];
  /** Number of earlier measurements. */
  measurements: number;
}

/** Returns the holdout of an issue and its evaluator. Throws `not_found`, and `conflict` without an evaluator. */
function measureSample(
  database: Database,
  { owner: { application }, id, seenBy }: ById & { seenBy: SeenBy },
): MeasureSample {
  const issueId = findIssueId(database, application, id);
  const { evalDefinitionId } = issues.pick('id', 'evalDefinitionId').require(database, application, issueId);
  const definition =
    evalDefinitionId === null ? undefined : definitions.find(database, application, evalDefinitionId);
  if (!definition)
    throw new AppError('conflict', 'The issue has no evaluator to measure; choose or create one first');
  const { id: definitionId, version, name, type, globalConfig, styleGuideId, repeats } = definition;
  const shows = holdoutOfIssue(database, { application, issueId, seenBy }).slice(0, MAX_CASES);
  const { annotations } = verdictsOnDefinition(database, { application, definitionId, isOverall: true });
  const byTrace = Map.groupBy(
    annotations.map((one) => ({ ...one, traceId: one.traceId.toLowerCase() })),
    ({ traceId }) => traceId,
  );
  const passed: string[] = [];
  for (const [traceHex, all] of [...byTrace].slice(0, MAX_READ)) {
    if (passed.length === MAX_CASES) break;
    if (halfOf(traceHex) !== 'HOLDOUT' || opinionOf(newestOf(all)).human !== true) continue;
    if (!isLinked(database, { application, issueId, traceHex })) passed.push(traceHex);
  }
  return {
    issueId,
    definitionId,
    definition: { name, type, globalConfig, styleGuideId, repeats },
    version,
    shows: shows.map((traceHex) => candidateOf(database, application, traceHex)),
    passed: passed.map((traceHex) => candidateOf(database, application, traceHex)),
    measurements: countMeasured(database, { application, issueId }),
  };
}

const isLinked = (
  database: Database,
  { application, issueId, traceHex }: { application: number; issueId: string; traceHex: string },
): boolean =>
  database.get(
    `SELECT 1 FROM issue_link
     WHERE application = :application AND issue_id = :issueId AND trace_id = :traceId LIMIT 1`,
    { application, issueId, traceId: Buffer.from(traceHex, 'hex') },
  ) !== undefined;

/** Returns the test of a trace with all its traces, else the trace itself. */
function candidateOf(database: Database, application: number, traceHex: string): TryCandidate {
  const rows = database.all<{ testId: string; traceHex: string }>(
    `SELECT ${uuidOf('link.test_id')} AS "testId", ${hexOf('other.trace_id')} AS "traceHex"
     FROM trace JOIN trace_test AS link ON link.application = trace.application AND link.tkey = trace.tkey
     JOIN trace_test AS beside ON beside.application = link.application AND beside.test_id = link.test_id
     JOIN trace AS other ON other.application = beside.application AND other.tkey = beside.tkey
     WHERE trace.application = :application AND trace.trace_id = :traceId
     ORDER BY link.first_ns, link.test_id LIMIT 20`,
    { application, traceId: Buffer.from(traceHex, 'hex') },
  );
  const [first] = rows;
  if (!first) return { testId: null, traces: [traceHex] };
  const { testId } = first;
  return { testId, traces: rows.filter((row) => row.testId === testId).map((row) => row.traceHex) };
}

const countMeasured = (database: Database, of: { application: number; issueId: string }): number =>
  database.get<{ n: number }>(
    `SELECT count(*) AS n FROM issue_event
     WHERE application = :application AND issue_id = :issueId AND kind = 'MEASURED'`,
    { ...of },
  )?.n ?? 0;

/** Adds a measurement to the activity of an issue. Throws `not_found`. */
function noteMeasured(
  database: Database,
  {
    owner: { application },
    id: issueId,
    measured,
    actor,
    at,
  }: ById & { measured: Measured; actor: Actor; at: number },
): void {
  if (!issues.pick('id').find(database, application, issueId)) throw notFound('issue');
  addIssueEvent(database, { application, issueId, kind: 'MEASURED', actor, at, detail: { measured } });
}

export const measureQueries = { measureSample };
export const measureCommands = { noteMeasured };
