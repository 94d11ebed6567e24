import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { scrapeJobCommands, scrapeJobQueries } from './store.ts';

interface ScrapeJobDeps {
  read: Call<typeof scrapeJobQueries>;
  write: Call<typeof scrapeJobCommands>;
  now: () => number;
}

export const scrapeJobRoutes = (_deps: ScrapeJobDeps): Route[] => [];
