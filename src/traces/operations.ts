import { locking, withoutGarbage, withoutSavepoint } from '../storage/operations.ts';
import type { Database } from '../storage/database.ts';
import { changedTraces, tracesChangedSince } from './changes.ts';
import { deleteTraceAnd } from './delete.ts';
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
import { dropTombstones, pruneTracesAnd } from './prune.ts';
import { pendingPurges, type PurgeOthers, purgeTraceAnd } from './purge.ts';
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
import { recordRequest } from './record-request.ts';
import { readSpanIndex, spanIndexVersion } from './span-index/read-span-index.ts';
import { readSpans } from './span-list.ts';
import { type StoreLogs, storeLogs } from './store-logs.ts';
import { lastTraceOfSession, listSessions, readSession } from './sessions.ts';
import { storeSlices } from './store.ts';

/** Commands of a rewrite. */
export const rewriteCommands = {
  loadForRewrite,
  moveSpans,
  dropChunks,
  linkTests,
  finishRewrite,
  postponeShortly,
};

/** Creates the commands. `purgeOthers` removes the data of other modules about a deleted trace. */
export const traceCommands = (purgeOthers: PurgeOthers) => ({
  ...locking('trace', {
    storeSlices: withoutSavepoint((database: Database, packed: PackedSlice[], bytes = new Uint8Array(0)) =>
      storeSlices(database, unpackSlices(packed, bytes), purgeOthers.markDays),
    ),
    storeLogs: (database: Database, args: StoreLogs) => storeLogs(database, args, purgeOthers.markDays),
    deleteTrace: deleteTraceAnd(purgeOthers),
    purgeTrace: purgeTraceAnd(purgeOthers),
    pruneTraces: pruneTracesAnd(purgeOthers),
    findNativeSteps,
    readNativeSpans,
    ...rewriteCommands,
    postponeRewrite,
    finishRefresh,
  }),
  ...locking('application', { recordRequest, findAnswer, pruneLedger }),
  ...locking('global', { dropWaitingLogs, dropTombstones }),
});
export const traceQueries = {
  listTraces,
  traceFacets,
  changedTraces,
  tracesChangedSince,
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
};
