import type { DrawnPair, VerdictPair } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, inTimeAtEach, orderedJoin, unindexed } from '../../storage/dialect.ts';
import { formatUuid } from '../../traces/ids.ts';

/** Verdicts of a version of a definition and of people on the same subject; true means passed. */
export interface ReportedVerdict extends VerdictPair {
  /** Number of people. */
  people: number;
  /** True if people differed. */
  isDisputed: boolean;
}

export interface ReportedVerdicts {
  reported: ReportedVerdict[];
  /** Subjects that were drawn at random, in the order of the draws. */
  drawn: DrawnPair[];
  /** Number of annotated traces without an eval. */
  unjudged: number;
  /** Newest verdict of each person, by trace, judged or not. */
  byTrace: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface OfVersion {
  application: number;
  definitionId: string;
  version: number;
}

/** Evals of one version of a definition by one judge. */
export interface OfJudge extends OfVersion {
  /** Version of the judge; null for evals that have none. */
  judgeVersion: string | null;
}

/** Most annotations that are read, newest first; more than people write. */
const MAX_ANNOTATIONS = 100_000;

/** Verdict of a person on a trace: 1 = pass, 0 = fail, 0.5 = unsure. */
export interface Annotation {
  traceId: string;
  annotatorId: string;
  verdict: number;
  createdAt: number;
}

/** A trace that a queue drew at random. */
export interface RandomTrace {
  traceId: string;
  queueId: string;
  expiresAt: number;
  /** Number of traces that it stands for, relative to others. */
  weight: number;
}

/** Verdicts of people on a definition, and the traces that were drawn for them to judge. */
export interface HumanVerdicts {
  /** Newest first. */
  annotations: readonly Annotation[];
  /** Traces in the order of the draws. */
  drawn: readonly RandomTrace[];
}

interface TargetEval {
  target: string;
  passed: number;
}

/**
 * Returns the version of the judge that made the newest completed eval; null when it has none. Evals that no model made, such as
 * those of an app that gave no output, say nothing about the judge.
 */
export const newestJudgeVersion = (database: Database, of: OfVersion): string | null =>
  database.get<{ judgeVersion: string | null }>(
    `SELECT judge_version AS "judgeVersion" FROM eval
     WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
       AND status = 'COMPLETED' AND judge_version IS NOT NULL
     ORDER BY created_at DESC LIMIT 1`,
    { ...of },
  )?.judgeVersion ?? null;

/**
 * Returns the subjects that both people and a judge have judged, and those that were drawn for it. People who are tied, or
 * unsure, are undecided. A drawn subject that no one judged before its item expired is undecided too, so that none is left
 * out for what people would say of it.
 */
export function reportedVerdicts(
  database: Database,
  of: OfJudge,
  { annotations, drawn }: HumanVerdicts,
  now: number,
): ReportedVerdicts {
  const byTrace = Map.groupBy(annotations, ({ traceId }) => traceId);
  // A queue asks about a definition when people have answered for one of its traces.
  const asking = new Set(drawn.flatMap(({ traceId, queueId }) => (byTrace.has(traceId) ? [queueId] : [])));
  const asked = drawn.filter(({ queueId }) => asking.has(queueId));
  const traceIds = new Set([...byTrace.keys(), ...asked.map(({ traceId }) => traceId)]);
  const targets = evalsOfTraces(database, of, traceIds);
  const byTarget = new Map<string, { judge: boolean; annotations: Annotation[] }>();
  for (const [traceId, found] of targets)
    for (const { target, passed } of found) {
      const known = byTarget.get(target) ?? { judge: passed === 1, annotations: [] };
      known.annotations.push(...(byTrace.get(traceId) ?? []));
      byTarget.set(target, known);
    }
  return {
    reported: [...byTarget.values()].flatMap(({ judge, annotations: all }) =>
      all.length === 0 ? [] : [{ judge, ...opinionOf(newestOf(all)) }],
    ),
    drawn: drawnPairs(asked, targets, byTarget, now),
    unjudged: [...byTrace.keys()].filter((traceId) => !targets.has(traceId)).length,
    byTrace: new Map([...byTrace].map(([traceId, all]) => [traceId, newestOf(all)])),
  };
}

/** Returns each subject that was drawn once, at the place of its first draw. */
function drawnPairs(
  asked: readonly RandomTrace[],
  targets: ReadonlyMap<string, readonly TargetEval[]>,
  byTarget: ReadonlyMap<string, { judge: boolean; annotations: readonly Annotation[] }>,
  now: number,
): DrawnPair[] {
  const pairs = new Map<string, DrawnPair>();
  for (const { traceId, expiresAt, weight } of asked)
    for (const { target, passed } of targets.get(traceId) ?? []) {
      if (pairs.has(target)) continue;
      const annotations = byTarget.get(target)?.annotations ?? [];
      const judge = passed === 1;
      const since = Math.min(...annotations.map(({ createdAt }) => createdAt));
      if (annotations.length > 0)
        pairs.set(target, { judge, human: opinionOf(newestOf(annotations)).human, at: since, weight });
      else pairs.set(target, { judge, human: null, at: expiresAt <= now ? expiresAt : null, weight });
    }
  return [...pairs.values()];
}

/** Returns the newest verdict of each person. */
function newestOf(annotations: readonly Annotation[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { annotatorId, verdict } of annotations.toSorted((a, b) => b.createdAt - a.createdAt))
    if (!newest.has(annotatorId)) newest.set(annotatorId, verdict);
  return newest;
}

/** Returns the majority of people; null if they are tied. */
function opinionOf(verdicts: ReadonlyMap<string, number>): Omit<ReportedVerdict, 'judge'> {
  const [people, passed] = [verdicts.size, [...verdicts.values()].reduce((sum, one) => sum + one, 0)];
  return {
    human: 2 * passed === people ? null : 2 * passed > people,
    people,
    isDisputed: new Set(verdicts.values()).size > 1,
  };
}

/** Returns what people said of a criterion (null: of complete traces), newest first. */
const annotationsOn = (
  database: Database,
  application: number,
  evalDefinitionId: string | null,
): Annotation[] =>
  database.all<Annotation>(
    `SELECT ${hexOf('trace_id')} AS traceId, annotator_id AS annotatorId,
       CASE WHEN unsure = 1 THEN 0.5 ELSE verdict END AS verdict, created_at AS createdAt
     FROM human_annotation
     WHERE application = :application AND eval_definition_id IS NOT DISTINCT FROM :evalDefinitionId
       AND (verdict IS NOT NULL OR unsure = 1)
     ORDER BY created_at DESC, id DESC LIMIT ${MAX_ANNOTATIONS}`,
    { application, evalDefinitionId },
  );

/**
 * Returns what people said of a definition. Of a person who judged a trace by its criterion, a verdict on the complete trace
 * does not count.
 */
export function verdictsOnDefinition(
  database: Database,
  { application, definitionId, isOverall }: { application: number; definitionId: string; isOverall: boolean },
): Annotation[] {
  const own = annotationsOn(database, application, definitionId);
  if (!isOverall) return own;
  const judged = new Set(own.map(({ traceId, annotatorId }) => `${traceId} ${annotatorId}`));
  const whole = annotationsOn(database, application, null).filter(
    ({ traceId, annotatorId }) => !judged.has(`${traceId} ${annotatorId}`),
  );
  return [...own, ...whole];
}

/** Returns the traces that queues drew at random, in the order of the draws. */
export const randomTraces = (database: Database, application: number): RandomTrace[] =>
  database.all<RandomTrace>(
    `SELECT ${hexOf('trace_id')} AS traceId, queue_id AS queueId, expires_at AS expiresAt, weight
     FROM annotation_queue_item WHERE application = :application AND drawn_at IS NOT NULL
     ORDER BY drawn_at, place, id LIMIT ${MAX_ANNOTATIONS}`,
    { application },
  );

/** Returns, by trace, the newest eval that the judge completed for the trace or for a test that it belongs to. */
function evalsOfTraces(
  database: Database,
  of: OfJudge,
  traceIds: ReadonlySet<string>,
): Map<string, TargetEval[]> {
  const traces = JSON.stringify([...traceIds]);
  const tests = database.all<{ traceId: string; testId: Buffer }>(
    `SELECT value AS traceId, test_id AS testId
     FROM ${each(':traces')} ${orderedJoin} trace ON trace.application = :application AND trace.trace_id = ${bytesOf('value')}
     ${orderedJoin} trace_test ON trace_test.application = :application AND trace_test.tkey = trace.tkey`,
    { traces, application: of.application },
  );
  const tracesOfTests = Map.groupBy(tests, ({ testId }) => formatUuid(testId));
  const completed = (join: string): string =>
    `SELECT value AS target, passed, max(version) FROM ${each(':targets')} ${orderedJoin} eval
     ON application = :application AND ${join} AND ${unindexed('definition_id')} = :definitionId
       AND definition_version = :version AND ${unindexed('status')} = 'COMPLETED'
       AND judge_version IS NOT DISTINCT FROM :judgeVersion
     GROUP BY value`;
  const ofTraces = database.all<TargetEval>(completed(`trace_id = ${bytesOf('value')} AND test_id IS NULL`), {
    ...of,
    targets: traces,
  });
  const ofTests = database.all<TargetEval>(completed('test_id = value'), {
    ...of,
    targets: JSON.stringify([...tracesOfTests.keys()]),
  });
  const found = new Map(ofTraces.map((one) => [one.target, [one]]));
  for (const one of ofTests)
    for (const { traceId } of tracesOfTests.get(one.target) ?? [])
      found.set(traceId, [...(found.get(traceId) ?? []), one]);
  return found;
}

/** Counts the tests and traces that a judge has judged, by their newest eval. Call it in a reader only. */
export const judgedByVersion = (database: Database, of: OfJudge): { judged: number; passed: number } =>
  database.get<{ judged: number; passed: number }>(
    `SELECT count(*) AS judged, coalesce(sum(passed), 0) AS passed FROM (
       SELECT passed, max(version) FROM eval
       WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
         AND status = 'COMPLETED' AND judge_version IS NOT DISTINCT FROM :judgeVersion AND ${inTimeAtEach('version')}
       GROUP BY coalesce(test_id, trace_id))`,
    { ...of },
  ) as { judged: number; passed: number };
