import type { Database } from '../../storage/database.ts';
import { hexOf, valuesOf } from '../../storage/dialect.ts';
import { parseId } from '../../traces/ids.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';
import type { MadeRecords } from './record.ts';

/** Annotator of the annotations that loading makes. */
export const EXAMPLE_ANNOTATOR = 'ada';

/** Ids of example records that records of the application's own belong to or refer to. */
export type KeptRecords = Pick<MadeRecords, 'traceIds' | 'taskIds' | 'topicIds' | 'definitionIds'> & {
  keepsQueue: boolean;
  keepsIssue: boolean;
};

/**
 * Returns the example records that are kept, because they hold own ones: traces that someone has annotated, queued, noted, linked to an issue or copied to an own
 * task; tasks with such traces, with own examples, or in an own experiment; topics and definitions that own tasks, topics or kept tasks need; the
 * queue if own annotations or own items are in it; and the issue, with what it names, if own traces or notes are.
 */
export function keptExampleRecords(
  database: Database,
  { application, made }: { application: number; made: MadeRecords },
): KeptRecords {
  const of = {
    application,
    made: JSON.stringify(made.taskIds),
    queueId: made.queueId,
    issueId: made.issueId,
    ada: EXAMPLE_ANNOTATOR,
  };
  const keepsIssue = isIssueUsed(database, of, made);
  const traceIds = made.traceIds.filter((id) =>
    holdsOwn(database, { ...of, traceId: Buffer.from(id, 'hex') }),
  );
  const taskIds = made.taskIds.filter(
    (taskId) =>
      isInOwnExperiment(database, { application, taskId, experimentId: made.experimentId }) ||
      hasOwnExamples(database, { application, taskId }) ||
      tracesOfTask(database, { application, taskId }).some((traceId) =>
        holdsOwn(database, { ...of, traceId }),
      ),
  );
  const gone = JSON.stringify(made.taskIds.filter((id) => !taskIds.includes(id)));
  const ofDefinitions = { application, gone, definitions: JSON.stringify(made.definitionIds) };
  const ofIssue = { application, keptIssueId: keepsIssue ? made.issueId : '' };
  const topicIds = made.topicIds.filter((topicId) =>
    isTopicNeeded(database, { ...ofDefinitions, ...ofIssue, topicId }),
  );
  const goneTopics = JSON.stringify(made.topicIds.filter((id) => !topicIds.includes(id)));
  // The verdicts of kept tests are by any of them.
  const definitionIds = made.definitionIds.filter(
    (definitionId) =>
      taskIds.length > 0 || isDefinitionNeeded(database, { ...ofIssue, gone, goneTopics, definitionId }),
  );
  return {
    traceIds,
    taskIds,
    topicIds,
    definitionIds,
    keepsQueue: keepsQueue(database, of, made),
    keepsIssue,
  };
}

/** Returns the ids of the annotations of a queue. Loading makes a few, also of traces of tests, which may be kept. */
export const annotationsOfQueue = (
  database: Database,
  of: { application: number; queueId: string },
): string[] =>
  database
    .all<{ id: string }>(
      `SELECT human_annotation.id FROM annotation_queue_item AS item
       JOIN human_annotation ON human_annotation.application = item.application AND queue_item_id = item.id
       WHERE item.application = :application AND queue_id = :queueId`,
      of,
    )
    .map(({ id }) => id);

interface OfTrace {
  application: number;
  traceId: Uint8Array;
  /** JSON arrays of the example tasks. */
  made: string;
  queueId: string;
  issueId: string;
  ada: string;
}

/** SQL for annotations that loading has not made. */
const OWN_ANNOTATION = '(annotator_id <> :ada OR queue_item_id IS NULL)';

const holdsOwn = (database: Database, of: OfTrace): boolean =>
  database.get(
    `SELECT 1 WHERE
       EXISTS (SELECT 1 FROM human_annotation
         WHERE application = :application AND trace_id = :traceId AND ${OWN_ANNOTATION})
       OR EXISTS (SELECT 1 FROM annotation_queue_item
         WHERE application = :application AND trace_id = :traceId AND queue_id <> :queueId)
       OR EXISTS (SELECT 1 FROM note WHERE application = :application AND trace_id = :traceId)
       OR EXISTS (SELECT 1 FROM issue_link
         WHERE application = :application AND trace_id = :traceId AND issue_id <> :issueId)
       OR EXISTS (SELECT 1 FROM example
         WHERE application = :application AND trace_id = :traceId AND task_id NOT IN ${valuesOf(':made')})`,
    { ...of },
  ) !== undefined;

