import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { evaluateCommands, evaluateQueries } from './operations.ts';

export const {
  pruneJudgeTexts,
  planEvals,
  finishEvalWork,
  endEvals,
  reassignEval,
  beginJudging,
  endJudging,
  giveUpEvals,
  removeEvalsOfDefinition,
  removeMetrics,
  saveMetrics,
  settledTraceKey,
  noteLiveTraces,
  planMonitoring,
  noteLiveSessions,
  planSessions,
} = commandsOf<ReturnType<typeof evaluateCommands>>();
export const {
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
} = queriesOf<typeof evaluateQueries>();
