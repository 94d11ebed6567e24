import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { annotationQueueItemCommands, annotationQueueItemQueries } from './store.ts';

export const {
  createQueueItem,
  createChosenItems,
  createDrawnItems,
  removeItemsOfQueue,
  leaseNextItem,
  renewItemLease,
  releaseItemLease,
  unblindItem,
} = commandsOf<typeof annotationQueueItemCommands>();
export const { listQueueItems, getQueueItem, drawTraces, reviewContent } =
  queriesOf<typeof annotationQueueItemQueries>();
