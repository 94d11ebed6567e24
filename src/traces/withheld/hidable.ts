import { isObject } from '../../contract/is-object.ts';

type Json = Record<string, unknown>;

/** Fields of which every record with a verdict has one. */
const OF_VERDICTS = ['passed', 'verdict', 'verdicts', 'causeKey'] as const;

/** Fields that show that a response may contain what is withheld. */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  ...OF_VERDICTS,
  'result',
  'combined',
  'linkCount',
  'mentions',
  'expected',
]);

/** Parts of a response that contain what an app reported, and no verdict of ours. */
const CONTENT: ReadonlySet<string> = new Set(['steps', 'metadata', 'attributes', 'content', 'definition']);

/** Values that stand for those of a withheld record, by field. Other fields stay. */
type Replacements = Readonly<Record<string, (value: unknown) => unknown>>;

const none = (): null => null;

const OF_VERDICT: Replacements = {
  passed: (value) => (typeof value === 'number' ? 0 : null),
  score: none,
  normalisedScore: none,
  reason: none,
  results: none,
  judge: none,
  verdict: none,
  unsure: () => false,
  critique: none,
  correctedOutput: none,
  criteria: none,
  outcome: () => 'NO_VERDICT',
  outcomeBasis: none,
  causeKey: none,
  cause: none,
  verdicts: () => [],
  evals: () => [],
  result: none,
};

/** Replacements of an eval, whose message repeats its reason. */
const OF_EVAL: Replacements = { ...OF_VERDICT, message: none };

const noPerformance = (): Json => ({
  tests: 0,
  testsPassed: 0,
  evaluations: 0,
  passed: 0,
  passRate: null,
  healthScore: null,
  confidence: { level: 'LOW', halfWidth: 50, interval: { lower: 0, upper: 100 } },
  stability: { level: 'LOW', stddev: null },
  recommendedAdditionalEvaluations: 0,
});

/** Replacements of a run, a variant, a run set or a task: rates and counts of several tests, of which one alone would show its verdict. */
const OF_GROUP: Replacements = {
  result: () => ({ passed: 0, failed: 0, total: 0, passRate: null, averageScore: null }),
  evals: () => [],
  outcomes: (value) => Object.fromEntries(Object.keys(value as Json).map((name) => [name, 0])),
  outcomeInterval: none,
  passRate: none,
  passRateInterval: none,
  errorRate: none,
  monitoringPassRate: none,
  synthetic: noPerformance,
  monitoring: noPerformance,
  combined: noPerformance,
  health: none,
  confidence: none,
  stability: none,
  decision: none,
  repeats: () => undefined,
  judges: () => undefined,
  otherJudges: () => undefined,
};

const OF_NOTE: Replacements = {
  text: () => '',
  quote: none,
  field: none,
  start: none,
  end: none,
  issueId: none,
  mentions: () => [],
};

/** Replacements of an issue: what shows which trace has the problem. */
const OF_ISSUE: Replacements = {
  traceId: none,
  testId: none,
  humanAnnotationId: none,
  annotationId: none,
};

/** Replacements of an example, whose expected output may be what another reviewer wrote. */
const OF_EXAMPLE: Replacements = { expected: none };

/** A record that may be withheld, what it is about, and what is shown instead. */
export interface HidableRecord {
  record: Json;
  traceId: string | null;
  testId: string | null;
  /** Run, task, variant or run set whose tests it counts, or the example that it shows. */
  groupId: string | null;
  replacements: Replacements;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the records of a value that may be withheld from a reviewer, at any depth. Those that the reviewer wrote are not. */
export function hidableRecords(value: unknown, reviewerId: string): HidableRecord[] {
  const found: HidableRecord[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) visit(one);
    if (!isObject(part) || ArrayBuffer.isView(part)) return;
    const hidable = hidableRecord(part, reviewerId);
    if (hidable) found.push(hidable);
    for (const [field, inner] of Object.entries(part)) if (!CONTENT.has(field)) visit(inner);
  };
  visit(value);
  return found;
}

function hidableRecord(part: Json, reviewerId: string): HidableRecord | null {
  const about = { record: part, traceId: text(part['traceId']), testId: null, groupId: null };
  if (isGroup(part)) return { ...about, traceId: null, groupId: text(part['id']), replacements: OF_GROUP };
  if ('mentions' in part && 'text' in part && isObject(part['createdBy']))
    return part['createdBy']['id'] === reviewerId ? null : { ...about, replacements: OF_NOTE };
  if ('linkCount' in part) return { ...about, testId: text(part['testId']), replacements: OF_ISSUE };
  if ('expected' in part && ('rubric' in part || 'sides' in part)) {
    const groupId = text('sides' in part ? part['exampleId'] : part['id']);
    return groupId === null ? null : { ...about, traceId: null, groupId, replacements: OF_EXAMPLE };
  }
  if (!hasVerdict(part) || part['annotatorId'] === reviewerId) return null;
  // A test has its own id only.
  const testId = text('causeKey' in part || !('testId' in part) ? part['id'] : part['testId']);
  if (testId === null && about.traceId === null) return null;
  return { ...about, testId, replacements: 'normalisedScore' in part ? OF_EVAL : OF_VERDICT };
}

const hasVerdict = (part: Json): boolean => OF_VERDICTS.some((field) => field in part);

/** Reports whether a record is a run, a variant or a run set, or a task. */
function isGroup(part: Json): boolean {
  if (typeof part['id'] !== 'string' || hasVerdict(part)) return false;
  const { result } = part;
  return ('combined' in part && 'monitoring' in part) || (isObject(result) && 'averageScore' in result);
}

/** Returns a value with the records replaced, and without changes that follow from them. */
export function replaceIn(value: unknown, withheld: ReadonlyMap<Json, HidableRecord>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, withheld));
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  const hidden = withheld.get(value);
  const replacements = hidden?.replacements ?? {};
  const { sides } = value;
  const isCompared = Array.isArray(sides) && sides.some((side) => withheld.has(side as Json));
  const shown = Object.entries(value).map(([field, inner]) => {
    if (Object.hasOwn(replacements, field)) return [field, replacements[field]?.(inner)];
    if (isCompared && field === 'change') return [field, null];
    return [field, CONTENT.has(field) ? inner : replaceIn(inner, withheld)];
  });
  return { ...Object.fromEntries(shown), ...(hidden && { withheld: true }) };
}
