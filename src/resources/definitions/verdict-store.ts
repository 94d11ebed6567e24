import type { SharedVerdicts } from '../../evaluate/statistics/krippendorff.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, inTimeAtEach, orderedJoin, unindexed } from '../../storage/dialect.ts';
import { formatUuid } from '../../traces/ids.ts';

/** Verdicts of a version of a definition and of people on the same trace; true means passed. */
export interface ReportedVerdict {
  judge: boolean;
  human: boolean;
  /** True if a queue drew the trace at random. */
  isRandom: boolean;
  /** Time of the first human verdict, in Unix milliseconds. */
  since: number;
}

export interface ReportedVerdicts {
  reported: ReportedVerdict[];
  /** Number of evals on which people are tied. */
  tied: number;
  /** Number of annotated traces without an eval. */
  unjudged: number;
  /** Verdicts of people by trace, judged or not. */
  byTrace: SharedVerdicts[];
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

/** Verdict of a person on a trace. */
export interface Annotation {
  traceId: string;
  annotatorId: string;
  verdict: number;
  isRandom: number;
  createdAt: number;
}
interface TargetEval {
  target: string;
  passed: number;
}

/** Returns the version of the judge that made the newest completed eval; null when it has none. */
export const newestJudgeVersion = (database: Database, of: OfVersion): string | null =>
  database.get<{ judgeVersion: string | null }>(
    `SELECT judge_version AS "judgeVersion" FROM eval
     WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
       AND status = 'COMPLETED'
     ORDER BY created_at DESC LIMIT 1`,
    { ...of },
  )?.judgeVersion ?? null;

/** Returns the traces that both people and a judge have judged. The annotations are those of the application, newest first. */
export function reportedVerdicts(
  database: Database,
  of: OfJudge,
  annotations: readonly Annotation[],
): ReportedVerdicts {
  const targets = evalsOfTraces(database, of, new Set(annotations.map(({ traceId }) => traceId)));
  const byTarget = new Map<string, { judge: boolean; annotations: Annotation[] }>();
  const unjudged = new Set<string>();
  for (const annotation of annotations) {
    const evals = targets.get(annotation.traceId) ?? [];
    if (evals.length === 0) unjudged.add(annotation.traceId);
    for (const { target, passed } of evals) {
      const known = byTarget.get(target);
      if (known) known.annotations.push(annotation);
      else byTarget.set(target, { judge: passed === 1, annotations: [annotation] });
    }
  }
  const verdicts = [...byTarget.values()].map((one) => ({ ...one, human: majority(one.annotations) }));
  return {
    reported: verdicts.flatMap(({ judge, human, annotations: ofTarget }) =>
      human === null
        ? []
        : [
            {
              judge,
              human,
              isRandom: ofTarget.some(({ isRandom }) => isRandom === 1),
              since: Math.min(...ofTarget.map(({ createdAt }) => createdAt)),
            },
          ],
    ),
    tied: verdicts.filter(({ human }) => human === null).length,
    unjudged: unjudged.size,
    byTrace: [...Map.groupBy(annotations, ({ traceId }) => traceId).values()].map(sharedVerdicts),
  };
}

/**
 * Returns the majority of annotations, which are sorted newest first; only the first of each person counts. Returns
 * null for a tie.
 */
function majority(annotations: readonly Annotation[]): boolean | null {
  const { passed, count } = sharedVerdicts(annotations);
  return 2 * passed === count ? null : 2 * passed > count;
}

/** Counts the newest annotation of each person. The annotations are sorted newest first. */
function sharedVerdicts(annotations: readonly Annotation[]): SharedVerdicts {
  const newest = new Map<string, number>();
  for (const { annotatorId, verdict } of annotations)
    if (!newest.has(annotatorId)) newest.set(annotatorId, verdict);
  const passed = [...newest.values()].filter((verdict) => verdict === 1).length;
  return { passed, count: newest.size };
}

/** Returns the annotations, newest first. */
export const newestAnnotations = (database: Database, application: number): Annotation[] =>
  database.all<Annotation>(
    `SELECT ${hexOf('trace_id')} AS traceId, annotator_id AS annotatorId, verdict, created_at AS createdAt, EXISTS (
       SELECT 1 FROM annotation_queue_item AS item
       WHERE item.application = human_annotation.application AND item.trace_id = human_annotation.trace_id
         AND selection = 'RANDOM' AND completed_at IS NOT NULL) AS isRandom
     FROM human_annotation WHERE application = :application ORDER BY created_at DESC, id DESC LIMIT ${MAX_ANNOTATIONS}`,
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
