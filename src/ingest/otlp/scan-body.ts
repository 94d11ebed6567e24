import type { PriceList } from '../../traces/prices/price-list.ts';
import { WireError } from '../../traces/wire/reader.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { guessSignal } from './guess-signal.ts';
import { idAsSent } from './json-ids.ts';
import { encodeTracesJson } from './json-to-protobuf.ts';
import { readable } from './readable.ts';
import { type ScannedRequest, scanTraces } from './scan.ts';

/**
 * Reads the spans of a request body in either format, after `mask` was applied to its protobuf form. Throws AppError `bad_request`, and the errors of `scanTraces`.
 */
export function scanOtlp(
  body: Buffer,
  format: 'protobuf' | 'json',
  receivedAt: bigint,
  prices: PriceList,
  mask: (message: Buffer) => Buffer = (message) => message,
): ScannedRequest {
  return readable(() => {
    // The keys of a JSON body name its signal.
    if (format === 'json') return scanTraces(mask(encodeTracesJson(body)), receivedAt, prices, idAsSent);
    return scanProtobuf(body, receivedAt, prices, mask);
  });
}

function scanProtobuf(
  body: Buffer,
  receivedAt: bigint,
  prices: PriceList,
  mask: (message: Buffer) => Buffer,
): ScannedRequest {
  let scanned: ScannedRequest;
  try {
    scanned = scanTraces(mask(body), receivedAt, prices);
  } catch (error) {
    if (error instanceof WireError) rejectOtherSignals(body);
    throw error;
  }
  if (scanned.received > 0 && scanned.spans.length === 0) rejectOtherSignals(body);
  return scanned;
}

/** Rejects logs and metrics, which share field numbers with spans and may decode into spans without ids. */
function rejectOtherSignals(bytes: Buffer): void {
  const signal = guessSignal(bytes);
  if (signal) throw new OtlpDecodeError(`this looks like OTLP ${signal}; send ${signal} to /v1/${signal}`);
}
