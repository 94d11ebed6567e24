import type { DrawnPair } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { type JudgedTarget, newestOf, opinionOf, type TargetVerdict } from './human-opinion.ts';

/** Most drawn traces that are read; more than people judge. */
const MAX_DRAWN = 100_000;

/** A trace that was drawn at random. */
export interface RandomTrace {
  traceId: string;
  /** Definition that the draw names; null if it names none. */
  evalDefinitionId: string | null;
  /** Time from which it counts as one that no one judges, in Unix milliseconds: its expiry or deletion. */
  expiresAt: number;
  /** Number of traces that it stands for, relative to others. */
  weight: number;
  /** Tests of a trace that was deleted; null if it was not. */
  tests: readonly string[] | null;
}

/** A subject that was drawn at random. */
export interface DrawnSubject extends DrawnPair {
  /** Newest verdict of the judge; true means passed. */
  newest: boolean;
}

/** Returns the traces that were drawn at random, deleted or not, in the order of the draws. */
export function randomTraces(database: Database, application: number): RandomTrace[] {
  const rows = database.all<Omit<RandomTrace, 'tests'> & { id: string; tests: string | null }>(
    `SELECT id, ${hexOf('trace_id')} AS "traceId", eval_definition_id AS "evalDefinitionId", deleted_at AS "expiresAt", weight, tests,
       drawn_at, place
     FROM deleted_item WHERE application = :application
     UNION ALL
     SELECT id, ${hexOf('trace_id')}, eval_definition_id, expires_at, weight, NULL, drawn_at, place
     FROM annotation_queue_item AS item WHERE application = :application AND drawn_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM deleted_item WHERE application = :application AND deleted_item.id = item.id)
     ORDER BY drawn_at, place, id LIMIT ${MAX_DRAWN}`,
    { application },
  );
  return rows.map(({ tests, ...row }) => ({
    ...row,
    tests: tests === null ? null : (JSON.parse(tests) as string[]),
  }));
}

/**
 * Returns each subject that was drawn once, at the place of its first draw. The first verdict of the judge counts, so that judging again
 * changes nothing. One that no one judged before it expired or was deleted counts as a disagreement: otherwise people could leave
 * out those on which they would disagree.
 */
export function drawnSubjects({
  asked,
  targets,
  opinions,
  now,
}: {
  asked: readonly RandomTrace[];
  targets: ReadonlyMap<string, readonly TargetVerdict[]>;
  opinions: ReadonlyMap<string, JudgedTarget>;
  now: number;
}): DrawnSubject[] {
  const subjects = new Map<string, DrawnSubject>();
  for (const { traceId, expiresAt, weight } of asked)
    for (const { target, first, newest } of targets.get(traceId) ?? []) {
      if (subjects.has(target)) continue;
      const annotations = opinions.get(target)?.annotations ?? [];
      const of = { judge: first, newest, weight };
      if (annotations.length > 0) {
        const at = Math.min(...annotations.map(({ createdAt }) => createdAt));
        subjects.set(target, { ...of, human: opinionOf(newestOf(annotations)).human, at });
      } else if (expiresAt <= now)
        subjects.set(target, { ...of, human: !first, at: expiresAt, isMissing: true });
      else subjects.set(target, { ...of, human: null, at: null });
    }
  return [...subjects.values()];
}
