import { evaluatorOf } from '../../evaluate/evaluators.ts';
import { confusionOf, judgeGate } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { Confusion } from '../../evaluate/statistics/agreement.ts';
import { gateOf, shownState } from './gate.ts';
import { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';
import {
  type Annotation,
  newestAnnotations,
  newestJudgeVersion,
  type OfJudge,
  reportedVerdicts,
  type ReportedVerdicts,
} from './verdict-store.ts';

const judgedDefinitions = definitions.pick('id', 'version', 'type', 'gateMinKappa', 'gateMinAnnotations');

const isJudged = (type: string): boolean => evaluatorOf(type)?.judgedBy === 'model';

/** Human verdicts on the evals of a version of a definition, and what they prove. */
export interface JudgeStanding extends ReportedVerdicts {
  /** Definition, version and the judge of its newest eval. */
  of: OfJudge;
  /** Verdicts on subjects that a queue drew at random. */
  random: Confusion;
  gate: Reliability['gate'];
  isAdvisory: boolean;
}

/**
 * Returns what human verdicts prove of a version of a definition (the current one unless given); null if it does not
 * exist. Call it in a reader only.
 */
export function judgeStanding(
  database: Database,
  { application, id, version: asked }: { application: number; id: string; version?: number | null },
): JudgeStanding | null {
  const definition = judgedDefinitions.find(database, application, id);
  const version = asked ?? definition?.version;
  if (!definition || version === undefined || version > definition.version) return null;
  const annotations = newestAnnotations(database, application);
  return standingOf(database, { application, definition: { ...definition, version }, annotations });
}

type JudgedDefinition = FieldsOf<typeof judgedDefinitions>;

function standingOf(
  database: Database,
  {
    application,
    definition,
    annotations,
  }: { application: number; definition: JudgedDefinition; annotations: readonly Annotation[] },
): JudgeStanding {
  const { id: definitionId, version, type } = definition;
  const ofVersion = { application, definitionId, version };
  const of = { ...ofVersion, judgeVersion: newestJudgeVersion(database, ofVersion) };
  const verdicts = reportedVerdicts(database, of, annotations);
  const random = verdicts.reported.filter(({ isRandom }) => isRandom).toSorted((a, b) => a.since - b.since);
  const rule = gateOf(definition);
  const gate = rule && shownState(rule, judgeGate(random, rule), random.length);
  return {
    ...verdicts,
    of,
    random: confusionOf(random),
    gate,
    isAdvisory: isJudged(type) && gate?.isValid !== true,
  };
}

/** Standing of definitions that use a judge model. */
export interface Standings {
  /** Ids of those whose verdicts are only shown, because no valid gate proves that their judge agrees with people. */
  advisory: ReadonlySet<string>;
  /** Standing of the others, by id. */
  gated: ReadonlyMap<string, JudgeStanding>;
}

/** Returns the standing of those of the definitions that use a judge model. Call it in a reader only. */
export function judgeStandings(database: Database, application: number, ids: Iterable<string>): Standings {
  const judged = [...judgedDefinitions.byIds(database, application, ids).values()].filter(({ type }) =>
    isJudged(type),
  );
  const withGate = judged.filter((definition) => gateOf(definition) !== null);
  // Without a gate, no verdict of people has to be read.
  const annotations = withGate.length === 0 ? [] : newestAnnotations(database, application);
  const gated = new Map<string, JudgeStanding>();
  for (const definition of withGate) {
    const standing = standingOf(database, { application, definition, annotations });
    if (!standing.isAdvisory) gated.set(definition.id, standing);
  }
  return { gated, advisory: new Set(judged.flatMap(({ id }) => (gated.has(id) ? [] : [id]))) };
}
