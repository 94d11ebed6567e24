import { withheld } from '../../contract/withheld.ts';
import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { withAliases } from '../../contract/aliases.ts';
import { paging } from '../../contract/paging.ts';
import { searchText, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { MAX_INPUT_CHARACTERS, MAX_INPUT_EXAMPLES } from '../examples/input-limits.ts';
import { definitionsOfTask, evalDefinitionLinks } from '../definitions/contract.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { tag } from '../tags/contract.ts';
import { repeats } from '../tests/repeats.ts';
import { metricFilters, taskJudges, taskMetrics } from './metrics-contract.ts';
import { criticality, taskSchedule } from './schedule-contract.ts';

const type = z
  .enum(['STATIC', 'NORMAL'])
  .describe(
    '`STATIC`: tests send the examples of the task in turn; a task without any cannot be tested. `NORMAL`: a prompt model writes a prompt for each test from the description and the examples; without such a model, the task cannot be tested.',
  );
const status = z
  .enum(['DRAFT', 'ACTIVE', 'ARCHIVED'])
  .describe('`DRAFT` tasks run only by hand, not by schedule; archived tasks do not run.');

const json = z.record(z.string(), z.unknown());

export const task = namedObject('Task', {
  ...recordFields,
  title: z.string(),
  description: z.string(),
  type,
  status,
  inputExamples: z
    .array(z.string())
    .describe(
      `Prompts of its first active examples: at most ${MAX_INPUT_EXAMPLES}, of ${MAX_INPUT_CHARACTERS} characters in all.`,
    ),
  exampleCount: z.int().describe('Number of its active examples.'),
  metadata: json.describe('Metadata that is sent with each test; an empty object if there is none.'),
  simulatedPromptSchema: json.nullable(),
  topicId: uuid.nullable(),
  quickstartId: uuid.nullable(),
  isVerified: z.boolean(),
  evalDefinitions: definitionsOfTask,
  taskSchedule: taskSchedule.nullable(),
  tags: z.array(tag.pick({ id: true, name: true, color: true })).describe('Its tags, by name.'),
  ...taskMetrics,
  repeats,
  judges: taskJudges,
  withheld,
});
export type Task = z.input<typeof task>;

/** Limit of characters of a task, because lists return a hundred tasks in one body. */
const MAX_CHARACTERS = MAX_INPUT_CHARACTERS;

const fields = {
  title: exact(shortText),
  description: exact(z.string().max(10_000)),
  type,
  status,
  inputExamples: shortAsJson(
    exact(z.array(z.string().min(1)).max(MAX_INPUT_EXAMPLES)),
    MAX_CHARACTERS,
  ).describe(
    'Prompts of its active examples, in their order. Examples with one of these prompts keep their other fields; the others are removed. A task with more examples than are shown here is changed by `/v0/tasks/{id}/examples`.',
  ),
  metadata: shortAsJson(exact(json), MAX_CHARACTERS)
    .nullable()
    .describe('Metadata that is sent with each test; null and an empty object are none.'),
  simulatedPromptSchema: shortAsJson(json, MAX_CHARACTERS)
    .nullable()
    .describe('JSON Schema of the prompts, when these are objects: each example is the JSON text of one.'),
  topicId: uuid.nullable(),
  isVerified: z.boolean(),
};
export type TaskFields = z.infer<z.ZodObject<typeof fields>>;

export const createTaskBody = z.object({
  title: fields.title,
  description: fields.description.default(''),
  type: type.default('STATIC'),
  status: status.default('ACTIVE'),
  inputExamples: fields.inputExamples.default([]),
  metadata: fields.metadata.default(null),
  simulatedPromptSchema: fields.simulatedPromptSchema.default(null),
  topicId: fields.topicId.default(null),
  isVerified: fields.isVerified.default(false),
  quickstartId: uuid.nullable().default(null),
  evalDefinitions: evalDefinitionLinks.default([]),
});
export type NewTaskFields = z.output<typeof createTaskBody>;

export const updateTaskBody = z
  .object({
    ...fields,
    evalDefinitions: evalDefinitionLinks,
    deleteEmptySourceTopic: z
      .boolean()
      .describe('True to archive the topic that the task leaves, if no open task is left in it.'),
  })
  .partial();
export type GivenTaskFields = z.output<typeof updateTaskBody>;

const taskFilters = {
  topicId: several(uuid).describe('Tasks of one of these topics.'),
  quickstartId: several(uuid).describe('Tasks that one of these quickstarts created.'),
  tagId: several(uuid).describe('Tasks with one of these tags.'),
  search: searchText.describe(
    'Tasks with this text in their title or description, ignoring case; no character has a special meaning.',
  ),
  scheduleCriticality: several(criticality).describe('Tasks with a schedule of one of these criticalities.'),
  evalDefinitionId: several(uuid).describe(
    'Tasks with one of these evaluation definitions linked to them directly.',
  ),
  taskStatus: several(status).describe('Tasks with one of these statuses. Default: `DRAFT` and `ACTIVE`.'),
  ...metricFilters,
};

/** Names of filters that generated clients use. */
const TASK_ALIASES = {
  confidenceLevel: 'confidence',
  stabilityLevel: 'stability',
  healthScoreLevel: 'healthScore',
} as const;

export const taskIdsQuery = withAliases(z.object(taskFilters), TASK_ALIASES);
export type TaskFilter = z.output<typeof taskIdsQuery>;

export const tasksQuery = withAliases(
  z.object({
    ...paging(['createdAt', 'modifiedAt', 'title', 'type', 'status', 'lastTest', 'id']),
    ...taskFilters,
  }),
  TASK_ALIASES,
);
export type TasksQuery = z.output<typeof tasksQuery>;
