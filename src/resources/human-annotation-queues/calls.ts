import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { annotationQueueCommands, annotationQueueQueries } from './store.ts';

export const { createAnnotationQueue, updateAnnotationQueue, removeAnnotationQueue } =
  commandsOf<ReturnType<typeof annotationQueueCommands>>();
export const { getAnnotationQueue, listAnnotationQueues } =
  queriesOf<ReturnType<typeof annotationQueueQueries>>();
