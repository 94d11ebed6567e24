import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { reportingCommands, reportingQueries } from './store.ts';

interface ReportingDeps {
  read: Call<typeof reportingQueries>;
  write: Call<typeof reportingCommands>;
  now: () => number;
}

export const reportingRoutes = (_deps: ReportingDeps): Route[] => [];
