import { AppError } from '../errors.ts';
import type { Owner } from '../contract/owner.ts';
import { removeEvalsOfDefinition, removeMetrics } from '../evaluate/calls.ts';
import { deleteDefinition, unlinkDefinitionsFromApplication } from '../resources/definitions/calls.ts';
import { annotationsOfQueue, keptExampleRecords } from '../resources/example-data/calls.ts';
import type { MadeRecords } from '../resources/example-data/record.ts';
import { removeExperiment } from '../resources/experiments/calls.ts';
import { removeItemsOfQueue } from '../resources/human-annotation-queue-items/calls.ts';
import { removeAnnotationQueue } from '../resources/human-annotation-queues/calls.ts';
import { deleteHumanAnnotation, forgetAskedCriteria } from '../resources/human-annotations/calls.ts';
import { deleteIssue } from '../resources/issues/calls.ts';
import { deleteTask } from '../resources/tasks/calls.ts';
import { removeTopic } from '../resources/topics/calls.ts';
import { removeWebhook } from '../resources/webhook/calls.ts';
import { removeRuns, removeTests, testsToRemove } from '../tests/calls.ts';
import { deleteTrace, purgeTrace } from '../traces/calls.ts';
import { type LoadDeps, WEBHOOK_URL } from './load.ts';

/**
 * Removes example data in bounded commands: exactly the records that were planned, as far as they exist, with the tests of
 * its tasks and the evals of its definitions. Records that hold own ones stay (`keptExampleRecords`). Repeating it continues after an
 * interruption.
 */
export async function removeExampleData(
  { read, write, now }: Pick<LoadDeps, 'read' | 'write' | 'now'>,
  made: MadeRecords,
  { owner, signal }: { owner: Owner; signal: AbortSignal },
): Promise<void> {
  const { application } = owner;
  const { queueId } = made;
  const kept = await read(keptExampleRecords, { application, made });
  const without = (ids: readonly string[], keptIds: readonly string[]): string[] =>
    ids.filter((id) => !keptIds.includes(id));
  const taskIds = without(made.taskIds, kept.taskIds);
  const topicIds = without(made.topicIds, kept.topicIds);
  const definitionIds = without(made.definitionIds, kept.definitionIds);
  // From now on they judge no further trace, so that they have no eval when they are deleted.
  for (const id of made.definitionIds)
    await ifExists(() => write(unlinkDefinitionsFromApplication, { owner, evalIds: [id] }));
  await write(removeWebhook, { application, id: made.webhookId, url: WEBHOOK_URL });
  await write(removeExperiment, { application, id: made.experimentId });
  if (!kept.keepsQueue) {
    for (const id of await read(annotationsOfQueue, { application, queueId }))
      await ifExists(() => write(deleteHumanAnnotation, { owner, id, annotatorId: null, at: now() }));
    while (await write(removeItemsOfQueue, { application, queueId }));
    await write(forgetAskedCriteria, { application });
    await write(removeAnnotationQueue, { application, id: queueId });
  }
  if (!kept.keepsIssue)
    await ifExists(async () => {
      while (await write(deleteIssue, { owner, id: made.issueId, at: now() }));
    });
  for (const traceId of without(made.traceIds, kept.traceIds)) await removeTrace(Buffer.from(traceId, 'hex'));
  for (const taskId of taskIds) await removeTask(taskId);
  for (const definitionId of definitionIds) {
    while (await write(removeEvalsOfDefinition, { application, definitionId })) signal.throwIfAborted();
    await ifExists(async () => {
      while (await write(deleteDefinition, { owner, id: definitionId, at: now() }));
    });
  }
  for (const id of topicIds) await write(removeTopic, { application, id });
  await write(removeMetrics, { application, ids: [...taskIds, ...topicIds, ...definitionIds] });

  async function removeTrace(traceId: Uint8Array): Promise<void> {
    signal.throwIfAborted();
    const found = await write(deleteTrace, { application, traceIds: [traceId], at: now() });
    if (found) while (await write(purgeTrace, { tkey: found.tkey }));
  }

  async function removeTask(taskId: string): Promise<void> {
    for (;;) {
      const tests = await read(testsToRemove, { application, taskId });
      if (tests.length === 0) break;
      for (const { traceId } of tests) await removeTrace(traceId);
      await write(removeTests, { application, testIds: tests.map(({ id }) => id) });
    }
    await write(removeRuns, { application, taskId });
    await ifExists(async () => {
      while (!(await write(deleteTask, { owner, id: taskId, at: now() }))) signal.throwIfAborted();
    });
  }
}

/** Runs a deletion, which is complete too if the record does not exist. */
async function ifExists(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}
