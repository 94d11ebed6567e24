/** Estimated bytes of indexes and other rows: of a trace, and of a span in the directory. */
const TRACE_BYTES = 1_100;
const SPAN_BYTES = 60;
/** Estimated bytes of the ids, the hash and the indexes of a log record. */
const LOG_RECORD_BYTES = 140;

export interface StoredAmount {
  traces: number;
  spans: number;
  /** Bytes with indexes, estimated. */
  bytes: number;
}

/** Returns the bytes of blocks together with the estimated bytes of their indexes. */
export const withIndexes = ({ traces, spans, bytes }: StoredAmount): number =>
  bytes + traces * TRACE_BYTES + spans * SPAN_BYTES;

/** Returns the bytes of log records together with the estimated bytes of their rows and indexes. */
export const bytesOfLogs = ({ records, bytes }: { records: number; bytes: number }): number =>
  bytes + records * LOG_RECORD_BYTES;
