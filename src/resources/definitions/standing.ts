import { evaluatorOf } from '../../evaluate/evaluators.ts';
import { confusionOf, judgeGate } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import type { Confusion } from '../../evaluate/statistics/agreement.ts';
import { gateOf, shownState } from './gate.ts';
import { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';
import {
  newestJudgeVersion,
  type OfJudge,
  reportedVerdicts,
  type ReportedVerdicts,
} from './verdict-store.ts';

const types = definitions.pick('id', 'type');
const judgedDefinitions = definitions.pick('version', 'type', 'gateMinKappa', 'gateMinAnnotations');

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
  const ofVersion = { application, definitionId: id, version };
  const of = { ...ofVersion, judgeVersion: newestJudgeVersion(database, ofVersion) };
  const verdicts = reportedVerdicts(database, of);
  const random = verdicts.reported.filter(({ isRandom }) => isRandom).toSorted((a, b) => a.since - b.since);
  const rule = gateOf(definition);
  const gate = rule && shownState(rule, judgeGate(random, rule), random.length);
  return {
    ...verdicts,
    of,
    random: confusionOf(random),
    gate,
    isAdvisory: isJudged(definition.type) && gate?.isValid !== true,
  };
}

/** Returns the standing of those of the definitions that ask a judge model, by id. Call it in a reader only. */
export function judgeStandings(
  database: Database,
  application: number,
  ids: Iterable<string>,
): Map<string, JudgeStanding> {
  const standings = new Map<string, JudgeStanding>();
  for (const { id, type } of types.byIds(database, application, ids).values()) {
    if (!isJudged(type)) continue;
    const standing = judgeStanding(database, { application, id });
    if (standing) standings.set(id, standing);
  }
  return standings;
}
