import { deleteTrace, pendingPurges, purgeTrace } from './delete.ts';
import { findAnswer } from './idempotency.ts';
import { findNativeSteps } from './native-steps.ts';
import { listTraces } from './list.ts';
import { findTraceByTest, readTrace } from './read.ts';
import { dueRewrites, finishRewrite, loadForRewrite } from './rewrite.ts';
import { readSpans } from './span-list.ts';
import { recordRequest, storeSpans } from './store.ts';

export const traceCommands = {
  storeSpans,
  recordRequest,
  deleteTrace,
  purgeTrace,
  pendingPurges,
  findNativeSteps,
  findAnswer,
  dueRewrites,
  loadForRewrite,
  finishRewrite,
};
export const traceQueries = { listTraces, readTrace, readSpans, findTraceByTest };
