import { AppError } from '../../errors.ts';
import { invalid } from '../../contract/errors.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { findUncanonical } from '../../contract/canonical-json.ts';
import { promptObjectOf } from '../../deliver/payload.ts';
import {
  deleteScheduleOf,
  findSchedule,
  planNextRun,
  schedulesOf,
  stopSchedules,
} from '../../deliver/schedule-store.ts';
import { markMetricsOfTopics } from '../../evaluate/due-quality-metrics.ts';
import type { MetricHooks } from '../../evaluate/quality-metric-store.ts';
import type { RecordOf } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { inTime, valuesOf } from '../../storage/dialect.ts';
import { addInputExamples, inputExamplesOf, replaceInputExamples } from '../examples/input-examples.ts';
import { deleteExamplesOf } from '../examples/store.ts';
import { removeLinks, replaceLinks } from '../definitions/definition-links.ts';
import { linkedDefinitions } from '../definitions/linked-definitions.ts';
import { repeatsOfTask } from '../tests/repeats.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { GivenTaskFields, NewTaskFields, Task, TaskFields, TaskFilter, TasksQuery } from './contract.ts';
import { judgesOfTask } from './judges-store.ts';
import { currentMetrics, metricsOfTasks, saveTaskLevels } from './metrics-store.ts';
import { tasksThat } from './filter.ts';
import { tasks } from './record.ts';
import { shownSchedule } from './shown-schedule.ts';
import { activateDrafts, type DraftsOf } from '../../storage/drafts.ts';
import { quickstarts } from '../quickstarts/record.ts';
import { tagsOfTasks, untagTask } from '../tags/store.ts';
import { topics } from '../topics/record.ts';
import { archiveTopic, type TopicHooks } from '../topics/store.ts';

interface NewTask extends ById {
  fields: NewTaskFields;
  at: number;
}

/** Creates a task; throws the errors of `insertTask`. */
function createTask(database: Database, task: NewTask): Task {
  insertTask(database, task);
  return getTask(database, task);
}

/**
 * Inserts a task. Throws `not_found` for records that it refers to, `conflict` for an archived definition, and
 * `invalid`.
 */
export function insertTask(database: Database, { owner: { application }, id, fields, at }: NewTask): void {
  const { quickstartId, evalDefinitions } = fields;
  check(database, application, fields);
  quickstarts.requireAll(database, application, [quickstartId]);
  tasks.insert(database, { application, at }, { ...fields, ...metadataOf(fields), id });
  addInputExamples(database, { application, taskId: id, at }, fields.inputExamples);
  replaceLinks(database, { application, kind: 'task', targetId: id, at }, evalDefinitions);
}

/**
 * Updates a task. Throws `not_found` for it and for records that it refers to, `conflict` for an archived definition,
 * and `invalid`.
 */
function updateTask(
  database: Database,
  {
    owner,
    id,
    given: { evalDefinitions, ...given },
    at,
  }: ById & { given: Omit<GivenTaskFields, 'deleteEmptySourceTopic'>; at: number },
): Task {
  const { application } = owner;
  const before = getTask(database, { owner, id });
  const fields = applyPatch<TaskFields>(before, given);
  check(database, application, fields);
  tasks.update(database, { application, id, at }, { ...given, ...metadataOf(given) });
  if (given.inputExamples)
    replaceInputExamples(database, { application, taskId: id, at }, given.inputExamples);
  if (evalDefinitions)
    replaceLinks(database, { application, kind: 'task', targetId: id, at }, evalDefinitions);
  if (fields.topicId !== before.topicId)
    markMetricsOfTopics(database, application, [before.topicId, fields.topicId]);
  if (fields.status !== before.status)
    planNextRun(database, { application, taskId: id, isActive: fields.status === 'ACTIVE', at });
  return getTask(database, { owner, id });
}

/** Returns the metadata to store; an empty object, as which tasks without any are shown, becomes null. */
const metadataOf = ({ metadata }: GivenTaskFields): Pick<GivenTaskFields, 'metadata'> =>
  metadata && Object.keys(metadata).length === 0 ? { metadata: null } : {};

