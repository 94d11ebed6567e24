import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import type { TestHooks } from '../tests/store.ts';
import {
  beginJudging,
  endEvals,
  endJudging,
  finishEvalWork,
  giveUpEvals,
  passEvalOn,
} from './engine/finish.ts';
import { drawLiveTraces, nextMonitoringAt, noteLiveTraces, planMonitoring } from './engine/monitor-store.ts';
import { planEvalsAgain } from './engine/plan.ts';
import { findEvalWork, findJudgeWork, wantedEvals } from './engine/work.ts';
import { saveEvals } from './eval-store.ts';
import { dueFigures, nextFigureAt, saveFigures } from './figure-store.ts';
import { workOutFigures } from './figures.ts';
import { judgeCommands, judgeQueries } from './judge/operations.ts';

export const evaluateCommands = (hooks: TestHooks) => {
  const withHooks =
    <Args, Result>(command: (database: Database, args: Args, hooks: TestHooks) => Result) =>
    (database: Database, args: Args): Result =>
      command(database, args, hooks);
  return {
    ...locking('application', {
      saveEvals,
      planEvals: withHooks(planEvalsAgain),
      finishEvalWork: withHooks(finishEvalWork),
      endEvals,
      passEvalOn,
      beginJudging,
      endJudging: withHooks(endJudging),
      giveUpEvals: withHooks(giveUpEvals),
      ...judgeCommands,
    }),
    ...locking('global', { saveFigures, noteLiveTraces, planMonitoring }),
  };
};
export type EvaluateCommands = ReturnType<typeof evaluateCommands>;
export const evaluateQueries = {
  dueFigures,
  nextFigureAt,
  workOutFigures,
  findEvalWork,
  findJudgeWork,
  wantedEvals,
  drawLiveTraces,
  nextMonitoringAt,
  ...judgeQueries,
};
