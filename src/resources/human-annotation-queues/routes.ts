import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { annotationQueueCommands, annotationQueueQueries } from './store.ts';

interface AnnotationQueueDeps {
  read: Call<typeof annotationQueueQueries>;
  write: Call<typeof annotationQueueCommands>;
  now: () => number;
}

export const annotationQueueRoutes = (_deps: AnnotationQueueDeps): Route[] => [];
