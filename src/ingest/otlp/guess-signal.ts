import {
  FieldLimitError,
  WIRE_BYTES,
  WIRE_FIXED64,
  WireError,
  WireReader,
} from '../../traces/wire/reader.ts';

/**
 * Reports whether bytes that contain no spans look like a request of another signal. All three share their envelopes
 * (field 2 in field 2 in field 1); inside, a LogRecord begins with a fixed64 time (field 1 or 11), and a Metric with
 * a name in field 1 and its data as a message in one of fields 5, 7, 9, 10 and 11. A span has such fields too when its
 * trace id is sent as text, but unlike a Metric also fixed64 times in fields 7 and 8 (opentelemetry-proto logs/v1,
 * metrics/v1, trace/v1).
 */
export function guessSignal(body: Buffer): 'logs' | 'metrics' | null {
  try {
    const record = member(member(member(body, 1), 2), 2);
    return record && guessRecord(record);
  } catch (error) {
    if (error instanceof WireError || error instanceof FieldLimitError) return null;
    throw error;
  }
}

function guessRecord(record: Buffer): 'logs' | 'metrics' | null {
  const reader = open(record);
  let name: Buffer | null = null;
  let hasData = false;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >>> 3;
    if ((tag & 7) === WIRE_FIXED64) {
      if (field === 1 || field === 11) return 'logs';
      if (field === 7 || field === 8) return null;
    }
    if (tag === ((1 << 3) | WIRE_BYTES)) name = reader.bytes();
    else {
      if ((tag & 7) === WIRE_BYTES && [5, 7, 9, 10, 11].includes(field)) hasData = true;
      reader.skip(tag);
    }
  }
  const isText = name !== null && name.length > 0 && /^[\x20-\x7e]+$/.test(name.toString('latin1'));
  return isText && hasData ? 'metrics' : null;
}

/** Most fields of a message that are looked at. */
const MAX_FIELDS = 10_000;

function open(message: Buffer): WireReader {
  const reader = new WireReader(message);
  reader.fieldsLeft = MAX_FIELDS;
  return reader;
}

/** Returns the first message in `field`. */
function member(message: Buffer | null, field: number): Buffer | null {
  if (message === null) return null;
  const reader = open(message);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((field << 3) | WIRE_BYTES)) return reader.bytes();
    reader.skip(tag);
  }
  return null;
}
