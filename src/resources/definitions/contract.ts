import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, traceId, uuid } from '../../contract/values.ts';
import { DEFINITION_TYPES } from '../../evaluate/definition-config.ts';
import { application } from '../applications/contract.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';

const type = z.enum(DEFINITION_TYPES).describe('Type of evaluation.');
const status = z
  .enum(['DRAFT', 'ACTIVE', 'ARCHIVED'])
  .describe(
    'Only `ACTIVE` definitions are applied. `ARCHIVED` is final: such a definition is kept only for its results.',
  );
export type DefinitionStatus = z.infer<typeof status>;
const repeats = z
  .literal([1, 3, 5, 7, 9])
  .describe('Number of requests to the judge model; the majority of its answers counts.');
const gateFields = {
  minKappa: z
    .number()
    .min(0)
    .max(1)
    .describe('Cohen’s kappa, 0 to 1, that the lower bound of its interval must reach.'),
  minAnnotations: z
    .int()
    .min(10)
    .max(10_000)
    .describe(
      'Number of human verdicts on tests and traces drawn at random at which the judge is first tested.',
    ),
  maxAgeDays: z
    .int()
    .min(1)
    .max(3_650)
    .describe(
      'Days after which the gate expires: counted from the newest `minAnnotations` verdicts of people together. Default: 90.',
    ),
  canaries: z
    .int()
    .min(0)
    .max(100)
    .describe(
      'Number of judged tests and traces that are frozen and judged again with every run set, to notice a judge that has changed; 0 turns that off and forgets them. Default: 20.',
    ),
};
const gate = z
  .object(gateFields)
  .nullable()
  .describe(
    'Agreement with people that the judge must reach for its verdicts to decide; null when its verdicts are only shown. `GET /v0/definitions/{id}/reliability` reports whether the gate is valid. The rules `OUTPUT_MATCH` and `ASSERT`, and `HTTP`, always decide.',
  );
const givenGate = z
  .object({
    ...gateFields,
    minAnnotations: gateFields.minAnnotations.default(30),
    maxAgeDays: gateFields.maxAgeDays.default(90),
    canaries: gateFields.canaries.default(20),
  })
  .nullable()
  .describe(gate.description ?? '');
export type Gate = z.infer<typeof gate>;
const isOverall = z
  .boolean()
  .describe(
    'True if verdicts of people on a complete trace, without an `evalDefinitionId`, are verdicts on this definition. Else only those that name it are.',
  );
const issueId = uuid.describe(
  'Issue from whose notes the definition was drafted. It is then measured on the holdout of random samples only: its reliability, its gate and its verification leave out the draft half.',
);
const json = z.record(z.string(), z.unknown());

/** Limit of characters of a configuration, because lists of tasks return many in one body. */
const MAX_CHARACTERS = 50_000;
const MAX_EXPECTED_CHARACTERS = 20_000;

export const definition = namedObject('EvaluationDefinition', {
  ...recordFields,
  type,
  name: z.string(),
  status,
  version: z
    .int()
    .describe('Version, from 1. Increases when `type`, `globalConfig` or `styleGuideId` changes.'),
  repeats,
  globalConfig: json,
  styleGuideId: uuid.nullable(),
  quickstartId: uuid.nullable(),
  gate,
  isBlocking: z
    .boolean()
    .describe(
      'True if its verdicts can fail a test: those of a rule always, those of a judge model while its gate is valid.',
    ),
  isOverall,
  issueId: issueId.nullable(),
  application: application.describe(
    'The application, with `description` and `context` truncated to 2000 characters each.',
  ),
  topics: z.array(uuid).describe('Topics to which the definition is linked, in the order of linking.'),
});
export type Definition = z.input<typeof definition>;

