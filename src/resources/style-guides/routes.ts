import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { styleGuideCommands, styleGuideQueries } from './store.ts';

interface StyleGuideDeps {
  read: Call<typeof styleGuideQueries>;
  write: Call<typeof styleGuideCommands>;
  now: () => number;
}

export const styleGuideRoutes = (_deps: StyleGuideDeps): Route[] => [];
