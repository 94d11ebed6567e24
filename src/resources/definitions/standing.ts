import { evaluatorOf } from '../../evaluate/evaluators.ts';
import { judgeGate, weightedConfusion } from '../../evaluate/statistics/judge-gate.ts';
import type { Database } from '../../storage/database.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { Confusion } from '../../evaluate/statistics/agreement.ts';
import { gateOf, shownState } from './gate.ts';
import { judgeChange } from './judge-change.ts';
import { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';
import {
  type RandomTrace,
  randomTraces,
  newestJudgeVersion,
  type OfJudge,
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
);

const isJudged = (type: string): boolean => evaluatorOf(type)?.judgedBy === 'model';

/** Human verdicts on the evals of a version of a definition, and what they prove. */
export interface JudgeStanding extends ReportedVerdicts {
  /** Definition, version and the judge of its newest eval. */
  of: OfJudge;
  /** Verdicts on subjects that a queue drew at random and people have judged, weighted if the draw preferred some. */
  random: Confusion;
  /** Number of these subjects, and of those that the judge passes. */
  randomCounts: { judged: number; passed: number };
  gate: Reliability['gate'];
  isAdvisory: boolean;
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
  const { id: definitionId, version, type, isOverall } = definition;
  const ofVersion = { application, definitionId, version };
  const judgeVersion = isJudged(type) ? newestJudgeVersion(database, ofVersion) : null;
  const of = { ...ofVersion, judgeVersion };
  const annotations = verdictsOnDefinition(database, { application, definitionId, isOverall });
  const verdicts = reportedVerdicts(database, of, { annotations, drawn }, now);
  const judged = verdicts.drawn.filter(({ at }) => at !== null);
  const rule = gateOf(definition);
  const state = rule && judgeGate(verdicts.drawn, rule, now);
  const change = state?.test === null ? judgeChange(database, of) : null;
  const gate = rule && state && shownState(rule, state, { verdicts: judged.length, change });
  return {
    ...verdicts,
    of,
    random: weightedConfusion(judged),
    randomCounts: { judged: judged.length, passed: judged.filter(({ judge }) => judge).length },
    gate,
    isAdvisory: isJudged(type) && gate?.isValid !== true,
  };
}

/** Standing of definitions that use a judge model. */
export interface Standings {
  /** Ids of those whose verdicts are only shown, because no valid gate proves that their judge agrees with people. */
  advisory: ReadonlySet<string>;
  /** Reasons why the gates of advisory ones are not valid, by id; those without a gate have none. */
  reasons: ReadonlyMap<string, string>;
  /** Standing of the others, by id. */
  gated: ReadonlyMap<string, JudgeStanding>;
}

/** Returns the standing of those of the definitions that use a judge model. Call it in a reader only. */
export function judgeStandings(
  database: Database,
  { application, ids, now }: { application: number; ids: Iterable<string>; now: number },
): Standings {
  const judged = [...judgedDefinitions.byIds(database, application, ids).values()].filter(({ type }) =>
    isJudged(type),
  );
  const withGate = judged.filter((definition) => gateOf(definition) !== null);
  // Without a gate, no verdict of people has to be read.
  const drawn = withGate.length === 0 ? [] : randomTraces(database, application);
  const gated = new Map<string, JudgeStanding>();
  const reasons = new Map<string, string>();
  for (const definition of withGate) {
    const standing = standingOf(database, { application, definition, drawn, now });
    if (!standing.isAdvisory) gated.set(definition.id, standing);
    else if (standing.gate?.reason) reasons.set(definition.id, standing.gate.reason);
  }
  return { gated, reasons, advisory: new Set(judged.flatMap(({ id }) => (gated.has(id) ? [] : [id]))) };
}