const fields = {
  name: shortText,
  type,
  status,
  globalConfig: shortAsJson(exact(json), MAX_CHARACTERS).describe(
    [
      'Configuration by type. Every type accepts `criterion` (text), `judge` (name of a judge in the settings; default: the default judge) and `monitoring` `{ sampleRate }` (0 to 1: share of traces without a test that are evaluated; of sessions for `CONVERSATION`). Unknown keys are kept.',
      '`FACT`: `groundTruth` (text), for tests whose link has no `expected`.',
      '`RECALL`: `minimums` (0 to 1 by measure), `measures` (some of `contextPrecision`, `contextRelevancy`, `contextRecall`, `faithfulness`, `answerRelevancy`, to judge these alone).',
      '`CUSTOM`: `criterion`, required without a `preset`. Without `scale`, the judge answers yes or no. It sees what is expected, and the rubric of the example: that of its name or id in `rubrics`, else `rubric`. `scale` `{ min, max, anchors }` (whole numbers from -100 to 100; `anchors`: up to 21 of `{ score, description }`): the judge rates; `passThreshold`, required with it, is the lowest score that passes; `steps` (up to 20): what the judge examines before it rates. `preset`: `closed-qa`, `factuality` (with `categoryScores`), `tool-choice`, `trajectory`, or `g-eval` (with a `scale`). `exampleRubric`: `any` to judge only tests whose example has a rubric, `own` only those with one under the name of the definition.',
      '`PAIRWISE`: `baselineRunIds` (1 to 100 runs whose tests the tests of the same examples are compared with, required), `criterion` (what makes an output better), `selectBest` (true: the judge selects the best of the outputs in all of these runs).',
      '`CONVERSATION`: `criterion` (goal of the user; default: as the turns show it), `maxTurns` (1 to 50: most turns of a conversation that passes), `monitoring.idleTimeoutMs` (1000 to 604800000: time without new spans after which a live session is evaluated; default: 600000).',
      '`SIMILARITY`: `passThreshold` (0 to 1; default: 0.8), `exampleRubric` (`own` to compare with the text that the example has under the name of the definition in `rubrics`, in place of what is expected; tests of other examples are `SKIPPED`).',
      '`OUTPUT_MATCH`: `type` (`string` or `list`, required), `extract` `{ pattern, flags, group }` (a regular expression, some of the flags `gimsu`, 0 to 99 or a list of up to 10 groups), `matchMode` (`exact_unordered` or `contains`), `scoreMetric` (`f1`, `precision` or `recall`), `passThreshold` (0 to 1), `ignoreCase`.',
      '`ASSERT`: `assertions` (1 to 100 of `{ type, value, threshold, weight, not }`, required), `threshold` (0 to 1; default: all of them must pass).',
      '`HTTP`: `url` (endpoint that returns the score, required), `timeoutMs` (1000 to 60000, of all tries together; default: 10000), `passThreshold` (0 to 1; default: 0.5), `send` (parts of the test: `input`, `output`, `toolCalls`, `documents`, which are the default, `turns`, `spans`, `latencyMs`, `usage`, `cost`), `parameters` (an object that is sent too).',
    ].join('\n\n'),
  ),
  styleGuideId: uuid.nullable().describe('Style guide to apply; required with `STYLE`.'),
  repeats,
  isOverall,
};
export type DefinitionFields = z.output<z.ZodObject<typeof fields>>;

export const createDefinitionBody = z.object({
  name: fields.name,
  type,
  status: status.exclude(['ARCHIVED']).default('ACTIVE'),
  globalConfig: fields.globalConfig.default({}),
  styleGuideId: fields.styleGuideId.default(null),
  repeats: repeats.default(1),
  isOverall: isOverall.default(false),
  quickstartId: uuid.nullable().default(null),
  issueId: issueId.nullable().default(null),
  gate: givenGate.default(null),
});

export const updateDefinitionBody = z.object({ ...fields, gate: givenGate }).partial();
export type GivenDefinitionFields = z.output<typeof updateDefinitionBody>;

export const definitionsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'type', 'id']),
  taskId: several(uuid).describe(
    'Definitions that apply to one of these tasks: linked to the task, to its topic or to the application.',
  ),
  traceId: several(traceId).describe('Definitions with an eval of one of these traces.'),
  quickstartId: several(uuid).describe('Definitions created by one of these quickstarts.'),
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
    .describe('Expected output, for definitions that compare with it.'),
});
export type LinkConfig = z.output<typeof linkConfig>;

export const applicationLinkBody = z.object({ evalIds });
export const linkBody = z.object({
  ...targets,
  config: linkConfig
    .optional()
    .describe(
      'Configuration of each of these links. If absent, new links have none and existing links keep theirs.',
    ),
});
export const unlinkBody = z.object(targets);
export type LinkBody = z.output<typeof linkBody>;

const link = z.object({
  evalDefinition: definition,
  config: z
    .object({ expected: z.unknown() })
    .nullable()
    .describe('Expected output; null for a link without one.'),
});
const LINKED = 'Evaluation definitions linked to it directly, in the order of linking.';

/** Schema of `evalDefinitions` in the record of a task. */
export const definitionsOfTask = z.array(link).describe(LINKED);
/** Schema of `evalDefinitions` in the record of a topic. */
export const definitionsOfTopic = z.array(link.extend({ topicId: uuid })).describe(LINKED);
export type LinkedDefinition = z.input<typeof link>;

/** Schema of `evalDefinitions` in the body for a task or a topic. */
export const evalDefinitionLinks = z
  .array(
    z.object({ evalDefinitionId: uuid, config: linkConfig.nullish().transform((config) => config ?? {}) }),
  )
  .max(100)
  .describe('Replaces all definitions that are linked to it directly.');
export type EvalDefinitionLinks = z.output<typeof evalDefinitionLinks>;
