import { locking, withHooks, withoutSavepoint } from '../storage/operations.ts';
import type { FollowHooks } from '../tests/follow.ts';
import type { FillHooks } from '../tests/outcome/fill-store.ts';
import type { RemoveHooks } from '../tests/remove-tests.ts';
import type { TestHooks } from '../tests/store.ts';
import type { TraceHooks } from '../traces/purge.ts';
import { markMetricsOfFilled, markMetricsOfTest, markMetricsOfTests } from './due-quality-metrics.ts';
import {
  beginJudging,
  endEvals,
  endJudging,
  finishEvalWork,
  giveUpEvals,
  isJudging,
  reassignEval,
  settleDeleted,
} from './engine/finish.ts';
import { drawLiveSessions, noteLiveSessions } from './engine/draw-sessions.ts';
import {
  drawLiveTraces,
  nextMonitoringAt,
  noteLiveTraces,
  planMonitoring,
  settledTraceKey,
} from './engine/monitor-store.ts';
import { checkEvals, planCompleteTest, planEvalsAgain } from './engine/plan.ts';
import { dueSessions, nextSessionAt, planSessions } from './engine/plan-sessions.ts';
import { findEvalWork, findJudgeWork, wantedEvals } from './engine/work.ts';
import { pruneJudgeTexts } from './prune-judge-texts.ts';
import { purgeEvalsOfSession, purgeEvalsOfTest, purgeEvalsOfTrace } from './purge-evals.ts';
import { dueMetrics, type MetricHooks, nextMetricsAt, saveMetrics } from './quality-metric-store.ts';
import { computeMetrics } from './quality-metrics.ts';
import { removeEvalsOfDefinition, removeEvalsOfTests, removeMetrics } from './remove-evals.ts';
import { judgeCommands, judgeQueries } from './judge/operations.ts';

export const evaluateCommands = (hooks: TestHooks & MetricHooks) => {
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
    ...locking('leader', {
      saveMetrics: hooked(saveMetrics),
      settledTraceKey,
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
export const evaluateHooks = (hooks: () => TestHooks) =>
  ({
    onTestComplete: [planCompleteTest],
    onLateSpans: [checkEvals],
    onTestEnded: [markMetricsOfTest],
    onOutcomeFilled: [markMetricsOfFilled],
    onTestReopened: [markMetricsOfTest],
    beforeTestsRemoved: [markMetricsOfTests, removeEvalsOfTests],
    purgeOfTest: [purgeEvalsOfTest, (database, test) => settleDeleted(database, test, hooks())],
    purgeOfTrace: [purgeEvalsOfTrace],
    purgeOfSession: [purgeEvalsOfSession],
  }) satisfies Partial<FollowHooks & FillHooks & RemoveHooks & TraceHooks>;
