import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { annotationQueueItemCommands, annotationQueueItemQueries } from './store.ts';

export const { createQueueItem, createChosenItems, createDrawnItems, removeItemsOfQueue } =
  commandsOf<typeof annotationQueueItemCommands>();
export const { listQueueItems, getQueueItem, drawTraces } = queriesOf<typeof annotationQueueItemQueries>();
