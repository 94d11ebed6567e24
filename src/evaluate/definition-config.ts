import { z } from 'zod';
import { issuesOf } from '../contract/errors.ts';
import { JUDGED_TYPES } from '../contract/judged-types.ts';
import type { Issue } from '../errors.ts';
import { checkFields, type Checks, isPassedByAll, schemaIssues } from './evaluators/assertions/schema.ts';
import { COMPLETE_PRESETS, MAX_EVALUATION_STEPS, PRESETS } from './evaluators/presets.ts';
import { regularExpression } from './pattern.ts';
import type { Subject } from './subject.ts';

export const DEFINITION_TYPES = [...JUDGED_TYPES, 'OUTPUT_MATCH', 'ASSERT', 'HTTP'] as const;
export type DefinitionType = (typeof DEFINITION_TYPES)[number];

const share = z.number().min(0).max(1);
const criterion = z.string().trim().min(1).max(10_000);
const monitoring = z.looseObject({ sampleRate: share });
/** `monitoring` of definitions that judge sessions: their idle timeout is up to a week. */
const sessionMonitoring = monitoring.extend({
  idleTimeoutMs: z.int().min(1_000).max(604_800_000).optional(),
});

/** Fields that every type may have. Unknown keys are kept. */
const common = {
  criterion: criterion.optional(),
  /** Name of one of the operator's judges. */
  judge: z.string().trim().min(1).max(100).optional(),
  monitoring: monitoring.optional(),
};

/** Measures of `RECALL`. */
export const RECALL_MEASURES = [
  'contextPrecision',
  'contextRelevancy',
  'contextRecall',
  'faithfulness',
  'answerRelevancy',
] as const;
export type RecallMeasure = (typeof RECALL_MEASURES)[number];

const recallMinimums = z
  .strictObject({
    contextPrecision: share,
    contextRelevancy: share,
    contextRecall: share,
    faithfulness: share,
    answerRelevancy: share,
  })
  .partial();
/** Lowest values of the measures of `RECALL` with which it passes. */
export type RecallMinimums = z.output<typeof recallMinimums>;

const grade = z.int().min(-100).max(100);
const gradeScale = z
  .strictObject({
    min: grade,
    max: grade,
    anchors: z
      .array(z.strictObject({ score: grade, description: z.string().trim().min(1).max(2_000) }))
      .max(21)
      .optional(),
  })
  .refine(({ min, max }) => min < max, { message: 'must be above `min`', path: ['max'] })
  .refine(
    ({ min, max, anchors = [] }) => {
      const scores = anchors.map(({ score }) => score);
      return scores.every((score) => score >= min && score <= max) && new Set(scores).size === scores.length;
    },
    { message: 'must have different scores from `min` to `max`', path: ['anchors'] },
  );
/** Scale of a `CUSTOM` definition that rates instead of answering yes or no. */
export type GradeScale = z.output<typeof gradeScale>;

/** Adds an issue when a scale has no threshold that lies on it. */
function checkThreshold(
  { scale, passThreshold }: { scale?: GradeScale | undefined; passThreshold?: number | undefined },
  context: z.RefinementCtx,
): void {
  const isOnScale =
    passThreshold !== undefined && scale && passThreshold >= scale.min && passThreshold <= scale.max;
  if (scale && !isOnScale) {
    const message = `must be a number from ${scale.min} to ${scale.max}, the scale`;
    context.addIssue({ code: 'custom', path: ['passThreshold'], message });
  }
}

const categoryScores = {
  subset: share,
  superset: share,
  equal: share,
  disagreement: share,
  immaterial: share,
};

/** Adds issues where fields of a `CUSTOM` definition do not belong together. */
function checkPreset(
  given: {
    criterion?: string | undefined;
    preset?: string | undefined;
    scale?: object | undefined;
    steps?: object | undefined;
    categoryScores?: object | undefined;
    passThreshold?: number | undefined;
  },
  context: z.RefinementCtx,
): void {
  const { criterion: own, preset, scale, steps, categoryScores: scores, passThreshold } = given;
  const fault = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  const isComplete = COMPLETE_PRESETS.has(preset);
  if (own === undefined && !isComplete)
    context.addIssue({ code: 'invalid_type', expected: 'string', path: ['criterion'], message: 'Required' });
  if (isComplete && scale) fault('scale', `must be absent with the preset ${preset}, which does not rate`);
  if (preset === 'g-eval' && !scale) fault('scale', 'Required with the preset g-eval');
  if (steps && !scale) fault('steps', 'must be absent without a `scale`');
  if (scores && preset !== 'factuality')
    fault('categoryScores', 'must be absent without the preset factuality');
  if (isComplete && passThreshold !== undefined && (passThreshold < 0 || passThreshold > 1))
    fault('passThreshold', 'must be a number from 0 to 1');
}

/** Parts of a subject that a definition of type `HTTP` can send. */
const SENT_PARTS = [
  'input',
  'output',
  'toolCalls',
  'documents',
  'turns',
  'spans',
  'latencyMs',
  'usage',
  'cost',
] as const satisfies readonly (keyof Subject)[];

const patternGroup = z.int().min(0).max(99);

