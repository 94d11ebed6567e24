import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import type { inferenceStepCommands, inferenceStepQueries } from './store.ts';

interface InferenceStepDeps {
  read: Call<typeof inferenceStepQueries>;
  write: Call<typeof inferenceStepCommands>;
  now: () => number;
}

export const inferenceStepRoutes = (_deps: InferenceStepDeps): Route[] => [];
