import { evaluatorOf } from '../../evaluate/evaluators.ts';
import { judgeGate, weightedConfusion } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { Confusion } from '../../evaluate/statistics/agreement.ts';
import type { Gate } from './contract.ts';
import { gateOf, shownState } from './gate.ts';
import { halfOf } from './holdout.ts';
import { earlierJudgeVersion, judgeChange } from './judge-change.ts';
import { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';
import { type RandomTrace, randomTraces } from './drawn-subjects.ts';
import {
  type HumanVerdicts,
  newestJudgeVersion,
  type OfJudge,
  type OfVersion,
  reportedVerdicts,
  type ReportedVerdicts,
  verdictsOnDefinition,
} from './verdict-store.ts';

const judgedDefinitions = definitions.pick(
  'id',
  'version',
  'type',
  'gateMinKappa',
  'gateMinAnnotations',
  'gateMaxAgeDays',
  'gateCanaries',
  'isOverall',
  'issueId',
);

/** Reports whether a judge model judges by definitions of a type. */
export const isJudgedByModel = (type: string): boolean => evaluatorOf(type)?.judgedBy === 'model';

/** Human verdicts on the evals of a version of a definition, and what they prove. */
export interface JudgeStanding extends ReportedVerdicts {
  /** Definition, version and the judge of its newest eval. */
  of: OfJudge;
  /** Verdicts on subjects that a queue drew at random and people have judged, weighted if the draw preferred some. */
  random: Confusion;
  /** Number of these subjects, and of those that the judge passes by its newest verdict. */
  randomCounts: { judged: number; passed: number };
  gate: Reliability['gate'];
  isAdvisory: boolean;
  /** True if the gate has been valid, and expired, was revoked, or applies to an earlier judge. */
  isLost: boolean;
}

/**
 * Returns what human verdicts prove of a version of a definition (the current one unless given); null if it does not
 * exist. Call it in a reader only.
 */
export function judgeStanding(
  database: Database,
  {
    application,
    id,
    version: asked,
    now,
  }: { application: number; id: string; version?: number | null; now: number },
): JudgeStanding | null {
  const definition = judgedDefinitions.find(database, application, id);
  const version = asked ?? definition?.version;
  if (!definition || version === undefined || version > definition.version) return null;
  const drawn = randomTraces(database, application);
  return standingOf(database, { application, definition: { ...definition, version }, drawn, now });
}

/** Returns the judge of the current version of a definition. Throws `not_found`. */
export function judgeToMeasure(database: Database, application: number, definitionId: string): OfJudge {
  definitions.requireAll(database, application, [definitionId]);
  const { type, version } = judgedDefinitions.require(database, application, definitionId);
  return judgeOf(database, { application, definitionId, version }, type);
}

const judgeOf = (database: Database, of: OfVersion, type: string): OfJudge => ({
  ...of,
  judgeVersion: isJudgedByModel(type) ? newestJudgeVersion(database, of) : null,
});

type JudgedDefinition = FieldsOf<typeof judgedDefinitions>;

function standingOf(
  database: Database,
  {
    application,
    definition,
    drawn,
    now,
  }: {
    application: number;
    definition: JudgedDefinition;
    drawn: readonly RandomTrace[];
    now: number;
  },
): JudgeStanding {
  const { id: definitionId, version, type, isOverall, issueId } = definition;
  const of = judgeOf(database, { application, definitionId, version }, type);
  const all = { ...verdictsOnDefinition(database, { application, definitionId, isOverall }), drawn };
  const given = issueId === null ? all : inHoldout(all);
  const verdicts = reportedVerdicts(database, of, given, now);
  const judged = verdicts.drawn.filter(({ at }) => at !== null);
  const rule = gateOf(definition);
  const state = rule && judgeGate(verdicts.drawn, rule, now);
  const change = state?.test === null ? judgeChange(database, of) : null;
  const gate = rule && state && shownState(rule, state, { verdicts: judged.length, change });
  const isLost =
    rule !== null &&
    state !== null &&
    !state.isValid &&
    (state.isExpired || state.revokedBy !== null || wasProved(database, of, given, { rule, now }));
  return {
    ...verdicts,
    of,
    random: weightedConfusion(judged),
    randomCounts: { judged: judged.length, passed: judged.filter(({ newest }) => newest).length },
    gate,
    isAdvisory: isJudgedByModel(type) && gate?.isValid !== true,
    isLost: isJudgedByModel(type) && isLost,
  };
}

/** Returns the verdicts on the holdout: a definition that was drafted from notes is measured on nothing that it was drafted from. */
function inHoldout({ annotations, deleted, drawn, ...more }: HumanVerdicts): HumanVerdicts {
  const isHeldOut = ({ traceId }: { traceId: string }): boolean =>
    halfOf(traceId.toLowerCase()) === 'HOLDOUT';
  return {
    ...more,
    annotations: annotations.filter(isHeldOut),
    deleted: deleted.filter(isHeldOut),
    drawn: drawn.filter(isHeldOut),
  };
}

/** Reports whether the judge before this one has passed its last test. */
function wasProved(
  database: Database,
  of: OfJudge,
  given: HumanVerdicts,
  { rule, now }: { rule: NonNullable<Gate>; now: number },
): boolean {
  const judgeVersion = earlierJudgeVersion(database, of);
  if (judgeVersion === null) return false;
  const earlier = reportedVerdicts(database, { ...of, judgeVersion }, given, now);
  return judgeGate(earlier.drawn, rule, now).test?.isPassed === true;
}

/** Standing of definitions that use a judge model. */
export interface Standings {
  /** Ids of those whose verdicts are only shown, because no valid gate proves that their judge agrees with people. */
  advisory: ReadonlySet<string>;
  /** Reasons why the gates of advisory ones are not valid, by id; those without a gate have none. */
  reasons: ReadonlyMap<string, string>;
  /** Standing of the others, by id. */
  gated: ReadonlyMap<string, JudgeStanding>;
  /** Ids of advisory ones that had a valid gate. */
  lost: ReadonlySet<string>;
}

/** Returns the standing of those of the definitions that use a judge model. Call it in a reader only. */
export function judgeStandings(
  database: Database,
  { application, ids, now }: { application: number; ids: Iterable<string>; now: number },
): Standings {
  const judged = [...judgedDefinitions.byIds(database, application, ids).values()].filter(({ type }) =>
    isJudgedByModel(type),
  );
  const withGate = judged.filter((definition) => gateOf(definition) !== null);
  // Without a gate, no verdict of people has to be read.
  const drawn = withGate.length === 0 ? [] : randomTraces(database, application);
  const gated = new Map<string, JudgeStanding>();
  const reasons = new Map<string, string>();
  const lost = new Set<string>();
  for (const definition of withGate) {
    const standing = standingOf(database, { application, definition, drawn, now });
    if (!standing.isAdvisory) gated.set(definition.id, standing);
    else if (standing.gate?.reason) reasons.set(definition.id, standing.gate.reason);
    if (standing.isLost) lost.add(definition.id);
  }
  return { gated, reasons, lost, advisory: new Set(judged.flatMap(({ id }) => (gated.has(id) ? [] : [id]))) };
}
