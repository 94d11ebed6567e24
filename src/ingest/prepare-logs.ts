import type { Transferable } from 'node:worker_threads';
import type { Masker } from '../masking/masker.ts';
import type { Share } from '../runtime/fair-share.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import type { Organisations } from '../runtime/organisations.ts';
import type { Steps } from '../runtime/steps.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';
import { storeLogs as storeLogsCommand } from '../traces/calls.ts';
import { buildLogBatch, type IncomingLog } from '../traces/log-batch.ts';
import type { LogsOutcome, StoreLogs } from '../traces/store-logs.ts';
import { bytesOfLogs } from '../traces/stored-amount.ts';
import { chargeSlice } from './charge-slice.ts';
import { logsJsonSteps } from './otlp/json-to-protobuf.ts';
import { readableSteps } from './otlp/readable.ts';
import { type ScannedLogs, scanLogs } from './otlp/scan-logs.ts';
import { LOGS_REQUEST, maskOtlp } from './mask-otlp.ts';
import { type Maskers, maskingOutcome } from './maskers.ts';
import { describeRejectedLogs, logRejections, maskRejections, totalCount } from './rejections.ts';
import { type OpenBody, openBody } from './request-body.ts';
import type { LogsReply, PrepareRequest } from './requests.ts';
import type { Turns } from './turns.ts';

export interface PrepareLogsDeps {
  writer: ThreadCaller;
  budget: MemoryBudget;
  share: Share;
  /** Default: none are known. */
  organisations?: Organisations;
  maxBodyBytes: number;
  turns: Turns;
  maskers: Maskers;
}

/** Limits of records and bytes that one command stores, which bound the time for which it occupies the writer. */
const MAX_SLICE_RECORDS = 2_000;
const MAX_SLICE_BYTES = 2 * 1024 * 1024;

/** Stores the log records of a request that belong to spans, slice by slice. Resolves when all are durable. */
export async function prepareLogs(deps: PrepareLogsDeps, request: PrepareRequest): Promise<LogsReply> {
  const { application, keyId, at } = request;
  const masker = deps.maskers.open(application, request.masking);
  const scanned = await deps.turns.steps(application, readLogs(deps, request, masker));
  const total: LogsOutcome = { stored: 0, duplicate: 0, rejected: {} };
  for (const [index, records] of sliceLogs(scanned.records).entries()) {
    const isFirst = index === 0;
    const batch = await deps.turns.run(application, () => buildLogBatch(records));
    const args: StoreLogs = {
      application,
      keyId,
      at,
      requests: isFirst ? 1 : 0,
      batch,
      dropped: isFirst ? scanned.dropped : 0,
      rejected: isFirst ? Object.fromEntries(scanned.rejected) : {},
      rejections: isFirst ? maskRejections(logRejections(scanned), masker) : [],
    };
    const outcome = await storeLogs(deps, args);
    if (outcome.stored > 0) deps.organisations?.addStored(application, sizeOf(records));
    addOutcome(total, outcome);
  }
  const { stored, duplicate, rejected } = total;
  const message = describeRejectedLogs(rejected);
  return {
    stored,
    duplicate,
    rejected: totalCount(rejected),
    dropped: scanned.dropped,
    message,
    ...maskingOutcome(masker),
  };
}

/** Reads the records of a request. Their bytes stay charged until the share closes. */
function* readLogs(
  { maxBodyBytes, share }: PrepareLogsDeps,
  request: PrepareRequest,
  masker: Masker | null,
): Steps<ScannedLogs> {
  const body = yield* openBody(request, maxBodyBytes, share);
  return yield* readableSteps(scanMasked(body, request.format, masker), body.work);
}

function* scanMasked(
  { bytes, work }: OpenBody,
  format: PrepareRequest['format'],
  masker: Masker | null,
): Steps<ScannedLogs> {
  const message = format === 'json' ? yield* logsJsonSteps(bytes, work) : bytes;
  const masked = masker ? yield* maskOtlp(message, LOGS_REQUEST, masker, work) : message;
  return yield* scanLogs(masked, work);
}

/** Splits log records into slices. Returns at least one, which may be empty. */
function sliceLogs(records: readonly IncomingLog[]): IncomingLog[][] {
  let last: IncomingLog[] = [];
  const slices = [last];
  let bytes = 0;
  for (const record of records) {
    if (last.length >= MAX_SLICE_RECORDS || bytes >= MAX_SLICE_BYTES) {
      slices.push((last = []));
      bytes = 0;
    }
    last.push(record);
    bytes += record.bytes.length;
  }
  return slices;
}

const sizeOf = (records: readonly IncomingLog[]): number =>
  bytesOfLogs({ records: records.length, bytes: records.reduce((sum, { bytes }) => sum + bytes.length, 0) });

async function storeLogs({ writer, budget, share }: PrepareLogsDeps, args: StoreLogs): Promise<LogsOutcome> {
  const { byteBuffer } = args.batch;
  const release = chargeSlice({ share, budget }, byteBuffer.byteLength);
  try {
    return (await writer.call(storeLogsCommand, args, null, [
      byteBuffer.buffer as Transferable,
    ])) as LogsOutcome;
  } finally {
    release();
  }
}

function addOutcome(total: LogsOutcome, { stored, duplicate, rejected }: LogsOutcome): void {
  total.stored += stored;
  total.duplicate += duplicate;
  for (const [reason, count] of Object.entries(rejected)) {
    total.rejected[reason] = (total.rejected[reason] ?? 0) + count;
  }
}
