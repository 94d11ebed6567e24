import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { humanAnnotationCommands, humanAnnotationQueries } from './store.ts';

interface HumanAnnotationDeps {
  read: Call<typeof humanAnnotationQueries>;
  write: Call<typeof humanAnnotationCommands>;
  now: () => number;
}

export const humanAnnotationRoutes = (_deps: HumanAnnotationDeps): Route[] => [];
