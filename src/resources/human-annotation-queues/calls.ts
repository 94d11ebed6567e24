import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { annotationQueueCommands, annotationQueueQueries } from './store.ts';

export const { createAnnotationQueue, updateAnnotationQueue, removeAnnotationQueue } =
  commandsOf<typeof annotationQueueCommands>();
export const { getAnnotationQueue, listAnnotationQueues } = queriesOf<typeof annotationQueueQueries>();
