import type { Database } from '../storage/sqlite/database.ts';
import {
  beginJudging,
  endEvals,
  endJudging,
  finishEvalWork,
  giveUpEvals,
  type OnEvaluated,
  passEvalOn,
} from './engine/finish.ts';
import { drawLiveTraces, isMonitoringDue, noteLiveTraces, planMonitoring } from './engine/monitor-store.ts';
import { type OnPlanned, type PlanEvals, planEvals } from './engine/plan.ts';
import { findEvalWork, findJudgeWork, wantedEvals } from './engine/work.ts';
import { saveEvals } from './eval-store.ts';
import { dueFigures, saveFigures } from './figure-store.ts';
import { workOutFigures } from './figures.ts';
import { judgeCommands, judgeQueries } from './judge/operations.ts';

/** What the room of tests wants to be told of, within the command in which it happens. */
export interface EvaluateHooks {
  onPlanned: OnPlanned;
  onEvaluated: OnEvaluated;
}

export const evaluateCommands = ({ onPlanned, onEvaluated }: EvaluateHooks) => {
  const telling =
    <Args, Result>(command: (database: Database, args: Args, told: OnEvaluated) => Result) =>
    (database: Database, args: Args): Result =>
      command(database, args, onEvaluated);
  return {
    saveEvals,
    saveFigures,
    planEvals: (database: Database, args: PlanEvals) => planEvals(database, args, onPlanned),
    finishEvalWork: telling(finishEvalWork),
    endEvals,
    passEvalOn,
    beginJudging,
    endJudging: telling(endJudging),
    giveUpEvals: telling(giveUpEvals),
    noteLiveTraces,
    planMonitoring,
    ...judgeCommands,
  };
};
export type EvaluateCommands = ReturnType<typeof evaluateCommands>;
export const evaluateQueries = {
  dueFigures,
  workOutFigures,
  findEvalWork,
  findJudgeWork,
  wantedEvals,
  drawLiveTraces,
  isMonitoringDue,
  ...judgeQueries,
};
