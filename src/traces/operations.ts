import { withoutSavepoint } from '../storage/operations.ts';
import type { Database } from '../storage/sqlite/database.ts';
import { deleteTrace } from './delete.ts';
import { findAnswer } from './idempotency.ts';
import { findNativeSteps, readNativeSpans } from './native-steps.ts';
import { listTraces } from './list.ts';
import { type PackedSlice, unpackSlices } from './packed-slices.ts';
import { findTraceByTest, readTrace } from './read.ts';
import { pendingPurges, purgeTrace } from './purge.ts';
import { dueRefreshes, finishRefresh, workOutTrace } from './refresh.ts';
import {
  dropChunks,
  dueRewrites,
  finishRewrite,
  linkTests,
  loadForRewrite,
  moveSpans,
  postponeRewrite,
  postponeShortly,
} from './rewrite.ts';
import { dropWaitingLogs } from './span-logs.ts';
import { readSpans } from './span-list.ts';
import { storeLogs } from './store-logs.ts';
import { listSessions, readSession } from './sessions.ts';
import { recordRequest, storeSlices } from './store.ts';

/** What one rewrite consists of. */
export const rewriteCommands = {
  loadForRewrite,
  moveSpans,
  dropChunks,
  linkTests,
  finishRewrite,
  postponeShortly,
};

export const traceCommands = {
  storeSlices: withoutSavepoint((database: Database, packed: PackedSlice[], bytes = new Uint8Array(0)) =>
    storeSlices(database, unpackSlices(packed, bytes)),
  ),
  recordRequest,
  storeLogs,
  dropWaitingLogs,
  deleteTrace,
  purgeTrace,
  pendingPurges,
  findNativeSteps,
  readNativeSpans,
  findAnswer,
  dueRewrites,
  ...rewriteCommands,
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
