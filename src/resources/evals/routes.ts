import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { evalCommands, evalQueries } from './store.ts';

interface EvalDeps {
  read: Call<typeof evalQueries>;
  write: Call<typeof evalCommands>;
  now: () => number;
}

export const evalRoutes = (_deps: EvalDeps): Route[] => [];
