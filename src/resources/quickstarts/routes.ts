import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { quickstartCommands, quickstartQueries } from './store.ts';

interface QuickstartDeps {
  read: Call<typeof quickstartQueries>;
  write: Call<typeof quickstartCommands>;
  now: () => number;
}

export const quickstartRoutes = (_deps: QuickstartDeps): Route[] => [];
