import { queriesOf } from '../../storage/calls.ts';
import type { evalQueries } from './store.ts';

export const { listEvals, getEval, listJudgeCalls, evalCosts, testsToEvaluate } =
  queriesOf<typeof evalQueries>();
