import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { annotationQueueItemCommands, annotationQueueItemQueries } from './store.ts';

interface AnnotationQueueItemDeps {
  read: Call<typeof annotationQueueItemQueries>;
  write: Call<typeof annotationQueueItemCommands>;
  now: () => number;
}

export const annotationQueueItemRoutes = (_deps: AnnotationQueueItemDeps): Route[] => [];
