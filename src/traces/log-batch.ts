import { hash } from 'node:crypto';
import { ByteBuffer, type ByteRange } from './byte-buffer.ts';
import { pack } from './pack.ts';

/** A log record that belongs to a span, or names the response of one. */
export interface IncomingLog {
  /** Empty if it names a response. */
  traceId: Buffer;
  /** Id of the span, or the key of the response. */
  spanId: Buffer;
  /** Encoded LogRecord message. */
  bytes: Buffer;
}

/**
 * Log records prepared for the writer. All their bytes are in one byte buffer, which moves between threads without a
 * copy.
 */
export interface LogBatch {
  byteBuffer: Uint8Array;
  traces: LogGroup[];
}

/** Records of one trace, in order of arrival. */
export interface LogGroup {
  traceId: ByteRange;
  records: PackedLog[];
}

export interface PackedLog {
  spanId: ByteRange;
  /** First 8 bytes of the SHA-256 of the message, by which duplicates are recognised. */
  hash: ByteRange;
  /** Message in the form that `pack` returns. */
  record: ByteRange;
}

export function buildLogBatch(logs: readonly IncomingLog[]): LogBatch {
  const byteBuffer = new ByteBuffer();
  const traces = new Map<string, LogGroup>();
  for (const { traceId, spanId, bytes } of logs) {
    const key = traceId.toString('latin1');
    let group = traces.get(key);
    if (!group) traces.set(key, (group = { traceId: byteBuffer.add(traceId), records: [] }));
    group.records.push({
      spanId: byteBuffer.add(spanId),
      hash: byteBuffer.add(hash('sha256', bytes, 'buffer').subarray(0, 8)),
      record: byteBuffer.add(pack(bytes)),
    });
  }
  return { byteBuffer: byteBuffer.build(), traces: [...traces.values()] };
}
