import { NO_TRACE, RESPONSE_ID, responseKey } from '../../traces/awaiting-logs.ts';
import type { IncomingLog } from '../../traces/log-batch.ts';
import type { Steps } from '../../runtime/steps.ts';
import { fnv1a } from '../../traces/fnv.ts';
import { KeyValue } from '../../traces/wire/key-value.ts';
import {
  skipUnknown,
  WIRE_BYTES,
  WIRE_FIXED32,
  WIRE_FIXED64,
  WIRE_VARINT,
  WireReader,
} from '../../traces/wire/reader.ts';
import { COST, DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import {
  checkAnyValue,
  checkResource,
  checkScope,
  MAX_ATTRIBUTES,
  MAX_VALUE_DEPTH,
} from './check-message.ts';
import { type OtlpEnvelope, walkRequest } from './walk.ts';

export const MAX_RECORD_BYTES = 1024 * 1024;
export const MAX_RECORDS_PER_REQUEST = MAX_MEMBERS;

/** Reasons for which a log record is rejected, with a message for its sender. */
export const LOG_REJECTIONS = {
  log_record_too_large: `more than ${MAX_RECORD_BYTES} bytes in one log record`,
  too_deep: `values nest deeper than ${MAX_VALUE_DEPTH} levels`,
  too_many_attributes: `more than ${MAX_ATTRIBUTES} attributes on one log record`,
} as const;
export type LogRejectionReason = keyof typeof LOG_REJECTIONS;

export interface RejectedLog {
  reason: LogRejectionReason;
  /** Trace id in hex. */
  traceId: string;
  spanId: string;
}

export interface ScannedLogs {
  /** Records to store, as views of the body. */
  records: IncomingLog[];
  /** Number of log records that refer to no span and name no response. */
  dropped: number;
  rejected: Map<LogRejectionReason, number>;
  /** First few rejected records, as examples. */
  rejectedSamples: RejectedLog[];
}

const MAX_SAMPLES = 5;
const NO_BYTES = Buffer.alloc(0);
const RESPONSE_ID_KEY = Buffer.from(RESPONSE_ID);

/**
 * Reads an ExportLogsServiceRequest in steps. Checks the complete message, so that nothing that was accepted can fail to
 * decode later. Throws WireError when it is malformed, AppError `too_large` when it contains too many records, and the errors of
 * `work`; a relevant record that is out of bounds is rejected alone.
 */
export function* scanLogs(body: Buffer, work = new DecodeWork()): Steps<ScannedLogs> {
  const scanner = new LogScanner(body, work);
  yield* walkRequest(scanner.reader, scanner, work);
  return scanner.result;
}

class LogScanner {
  readonly reader: WireReader;
  readonly result: ScannedLogs = { records: [], dropped: 0, rejected: new Map(), rejectedSamples: [] };
  private readonly body: Buffer;
  private readonly keyValue = new KeyValue();
  private received = 0;
  private tooDeep = false;
  private readonly work: DecodeWork;

  constructor(body: Buffer, work: DecodeWork) {
    this.body = body;
    this.work = work;
    this.reader = new WireReader(body);
  }

  readonly resource = ({ bytes }: OtlpEnvelope): void => {
    const reader = new WireReader(bytes);
    this.work.spend(bytes.length * COST.resourceByte);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((1 << 3) | WIRE_BYTES)) checkResource(reader.bytes());
      else reader.skip(tag);
    }
  };

  readonly scope = ({ bytes }: OtlpEnvelope): void => {
    this.work.spend(bytes.length * COST.resourceByte);
    checkScope(bytes);
  };

  readonly member = (): void => {
    const { reader, body, result } = this;
    this.received += 1;
    if (this.received > MAX_RECORDS_PER_REQUEST) throw tooMany('log records');
    this.work.logRecord();
    const from = reader.pos;
    const to = reader.end;
    let traceId: Buffer = NO_BYTES;
    let spanId: Buffer = NO_BYTES;
    let attributes = 0;
    this.tooDeep = false;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      switch (tag) {
        case (5 << 3) | WIRE_BYTES: {
          const length = reader.length();
          if (!checkAnyValue(reader, reader.pos + length, 1)) this.tooDeep = true;
          break;
        }
        case (6 << 3) | WIRE_BYTES:
          attributes += 1;
          if (attributes > MAX_ATTRIBUTES) reader.skip(tag);
          else this.attribute();
          break;
        case (9 << 3) | WIRE_BYTES:
          traceId = reader.bytes();
          break;
        case (10 << 3) | WIRE_BYTES:
          spanId = reader.bytes();
          break;
        case (1 << 3) | WIRE_FIXED64:
        case (2 << 3) | WIRE_VARINT:
        case (3 << 3) | WIRE_BYTES:
        case (7 << 3) | WIRE_VARINT:
        case (8 << 3) | WIRE_FIXED32:
        case (11 << 3) | WIRE_FIXED64:
        case (12 << 3) | WIRE_BYTES:
          reader.skip(tag);
          break;
        default:
          // Field 4 was a name in earlier versions, and is reserved.
          if (tag >>> 3 === 4) reader.skip(tag);
          else skipUnknown(reader, tag, 12);
      }
    }
    if (!isId(traceId, 16) || !isId(spanId, 8)) {
      const response = this.responseIn(from, to);
      if (response === null) {
        result.dropped += 1;
        return;
      }
      traceId = NO_TRACE;
      spanId = response;
    }
    const rejection = this.rejection(to - from, attributes);
    if (rejection !== null) this.reject(rejection, traceId, spanId);
    else result.records.push({ traceId, spanId, bytes: body.subarray(from, to) });
  };

  /** Returns the key of the model response that the record names, by its attribute or in the object of its body; null if it names none. */
  private responseIn(from: number, to: number): Buffer | null {
    const record = this.body.subarray(from, to);
    return this.responseAmong(record, 6) ?? this.responseInBody(record);
  }

  private responseInBody(record: Buffer): Buffer | null {
    // Field 5 of the record is its body, field 6 of a value an object, whose field 1 are its members.
    const body = bytesOf(record, 5);
    const object = body && bytesOf(body, 6);
    return object && this.responseAmong(object, 1);
  }

  /** Returns the key of the response that one of the attributes in a field of a message names. */
  private responseAmong(message: Buffer, field: number): Buffer | null {
    const { keyValue } = this;
    const reader = new WireReader(message);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag !== ((field << 3) | WIRE_BYTES)) {
        reader.skip(tag);
        continue;
      }
      const length = reader.length();
      keyValue.read(reader, reader.pos + length);
      const { keyStart, keyEnd, valueStart, valueEnd } = keyValue;
      const isNamed = RESPONSE_ID_KEY.equals(message.subarray(keyStart, keyEnd));
      // An encoded text of one character takes three bytes.
      if (isNamed && valueEnd - valueStart > 2) return responseKey(fnv1a(message, valueStart, valueEnd));
    }
    return null;
  }

  private attribute(): void {
    const { reader, keyValue } = this;
    const length = reader.length();
    if (!keyValue.readChecked(reader, reader.pos + length, 1, checkAnyValue)) this.tooDeep = true;
  }

  private rejection(size: number, attributes: number): LogRejectionReason | null {
    if (size > MAX_RECORD_BYTES) return 'log_record_too_large';
    if (this.tooDeep) return 'too_deep';
    return attributes > MAX_ATTRIBUTES ? 'too_many_attributes' : null;
  }

  private reject(reason: LogRejectionReason, traceId: Buffer, spanId: Buffer): void {
    const { rejected, rejectedSamples } = this.result;
    rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
    if (rejectedSamples.length < MAX_SAMPLES)
      rejectedSamples.push({ reason, traceId: traceId.toString('hex'), spanId: spanId.toString('hex') });
  }
}

/** Returns the bytes of a field of a message; null if it has none. */
function bytesOf(message: Buffer, field: number): Buffer | null {
  const reader = new WireReader(message);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((field << 3) | WIRE_BYTES)) return reader.bytes();
    reader.skip(tag);
  }
  return null;
}

function isId(bytes: Buffer, size: number): boolean {
  return bytes.length === size && bytes.some((byte) => byte !== 0);
}