const keepsQueue = (
  database: Database,
  { application, queueId, ada }: OfTraces,
  made: MadeRecords,
): boolean =>
  database.get(
    `SELECT 1 FROM annotation_queue_item AS item WHERE item.application = :application AND queue_id = :queueId AND (
       ${hexOf('trace_id')} NOT IN ${valuesOf(':traces')}
         AND NOT EXISTS (SELECT 1 FROM test WHERE test.application = :application AND test.trace_id = item.trace_id)
       OR EXISTS (SELECT 1 FROM human_annotation WHERE human_annotation.application = :application
         AND queue_item_id = item.id AND ${OWN_ANNOTATION})) LIMIT 1`,
    { application, queueId, ada, traces: JSON.stringify(made.traceIds) },
  ) !== undefined;

type OfTraces = Omit<OfTrace, 'traceId'>;

/** Reports whether the issue has own traces or notes, or is a part of an own issue or the other way round. */
const isIssueUsed = (database: Database, { application, issueId }: OfTraces, made: MadeRecords): boolean =>
  database.get(
    `SELECT 1 WHERE
       EXISTS (SELECT 1 FROM issue_link AS link WHERE link.application = :application AND link.issue_id = :issueId
         AND ${hexOf('link.trace_id')} NOT IN ${valuesOf(':traces')}
         AND NOT EXISTS (SELECT 1 FROM test WHERE test.application = :application AND test.trace_id = link.trace_id
           AND test.task_id IN ${valuesOf(':tasks')}))
       OR EXISTS (SELECT 1 FROM note WHERE note.application = :application AND note.issue_id = :issueId)
       OR EXISTS (SELECT 1 FROM issue WHERE issue.application = :application
         AND (issue.parent_id = :issueId OR issue.merged_into = :issueId))`,
    {
      application,
      issueId,
      traces: JSON.stringify(made.traceIds),
      tasks: JSON.stringify(made.taskIds),
    },
  ) !== undefined;

/** Returns the traces that tests of a task are linked to. */
const tracesOfTask = (database: Database, of: { application: number; taskId: string }): Buffer[] =>
  database
    .all<{ id: string }>('SELECT id FROM test WHERE application = :application AND task_id = :taskId', {
      ...of,
    })
    .flatMap(({ id }) =>
      database.all<{ traceId: Buffer }>(`SELECT trace_id AS "traceId" FROM ${tracesOfTest()}`, {
        application: of.application,
        testId: parseId(id),
      }),
    )
    .map(({ traceId }) => traceId);

const isInOwnExperiment = (
  database: Database,
  of: { application: number; taskId: string; experimentId: string },
): boolean =>
  database.get(
    `SELECT 1 FROM experiment
     WHERE application = :application AND id <> :experimentId AND :taskId IN ${valuesOf('task_ids')} LIMIT 1`,
    { ...of },
  ) !== undefined;

/** Loading makes examples together with their task. */
const hasOwnExamples = (database: Database, of: { application: number; taskId: string }): boolean =>
  database.get(
    `SELECT 1 FROM example JOIN task ON task.application = example.application AND task.id = task_id
     WHERE example.application = :application AND task_id = :taskId AND example.created_at > task.created_at LIMIT 1`,
    { ...of },
  ) !== undefined;

/** `gone`: JSON array of the tasks that are removed. */
const isTopicNeeded = (
  database: Database,
  of: { application: number; topicId: string; gone: string; definitions: string; keptIssueId: string },
): boolean =>
  database.get(
    `SELECT 1 WHERE
       EXISTS (SELECT 1 FROM task
         WHERE application = :application AND topic_id = :topicId AND id NOT IN ${valuesOf(':gone')})
       OR EXISTS (SELECT 1 FROM definition_link WHERE application = :application AND kind = 'topic'
         AND target_id = :topicId AND definition_id NOT IN ${valuesOf(':definitions')})
       OR EXISTS (SELECT 1 FROM issue WHERE application = :application AND id = :keptIssueId AND topic_id = :topicId)
       OR EXISTS (SELECT 1 FROM document WHERE application = :application AND topic_id = :topicId)
       OR EXISTS (SELECT 1 FROM annotation_queue WHERE application = :application AND topic_id = :topicId)`,
    { ...of },
  ) !== undefined;

const isDefinitionNeeded = (
  database: Database,
  of: { application: number; definitionId: string; gone: string; goneTopics: string; keptIssueId: string },
): boolean =>
  database.get(
    `SELECT 1 WHERE
       EXISTS (SELECT 1 FROM definition_link WHERE application = :application AND definition_id = :definitionId AND (
         kind = 'task' AND target_id NOT IN ${valuesOf(':gone')}
         OR kind = 'topic' AND target_id NOT IN ${valuesOf(':goneTopics')}))
       OR EXISTS (SELECT 1 FROM issue
         WHERE application = :application AND id = :keptIssueId AND eval_definition_id = :definitionId)`,
    { ...of },
  ) !== undefined;