/** Schemas of `globalConfig`, by type. They set no defaults; each evaluator has its own for absent fields. */
export const definitionConfigs = {
  NATURALNESS: z.looseObject(common),
  STYLE: z.looseObject(common),
  RECALL: z.looseObject({
    ...common,
    minimums: recallMinimums.optional(),
    measures: z.array(z.enum(RECALL_MEASURES)).min(1).max(RECALL_MEASURES.length).optional(),
  }),
  FACT: z.looseObject({ ...common, groundTruth: z.string().trim().min(1).optional() }),
  CUSTOM: z
    .looseObject({
      ...common,
      scale: gradeScale.optional(),
      passThreshold: z.number().optional(),
      preset: z.enum(PRESETS).optional(),
      steps: z.array(z.string().trim().min(1).max(2_000)).min(1).max(MAX_EVALUATION_STEPS).optional(),
      categoryScores: z.strictObject(categoryScores).partial().optional(),
      exampleRubric: z.enum(['any', 'own']).optional(),
    })
    .superRefine(checkThreshold)
    .superRefine(checkPreset),
  TOXICITY: z.looseObject(common),
  SIMILARITY: z.looseObject({
    ...common,
    passThreshold: share.optional(),
    exampleRubric: z.literal('own').optional(),
  }),
  CONVERSATION: z.looseObject({
    ...common,
    maxTurns: z.int().min(1).max(50).optional(),
    monitoring: sessionMonitoring.optional(),
  }),
  PAIRWISE: z.looseObject({
    ...common,
    baselineRunIds: z.array(z.uuid()).min(1).max(100),
    selectBest: z.boolean().optional(),
  }),
  OUTPUT_MATCH: z.looseObject({
    ...common,
    type: z.enum(['string', 'list']),
    extract: regularExpression
      .safeExtend({ group: z.union([patternGroup, z.array(patternGroup).min(1).max(10)]).optional() })
      .optional(),
    matchMode: z.enum(['exact_unordered', 'contains']).optional(),
    scoreMetric: z.enum(['f1', 'precision', 'recall']).optional(),
    passThreshold: share.optional(),
    ignoreCase: z.boolean().optional(),
  }),
  ASSERT: z
    .looseObject({ ...common, ...checkFields })
    .refine(({ assertions, exampleAssertions }) => assertions.length > 0 || exampleAssertions === true, {
      error: 'must have at least one check, unless exampleAssertions is true',
      path: ['assertions'],
    }),
  HTTP: z.looseObject({
    ...common,
    url: z
      .string()
      .max(2_048)
      .regex(/^\S+$/, 'must be a URL without white space, such as https://scorer.example.com/'),
    timeoutMs: z.int().min(1_000).max(60_000).optional(),
    passThreshold: share.optional(),
    send: z.array(z.enum(SENT_PARTS)).min(1).max(SENT_PARTS.length).optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
} as const satisfies Record<DefinitionType, z.ZodType>;

/**
 * Returns the faults of a definition's `globalConfig`, except those of its JSON Schemas. Paths begin with
 * `globalConfig`.
 */
export function configIssues(type: DefinitionType, globalConfig: unknown): Issue[] {
  const schema = z.object({ globalConfig: definitionConfigs[type] });
  const parsed = schema.safeParse({ globalConfig }, { reportInput: true });
  if (!parsed.success) return issuesOf(parsed.error);
  if (type !== 'ASSERT') return thresholdIssues(type, globalConfig as Thresholds);
  return checkIssues(parsed.data.globalConfig as Checks & { exampleAssertions?: boolean });
}

interface Thresholds {
  passThreshold?: number;
  scale?: GradeScale;
}

const reachedByAll = (field: string, lowest: number): Issue => ({
  code: 'custom',
  message: `must be above ${lowest}: every result reaches ${lowest}`,
  path: ['globalConfig', field],
});

/** Returns the faults of thresholds that everything reaches. Stored definitions with such a one still apply. */
function thresholdIssues(type: DefinitionType, { passThreshold, scale }: Thresholds): Issue[] {
  const lowest = type === 'CUSTOM' ? scale?.min : 0;
  return lowest !== undefined && passThreshold === lowest ? [reachedByAll('passThreshold', lowest)] : [];
}

/** Returns the fault of checks that everything passes. Stored definitions with such ones still apply. */
function checkIssues(checks: Checks & { exampleAssertions?: boolean }): Issue[] {
  if (checks.threshold === 0) return [reachedByAll('threshold', 0)];
  if (checks.exampleAssertions || !isPassedByAll(checks)) return [];
  const message = 'must have a check with a `threshold` above 0: every output passes these';
  return [{ code: 'custom', message, path: ['globalConfig', 'assertions'] }];
}

/**
 * Returns the faults of the JSON Schemas in a valid `globalConfig`. Compiles them, which may take up to a second in
 * total, so it must not run in the writer.
 */
export function jsonSchemaIssues(type: DefinitionType, globalConfig: unknown): Issue[] {
  const parsed = type === 'ASSERT' ? definitionConfigs.ASSERT.safeParse(globalConfig) : null;
  return parsed?.success ? schemaIssues(parsed.data.assertions, ['globalConfig', 'assertions']) : [];
}