/** Updates a task, and archives the topic that it leaves if that is requested and no open task is left there. */
function updateTaskAndTopic(
  database: Database,
  { given: { deleteEmptySourceTopic, ...given }, ...args }: ById & { given: GivenTaskFields; at: number },
): Task {
  const { owner, id, at } = args;
  const { topicId } = tasks.require(database, owner.application, id);
  const task = updateTask(database, { ...args, given });
  const isOpen = `topic_id = :topicId AND status <> 'ARCHIVED' LIMIT 1`;
  if (deleteEmptySourceTopic && topicId !== null && task.topicId !== topicId)
    if (tasks.all(database, owner.application, isOpen, { topicId }).length === 0)
      archiveTopic(database, { owner, id: topicId, at });
  return task;
}

/** Checks rules that involve several fields or the store. */
function check(
  database: Database,
  application: number,
  { topicId, inputExamples, simulatedPromptSchema }: TaskFields,
): void {
  topics.requireAll(database, application, [topicId]);
  const issues = inputExamples.flatMap((example, index) => {
    const found = findUncanonical(promptObjectOf(example, simulatedPromptSchema));
    const path = ['inputExamples', String(index), ...(found?.path ?? [])];
    return found ? [{ code: 'custom', message: `the value ${found.reason}`, path }] : [];
  });
  if (issues.length > 0) throw invalid(issues);
}

/** Most examples that one command deletes. */
const STEP_EXAMPLES = 500;

/**
 * Deletes a task, or archives one that has tests. Returns false if examples of it are left: it is archived then, and
 * the caller must call again. Throws `not_found`, and `conflict` for a task that an experiment needs.
 */
function deleteTask(database: Database, { owner, id, at }: ById & { at: number }): boolean {
  const { application } = owner;
  getTask(database, { owner, id });
  rejectNeeded(database, { application, taskId: id });
  if (
    database.get('SELECT 1 FROM test WHERE application = :application AND task_id = :id LIMIT 1', {
      application,
      id,
    })
  ) {
    updateTask(database, { owner, id, given: { status: 'ARCHIVED' }, at });
    return true;
  }
  if (deleteExamplesOf(database, { application, taskId: id, limit: STEP_EXAMPLES })) {
    updateTask(database, { owner, id, given: { status: 'ARCHIVED' }, at });
    return false;
  }
  removeLinks(database, { application, kind: 'task', targetId: id });
  untagTask(database, { application, taskId: id });
  if (findSchedule(database, { application, taskId: id }))
    deleteScheduleOf(database, { application, taskId: id });
  tasks.delete(database, { application, id });
  return true;
}

/** Throws `conflict` for a task of an experiment that can still run. */
function rejectNeeded(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): void {
  const experiment = database.get<{ id: string; title: string }>(
    `SELECT id, title FROM experiment WHERE application = :application AND status NOT IN ('COMPLETED', 'ARCHIVED')
       AND :taskId IN ${valuesOf('task_ids')} ORDER BY created_at, id LIMIT 1`,
    { application, taskId },
  );
  if (experiment)
    throw new AppError(
      'conflict',
      `The experiment ${JSON.stringify(experiment.title)} (${experiment.id}) needs the task; conclude it, archive it or remove the task from it first`,
    );
}

/** Activates some drafts of a quickstart; returns their number. */
export function activateTasks(database: Database, of: DraftsOf): number {
  const { application, at } = of;
  const activated = activateDrafts(database, tasks, of);
  for (const taskId of activated) planNextRun(database, { application, taskId, isActive: true, at });
  return activated.length;
}

/** Most tasks that one command archives. */
const STEP_TASKS = 1_000;

/** Archives some of the tasks of a topic; returns whether there may be more. */
function archiveTasks(
  database: Database,
  { application, topicId, at }: { application: number; topicId: string; at: number },
): boolean {
  const areNot = `topic_id = :topicId AND status <> 'ARCHIVED'`;
  const taskIds = tasks.updateSome(database, { application, at }, { status: 'ARCHIVED' }, areNot, {
    topicId,
    limit: STEP_TASKS,
  });
  stopSchedules(database, { application, taskIds, at });
  return taskIds.length === STEP_TASKS;
}

