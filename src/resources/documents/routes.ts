import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { documentCommands, documentQueries } from './store.ts';

interface DocumentDeps {
  read: Call<typeof documentQueries>;
  write: Call<typeof documentCommands>;
  now: () => number;
}

export const documentRoutes = (_deps: DocumentDeps): Route[] => [];
