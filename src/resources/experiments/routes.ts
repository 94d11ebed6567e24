import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { experimentCommands, experimentQueries } from './store.ts';

interface ExperimentDeps {
  read: Call<typeof experimentQueries>;
  write: Call<typeof experimentCommands>;
  now: () => number;
}

export const experimentRoutes = (_deps: ExperimentDeps): Route[] => [];
