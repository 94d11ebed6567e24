import type { Database } from '../../storage/database.ts';
import {
  bytesOf,
  each,
  hexOf,
  inTimeAtEach,
  orderedJoin,
  unindexed,
  valuesOf,
} from '../../storage/dialect.ts';
import { formatUuid } from '../../traces/ids.ts';
import { type DrawnSubject, drawnSubjects, type RandomTrace } from './drawn-subjects.ts';
import {
  type Annotation,
  type JudgedTarget,
  newestOf,
  opinionOf,
  type ReportedVerdict,
  type TargetVerdict,
} from './human-opinion.ts';

export interface ReportedVerdicts {
  reported: ReportedVerdict[];
  /** Subjects that were drawn at random, in the order of the draws. */
  drawn: DrawnSubject[];
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

/** Verdicts of people on a definition, and the traces that were drawn at random. */
export interface HumanVerdicts {
  /** Newest first. */
  annotations: readonly Annotation[];
  /** Verdicts on traces that were drawn and deleted later. */
  deleted: readonly Annotation[];
  /** True if people judged a trace of a draw without a definition by the criterion, and deleted that verdict. */
  wasAsked: boolean;
  /** Traces in the order of the draws. */
  drawn: readonly RandomTrace[];
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
 * unsure, are undecided.
 */
export function reportedVerdicts(
  database: Database,
  of: OfJudge,
  given: HumanVerdicts,
  now: number,
): ReportedVerdicts {
  const { annotations, deleted } = given;
  const byTrace = Map.groupBy(annotations, ({ traceId }) => traceId);
  const asked = askedTraces(of, given);
  const testsOfDeleted = new Map(asked.flatMap(({ traceId, tests }) => (tests ? [[traceId, tests]] : [])));
  const traceIds = new Set([...byTrace.keys(), ...asked.map(({ traceId }) => traceId)]);
  const targets = evalsOfTraces(database, of, traceIds, testsOfDeleted);
  const judged = byTarget(targets, byTrace);
  return {
    reported: [...judged.values()].flatMap(({ judge, annotations: all }) =>
      all.length === 0 ? [] : [{ judge, ...opinionOf(newestOf(all)) }],
    ),
    drawn: drawnSubjects({
      asked,
      targets,
      // Verdicts on a trace whose deletion is in progress are in both lists.
      opinions: byTarget(
        targets,
        Map.groupBy([...annotations, ...deleted], ({ traceId }) => traceId),
      ),
      now,
    }),
    unjudged: [...byTrace.keys()].filter((traceId) => !targets.has(traceId)).length,
    byTrace: new Map([...byTrace].map(([traceId, all]) => [traceId, newestOf(all)])),
  };
}

/**
 * Returns the traces that were drawn for people to judge by this definition: those of draws that name it, and, if people have judged one of
 * them by it, those of all draws that name none.
 */
function askedTraces(
  { definitionId }: OfJudge,
  { annotations, deleted, wasAsked, drawn }: HumanVerdicts,
): RandomTrace[] {
  const judged = new Set([...annotations, ...deleted].map(({ traceId }) => traceId));
  const areAsked = wasAsked || drawn.some((one) => one.evalDefinitionId === null && judged.has(one.traceId));
  return drawn.filter(({ evalDefinitionId: named }) => (named === null ? areAsked : named === definitionId));
}

/** Returns the subjects that a judge and people have judged, by the id of the test or of the trace, in hex. */
export function judgedTargets(
  database: Database,
  of: OfJudge,
  { annotations }: Pick<HumanVerdicts, 'annotations'>,
): Map<string, JudgedTarget> {
  const byTrace = Map.groupBy(annotations, ({ traceId }) => traceId);
  return byTarget(evalsOfTraces(database, of, new Set(byTrace.keys()), new Map()), byTrace);
}

function byTarget(
  targets: ReadonlyMap<string, readonly TargetVerdict[]>,
  byTrace: ReadonlyMap<string, readonly Annotation[]>,
): Map<string, JudgedTarget> {
  const all = new Map<string, JudgedTarget>();
  for (const [traceId, found] of targets)
    for (const { target, newest } of found) {
      const known = all.get(target) ?? { judge: newest, annotations: [] };
      known.annotations.push(...(byTrace.get(traceId) ?? []));
      all.set(target, known);
    }
  return all;
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

/** Returns what people said of traces that were drawn and deleted later. */
const deletedOn = (database: Database, application: number, evalDefinitionId: string | null): Annotation[] =>
  database.all<Annotation>(
    `SELECT ${hexOf('trace_id')} AS traceId, annotator_id AS annotatorId, verdict, created_at AS createdAt
     FROM deleted_verdict WHERE application = :application AND eval_definition_id = :criterion
     ORDER BY created_at DESC LIMIT ${MAX_ANNOTATIONS}`,
    { application, criterion: evalDefinitionId ?? '' },
  );

/**
 * Returns what people said of a definition. Of a person who judged a trace by its criterion, a verdict on the complete trace
 * does not count.
 */
export function verdictsOnDefinition(
  database: Database,
  { application, definitionId, isOverall }: { application: number; definitionId: string; isOverall: boolean },
): Omit<HumanVerdicts, 'drawn'> {
  const criteria = isOverall ? [definitionId, ''] : [definitionId];
  const of = (find: typeof annotationsOn): Annotation[] => {
    const own = find(database, application, definitionId);
    return isOverall ? withOverall(own, find(database, application, null)) : own;
  };
  const asked = database.get(
    `SELECT 1 FROM asked_criterion WHERE application = :application AND eval_definition_id IN ${valuesOf(':criteria')}`,
    { application, criteria: JSON.stringify(criteria) },
  );
  return { annotations: of(annotationsOn), deleted: of(deletedOn), wasAsked: asked !== undefined };
}

function withOverall(own: readonly Annotation[], overall: readonly Annotation[]): Annotation[] {
  const judged = new Set(own.map(({ traceId, annotatorId }) => `${traceId} ${annotatorId}`));
  return [...own, ...overall.filter(({ traceId, annotatorId }) => !judged.has(`${traceId} ${annotatorId}`))];
}

/**
 * Returns, by trace, the verdicts of the judge on the trace or on the tests that it belongs to. `deleted` has the tests of traces that were
 * deleted, whose evals remain.
 */
function evalsOfTraces(
  database: Database,
  of: OfJudge,
  traceIds: ReadonlySet<string>,
  deleted: ReadonlyMap<string, readonly string[]>,
): Map<string, TargetVerdict[]> {
  const traces = JSON.stringify([...traceIds]);
  const tests = database.all<{ traceId: string; testId: Buffer }>(
    `SELECT value AS traceId, test_id AS testId
     FROM ${each(':traces')} ${orderedJoin} trace ON trace.application = :application AND trace.trace_id = ${bytesOf('value')}
     ${orderedJoin} trace_test ON trace_test.application = :application AND trace_test.tkey = trace.tkey`,
    { traces, application: of.application },
  );
  const tracesOfTests = new Map<string, Set<string>>();
  const link = (traceId: string, testId: string): void => {
    tracesOfTests.set(testId, (tracesOfTests.get(testId) ?? new Set()).add(traceId));
  };
  for (const { traceId, testId } of tests) link(traceId, formatUuid(testId));
  for (const [traceId, testIds] of deleted) for (const testId of testIds) link(traceId, testId);
  const completed = (join: string): string =>
    `SELECT value AS target, passed FROM ${each(':targets')} ${orderedJoin} eval
     ON application = :application AND ${join} AND ${unindexed('definition_id')} = :definitionId
       AND definition_version = :version AND ${unindexed('status')} = 'COMPLETED'
       AND judge_version IS NOT DISTINCT FROM :judgeVersion
     ORDER BY eval.version`;
  const ofTraces = verdictsOf(
    database.all<TargetEval>(completed(`trace_id = ${bytesOf('value')} AND test_id IS NULL`), {
      ...of,
      targets: traces,
    }),
  );
  const ofTests = verdictsOf(
    database.all<TargetEval>(completed('test_id = value'), {
      ...of,
      targets: JSON.stringify([...tracesOfTests.keys()]),
    }),
  );
  const found = new Map(ofTraces.map((one) => [one.target, [one]]));
  for (const one of ofTests)
    for (const traceId of tracesOfTests.get(one.target) ?? [])
      found.set(traceId, [...(found.get(traceId) ?? []), one]);
  return found;
}

interface TargetEval {
  target: string;
  passed: number;
}

/** Returns the first and the newest verdict on each target, from evals in the order in which they were made. */
const verdictsOf = (evals: readonly TargetEval[]): TargetVerdict[] =>
  [...Map.groupBy(evals, ({ target }) => target)].map(([target, all]) => ({
    target,
    first: all[0]?.passed === 1,
    newest: all.at(-1)?.passed === 1,
  }));

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
