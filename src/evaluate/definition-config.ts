import { z } from 'zod';
import { issuesOf } from '../contract/errors.ts';
import type { Issue } from '../errors.ts';
import { checkFields, schemaIssues } from './evaluators/assertions/schema.ts';
import { regularExpression } from './pattern.ts';

export const DEFINITION_TYPES = [
  'NATURALNESS',
  'STYLE',
  'RECALL',
  'FACT',
  'CUSTOM',
  'OUTPUT_MATCH',
  'ASSERT',
] as const;
export type DefinitionType = (typeof DEFINITION_TYPES)[number];

const share = z.number().min(0).max(1);
const criterion = z.string().trim().min(1).max(10_000);

/** Fields that every type may have. Unknown keys are kept. */
const common = {
  criterion: criterion.optional(),
  /** Name of one of the operator's judges. */
  judge: z.string().trim().min(1).max(100).optional(),
  monitoring: z.looseObject({ sampleRate: share }).optional(),
};

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

/** Schemas of `globalConfig`, by type. They set no defaults; each evaluator has its own for absent fields. */
export const definitionConfigs = {
  NATURALNESS: z.looseObject(common),
  STYLE: z.looseObject(common),
  RECALL: z.looseObject({ ...common, minimums: recallMinimums.optional() }),
  FACT: z.looseObject({ ...common, groundTruth: z.string().trim().min(1).optional() }),
  CUSTOM: z.looseObject({ ...common, criterion }),
  OUTPUT_MATCH: z.looseObject({
    ...common,
    type: z.enum(['string', 'list']),
    extract: regularExpression.safeExtend({ group: z.int().min(0).max(99).optional() }).optional(),
    matchMode: z.enum(['exact_unordered', 'contains']).optional(),
    scoreMetric: z.enum(['f1', 'precision', 'recall']).optional(),
    passThreshold: share.optional(),
    ignoreCase: z.boolean().optional(),
  }),
  ASSERT: z.looseObject({ ...common, ...checkFields }),
} as const satisfies Record<DefinitionType, z.ZodType>;

/**
 * Returns the faults of a definition's `globalConfig`, except those of its JSON Schemas. Paths begin with
 * `globalConfig`.
 */
export function configIssues(type: DefinitionType, globalConfig: unknown): Issue[] {
  const schema = z.object({ globalConfig: definitionConfigs[type] });
  const parsed = schema.safeParse({ globalConfig }, { reportInput: true });
  return parsed.success ? [] : issuesOf(parsed.error);
}

/**
 * Returns the faults of the JSON Schemas in a valid `globalConfig`. Compiles them, which may take up to a second in
 * total, so it must not run in the writer.
 */
export function jsonSchemaIssues(type: DefinitionType, globalConfig: unknown): Issue[] {
  const parsed = type === 'ASSERT' ? definitionConfigs.ASSERT.safeParse(globalConfig) : null;
  return parsed?.success ? schemaIssues(parsed.data.assertions, ['globalConfig', 'assertions']) : [];
}
