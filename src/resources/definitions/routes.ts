import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { definitionCommands, definitionQueries } from './store.ts';

interface DefinitionDeps {
  read: Call<typeof definitionQueries>;
  write: Call<typeof definitionCommands>;
  now: () => number;
}

export const definitionRoutes = (_deps: DefinitionDeps): Route[] => [];
