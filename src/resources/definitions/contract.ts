import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, traceId, uuid } from '../../contract/values.ts';
import { DEFINITION_TYPES } from '../../evaluate/definition-config.ts';
import { application } from '../applications/contract.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';

const type = z.enum(DEFINITION_TYPES).describe('How it judges.');
const status = z
  .enum(['DRAFT', 'ACTIVE', 'ARCHIVED'])
  .describe('Only `ACTIVE` ones judge. `ARCHIVED` is final: results refer to it, and nothing else does.');
export type DefinitionStatus = z.infer<typeof status>;
const repeats = z
  .literal([1, 3, 5, 7, 9])
  .describe('How often a judge model is asked; the majority of its answers counts.');
const gate = z
  .object({
    minKappa: z
      .number()
      .min(0)
      .max(1)
      .describe('Cohen’s kappa with people, 0 to 1, that the current version has to have reached.'),
  })
  .nullable()
  .describe(
    'Set when a failure of it may stop a release. `OUTPUT_MATCH` and `ASSERT` may always be gates, the others once `GET /v0/definitions/{id}/reliability` tells a kappa of at least `minKappa`. A new version of these others is none until it is set again.',
  );
export type Gate = z.infer<typeof gate>;
const json = z.record(z.string(), z.unknown());

/** Lists of tasks answer with many of them in one body. */
const MAX_CHARACTERS = 50_000;
const MAX_EXPECTED_CHARACTERS = 20_000;

export const definition = namedObject('EvaluationDefinition', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  type,
  name: z.string(),
  status,
  version: z
    .int()
    .describe('Grows by one when `type`, `globalConfig` or `styleGuideId` changes; begins at 1.'),
  repeats,
  globalConfig: json,
  styleGuideId: uuid.nullable(),
  quickstartId: uuid.nullable(),
  gate,
  application: application.describe(
    'Its `description` and `context` are cut at 2000 characters each; the application itself has all of them.',
  ),
  topics: z.array(uuid).describe('The topics it is linked to, in the order in which they were linked.'),
});
export type Definition = z.input<typeof definition>;

const fields = {
  name: z.string().trim().min(1).max(256),
  type,
  status,
  globalConfig: shortAsJson(exact(json), MAX_CHARACTERS).describe(
    [
      'What it judges by. With any type: `criterion` (text), `judge` (the name of one of the judges in the settings; the default one where it is left out) and `monitoring` `{ sampleRate }` (0 to 1: the share of traces without a test that are judged). Keys that have no meaning are kept.',
      '`FACT`: `groundTruth` (text), for tests whose link has no `expected`.',
      '`CUSTOM`: `criterion`, required.',
      '`OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`.',
      '`ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; none: all of them must hold).',
    ].join('\n\n'),
  ),
  styleGuideId: uuid.nullable().describe('The style guide to judge by; required with `STYLE`.'),
  repeats,
};
export type DefinitionFields = z.output<z.ZodObject<typeof fields>>;

export const createDefinitionBody = z.object({
  name: fields.name,
  type,
  status: status.exclude(['ARCHIVED']).default('ACTIVE'),
  globalConfig: fields.globalConfig.default({}),
  styleGuideId: fields.styleGuideId.default(null),
  repeats: repeats.default(1),
  quickstartId: uuid.nullable().default(null),
});

export const updateDefinitionBody = z.object({ ...fields, gate }).partial();
export type GivenDefinitionFields = z.output<typeof updateDefinitionBody>;

export const definitionsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'type', 'id']),
  taskId: several(uuid).describe(
    'Definitions that apply to one of these tasks: linked to the task, to its topic or to the application.',
  ),
  traceId: several(traceId).describe('Definitions with an eval of one of these traces.'),
  quickstartId: several(uuid).describe('Definitions made by one of these quickstarts.'),
  definitionStatus: several(status).describe('Definitions in one of these states. Default: `ACTIVE`.'),
  status: several(z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'])).describe(
    'Definitions with a current eval in one of these states; with `taskId` or `traceId`, with one of that task or trace.',
  ),
  type: several(z.string().min(1).max(64)).describe('Definitions of one of these types.'),
  scopeType: z
    .enum(['topic', 'application'])
    .optional()
    .describe('`topic`: linked to a topic. `application`: all others. Ignored when `topicId` is given.'),
  topicId: several(uuid).describe('Definitions linked to one of these topics.'),
});
export type DefinitionsQuery = z.output<typeof definitionsQuery>;

const evalIds = z.array(uuid).min(1).max(100).describe('The evaluation definitions.');
const targets = {
  evalIds,
  taskIds: z.array(uuid).max(100).default([]),
  topicIds: z.array(uuid).max(100).default([]),
};
const linkConfig = z.object({
  expected: shortAsJson(exact(z.unknown()), MAX_EXPECTED_CHARACTERS)
    .optional()
    .describe('What the right output is, for definitions that compare.'),
});
export type LinkConfig = z.output<typeof linkConfig>;

export const applicationLinkBody = z.object({ evalIds });
export const linkBody = z.object({
  ...targets,
  config: linkConfig
    .optional()
    .describe('For each of these links. Left out: new links have none, the others keep theirs.'),
});
export const unlinkBody = z.object(targets);
export type LinkBody = z.output<typeof linkBody>;

/** `evalDefinitions` of a task or a topic as its record shows it. */
export const linkedDefinitions = z
  .array(z.object({ evalDefinition: definition, config: z.object({ expected: z.unknown().optional() }) }))
  .describe('The evaluation definitions linked to it directly, in the order in which they were linked.');
export type LinkedDefinition = z.input<typeof linkedDefinitions>[number];

/** `evalDefinitions` of a task or a topic as a body writes it. */
export const evalDefinitionLinks = z
  .array(z.object({ evalDefinitionId: uuid, config: linkConfig.default({}) }))
  .max(100)
  .describe('Takes the place of all that were linked to it directly.');
export type EvalDefinitionLinks = z.output<typeof evalDefinitionLinks>;
