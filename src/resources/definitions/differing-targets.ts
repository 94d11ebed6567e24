import type { Database } from '../../storage/database.ts';
import { type Annotation, newestOf, opinionOf } from './human-opinion.ts';
import { definitions } from './record.ts';
import { judgedTargets, newestJudgeVersion, verdictsOnDefinition } from './verdict-store.ts';

/** A test or trace on which the current version of a definition and the majority of people differ. */
export interface DifferingTarget {
  /** Id of the test, or of the trace in hex. */
  target: string;
  /** Verdicts of people, the newest first. */
  annotations: readonly Annotation[];
}

/** Lists the targets on which the current version of a definition and the majority of people differ. Throws `not_found`. */
export function differingTargets(
  database: Database,
  { application, definitionId }: { application: number; definitionId: string },
): DifferingTarget[] {
  const { version, isOverall } = definitions.require(database, application, definitionId);
  const of = { application, definitionId, version };
  const given = verdictsOnDefinition(database, { ...of, isOverall });
  const targets = judgedTargets(database, { ...of, judgeVersion: newestJudgeVersion(database, of) }, given);
  return [...targets].flatMap(([target, { judge, annotations }]) => {
    const { human } = opinionOf(newestOf(annotations));
    return human === null || human === judge ? [] : [{ target, annotations }];
  });
}
