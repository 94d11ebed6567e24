import { hash } from 'node:crypto';
import { Arena, type Window } from './arena.ts';
import { pack } from './pack.ts';

/** A log record that belongs to a span. */
export interface IncomingLog {
  traceId: Buffer;
  spanId: Buffer;
  /** The LogRecord message. */
  bytes: Buffer;
}

/** Log records made ready for the writer. All bytes lie in one arena, which moves between threads without a copy. */
export interface LogBatch {
  arena: Uint8Array;
  traces: LogGroup[];
}

/** The records of one trace, in the order they came in. */
export interface LogGroup {
  traceId: Window;
  records: PackedLog[];
}

export interface PackedLog {
  spanId: Window;
  /** The first 8 bytes of the SHA-256 of the message: the same record again is known by it. */
  hash: Window;
  /** The message as `pack` leaves it. */
  record: Window;
}

export function buildLogBatch(logs: readonly IncomingLog[]): LogBatch {
  const arena = new Arena();
  const traces = new Map<string, LogGroup>();
  for (const { traceId, spanId, bytes } of logs) {
    const key = traceId.toString('latin1');
    let group = traces.get(key);
    if (!group) traces.set(key, (group = { traceId: arena.add(traceId), records: [] }));
    group.records.push({
      spanId: arena.add(spanId),
      hash: arena.add(hash('sha256', bytes, 'buffer').subarray(0, 8)),
      record: arena.add(pack(bytes)),
    });
  }
  return { arena: arena.build(), traces: [...traces.values()] };
}
