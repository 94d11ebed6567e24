import { locking, withoutSavepoint } from '../storage/operations.ts';
import { type TestHooks, withHooks } from '../tests/store.ts';
import {
  beginJudging,
  endEvals,
  endJudging,
  finishEvalWork,
  giveUpEvals,
  isJudging,
  reassignEval,
} from './engine/finish.ts';
import { drawLiveSessions, noteLiveSessions } from './engine/draw-sessions.ts';
import { drawLiveTraces, nextMonitoringAt, noteLiveTraces, planMonitoring } from './engine/monitor-store.ts';
import { planEvalsAgain } from './engine/plan.ts';
import { dueSessions, nextSessionAt, planSessions } from './engine/plan-sessions.ts';
import { findEvalWork, findJudgeWork, wantedEvals } from './engine/work.ts';
import { pruneJudgeTexts } from './prune-judge-texts.ts';
import { dueMetrics, nextMetricsAt, saveMetrics, type SaveTaskLevels } from './quality-metric-store.ts';
import { computeMetrics } from './quality-metrics.ts';
import { removeEvalsOfDefinition, removeMetrics } from './remove-evals.ts';
import { judgeCommands, judgeQueries } from './judge/operations.ts';

export const evaluateCommands = (hooks: TestHooks, saveTaskLevels: SaveTaskLevels) => {
  const hooked = withHooks(hooks);
  return {
    ...locking('application', {
      pruneJudgeTexts,
      planEvals: withoutSavepoint(hooked(planEvalsAgain)),
      finishEvalWork: withoutSavepoint(hooked(finishEvalWork)),
      endEvals,
      reassignEval,
      beginJudging,
      endJudging: hooked(endJudging),
      giveUpEvals: hooked(giveUpEvals),
      removeEvalsOfDefinition,
      removeMetrics,
      ...judgeCommands,
    }),
    ...locking('global', {
      saveMetrics: saveMetrics(saveTaskLevels),
      noteLiveTraces,
      planMonitoring,
      noteLiveSessions,
      planSessions,
    }),
  };
};
export const evaluateQueries = {
  dueMetrics,
  nextMetricsAt,
  computeMetrics,
  findEvalWork,
  findJudgeWork,
  isJudging,
  wantedEvals,
  drawLiveTraces,
  nextMonitoringAt,
  drawLiveSessions,
  dueSessions,
  nextSessionAt,
  ...judgeQueries,
};
