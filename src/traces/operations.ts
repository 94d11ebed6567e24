import { deleteTrace, pendingPurges, purgeTrace } from './delete.ts';
import { findAnswer } from './idempotency.ts';
import { findNativeSteps } from './native-steps.ts';
import { listTraces } from './list.ts';
import { findTraceByTest, readTrace } from './read.ts';
import { dueRefreshes, finishRefresh, workOutTrace } from './refresh.ts';
import { dueRewrites, finishRewrite, loadForRewrite, postponeRewrite } from './rewrite.ts';
import { dropWaitingLogs } from './span-logs.ts';
import { readSpans } from './span-list.ts';
import { storeLogs } from './store-logs.ts';
import { listSessions, readSession } from './sessions.ts';
import { recordRequest, storeSpans } from './store.ts';

export const traceCommands = {
  storeSpans,
  recordRequest,
  storeLogs,
  dropWaitingLogs,
  deleteTrace,
  purgeTrace,
  pendingPurges,
  findNativeSteps,
  findAnswer,
  dueRewrites,
  loadForRewrite,
  finishRewrite,
  postponeRewrite,
  dueRefreshes,
  finishRefresh,
};
export const traceQueries = {
  listTraces,
  readTrace,
  readSpans,
  findTraceByTest,
  workOutTrace,
  listSessions,
  readSession,
};