/** Returns a task; throws `not_found`. */
function getTask(database: Database, { owner, id }: ById): Task {
  return wholeTasks(database, owner, [tasks.get(database, { owner, id })])[0] as Task;
}

/** Returns a task with its metrics computed as of `at`, independent of the stored ones. Throws `not_found`. */
function getTaskNow(database: Database, { owner, id, at }: ById & { at: number }): Task {
  const task = { ...getTask(database, { owner, id }), ...currentMetrics(database, owner, { id, at }) };
  const asOf = { application: owner.application, taskId: id, at };
  const [repeats, judges] = [repeatsOfTask(database, asOf), judgesOfTask(database, asOf)];
  return { ...task, ...(repeats && { repeats }), ...(judges && { judges }) };
}

/** Time of the last test of a task; NULL without one. */
const LAST_TEST = `SELECT max(created_at) FROM test WHERE test.application = task.application AND test.task_id = task.id`;
/** Later than every time in Unix milliseconds, so that tasks without a test are last in both directions. */
const AFTER_ALL_TIMES = Number.MAX_SAFE_INTEGER;

function listTasks(
  database: Database,
  { owner, query, seenBy }: { owner: Owner; query: TasksQuery; seenBy?: SeenBy },
): ListOf<Task> {
  const where = tasksThat(database, { application: owner.application, filter: query, seenBy });
  const order = { lastTest: `coalesce((${LAST_TEST}), ${query.orderDir === 'asc' ? AFTER_ALL_TIMES : 0})` };
  const { data, pagination } = tasks.list(database, owner, { where, order, page: query });
  return { data: wholeTasks(database, owner, data), pagination };
}

/** Returns the ids of tasks, newest first. */
function listTaskIds(
  database: Database,
  { application, filter, seenBy }: { application: number; filter: TaskFilter; seenBy?: SeenBy },
): string[] {
  const where = tasksThat(database, { application, filter, seenBy });
  return database
    .all<{ id: string }>(
      `SELECT id FROM task WHERE application = ? AND ${inTime('id')} AND ${where.map(({ sql }) => sql).join(' AND ')}
       ORDER BY created_at DESC, id DESC`,
      application,
      ...where.flatMap(({ values }) => values),
    )
    .map(({ id }) => id);
}

/** Returns tasks as the API shows them, in the order of their rows. */
function wholeTasks(database: Database, owner: Owner, records: readonly RecordOf<typeof tasks>[]): Task[] {
  const ids = records.map(({ id }) => id);
  const linkedTo = linkedDefinitions(database, owner, 'task', ids);
  const schedules = schedulesOf(database, owner.application, ids);
  const metricsOf = metricsOfTasks(database, owner, ids);
  const examplesOf = inputExamplesOf(database, { application: owner.application, taskIds: ids });
  const tags = tagsOfTasks(database, { application: owner.application, ids });
  const scheduleOf = (id: string): Task['taskSchedule'] => {
    const schedule = schedules.get(id);
    return schedule ? shownSchedule(schedule, owner) : null;
  };
  return records.map((record) => ({
    ...record,
    ...examplesOf(record.id),
    metadata: record.metadata ?? {},
    evalDefinitions: linkedTo(record.id),
    taskSchedule: scheduleOf(record.id),
    tags: tags.get(record.id) ?? [],
    ...metricsOf(record.id),
  }));
}

export const taskCommands = { createTask, updateTask: ifUnchanged(tasks, updateTaskAndTopic), deleteTask };
export const taskQueries = { getTask: getTaskNow, listTasks, listTaskIds };
export const taskHooks = {
  onTaskMetricsSaved: [saveTaskLevels],
  onTopicArchived: [archiveTasks],
} satisfies Partial<MetricHooks & TopicHooks>;
