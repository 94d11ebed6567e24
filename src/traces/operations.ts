import { locking, withHooks, withoutGarbage, withoutSavepoint } from '../storage/operations.ts';
import type { Database } from '../storage/database.ts';
import { changedTraces, traceChangesSince, tracesChangedSince } from './changes.ts';
import { deleteTrace } from './delete.ts';
import { countDueTraces, nextDueTraceAt } from './due-traces.ts';
import { exportTraces } from './export.ts';
import { traceFacets } from './facets.ts';
import { findAnswer } from './idempotency.ts';
import { findNativeSteps, readNativeSpans } from './native-steps.ts';
import { listTraces, readTraceSummary } from './list.ts';
import { exportOtlp } from './otlp-file/read.ts';
import { type PackedSlice, unpackSlices } from './packed-slices.ts';
import { findTraceByTest, readTrace } from './read.ts';
import { readSpan, readSpanMedia } from './read-span.ts';
import { pruneLedger } from './prune-ledger.ts';
import { dropTombstones, pruneTraces } from './prune.ts';
import { pendingPurges, purgeTrace, type TraceHooks } from './purge.ts';
import { dueRefreshes, finishRefresh, workOutTrace } from './refresh.ts';
import {
  dropBlocks,
  dueRewrites,
  finishRewrite,
  linkTests,
  loadForRewrite,
  moveSpans,
  postponeRewrite,
  postponeShortly,
} from './rewrite.ts';
import { dropWaitingLogs } from './span-logs.ts';
import { recordRequest } from './record-request.ts';
import { indexEarlierResponses } from './response-index.ts';
import { readSpanIndex, spanIndexVersion } from './span-index/read-span-index.ts';
import { readSpans } from './span-list.ts';
import { storeLogs } from './store-logs.ts';
import { lastTraceOfSession, listSessions, readSession } from './sessions.ts';
import { ownRulesCommands, ownRulesQueries } from './own-rules/store.ts';
import { storeSlices } from './store.ts';
import { hasTestTouches } from './test-touches.ts';

/** Commands of a rewrite. */
export const rewriteCommands = {
  loadForRewrite,
  moveSpans,
  dropBlocks,
  linkTests,
  finishRewrite,
  postponeShortly,
};

export const traceCommands = (hooks: TraceHooks) => {
  const hooked = withHooks(hooks);
  return {
    ...locking('trace', {
      storeSlices: withoutSavepoint((database: Database, packed: PackedSlice[], bytes = new Uint8Array(0)) =>
        storeSlices(database, unpackSlices(packed, bytes), hooks),
      ),
      storeLogs: hooked(storeLogs),
      deleteTrace: hooked(deleteTrace),
      purgeTrace: hooked(purgeTrace),
      pruneTraces: hooked(pruneTraces),
      findNativeSteps,
      readNativeSpans,
      ...rewriteCommands,
      postponeRewrite,
      finishRefresh,
    }),
    ...locking('application', { recordRequest, findAnswer, pruneLedger, ...ownRulesCommands }),
    ...locking('leader', { dropWaitingLogs, dropTombstones, indexEarlierResponses }),
  };
};
export const traceQueries = {
  listTraces,
  traceFacets,
  changedTraces,
  tracesChangedSince,
  traceChangesSince,
  exportTraces,
  exportOtlp,
  readTrace,
  readTraceSummary,
  readSpans,
  readSpan,
  readSpanMedia,
  readSpanIndex: withoutGarbage(readSpanIndex),
  spanIndexVersion,
  findTraceByTest,
  workOutTrace,
  listSessions,
  lastTraceOfSession,
  readSession,
  pendingPurges,
  dueRewrites,
  dueRefreshes,
  nextDueTraceAt,
  countDueTraces,
  hasTestTouches,
  ...ownRulesQueries,
};
