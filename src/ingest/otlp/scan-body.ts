import type { PriceList } from '../../traces/prices/price-list.ts';
import { WireError } from '../../traces/wire/reader.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { guessSignal } from './guess-signal.ts';
import { encodeTracesJson } from './json-to-protobuf.ts';
import { readable } from './readable.ts';
import { type ScannedRequest, scanTraces } from './scan.ts';

/**
 * Reads the spans of a request body in either format. Throws AppError `bad_request`, and the errors of `scanTraces`.
 */
export function scanOtlp(
  body: Buffer,
  format: 'protobuf' | 'json',
  receivedAt: bigint,
  prices: PriceList,
): ScannedRequest {
  return readable(() => {
    const bytes = format === 'json' ? encodeTracesJson(body) : body;
    let scanned: ScannedRequest;
    try {
      scanned = scanTraces(bytes, receivedAt, prices);
    } catch (error) {
      if (error instanceof WireError) rejectOtherSignals(bytes);
      throw error;
    }
    if (scanned.received > 0 && scanned.spans.length === 0) rejectOtherSignals(bytes);
    return scanned;
  });
}

/** Rejects logs and metrics, which share field numbers with spans and may decode into spans without ids. */
function rejectOtherSignals(bytes: Buffer): void {
  const signal = guessSignal(bytes);
  if (signal) throw new OtlpDecodeError(`this looks like OTLP ${signal}; send ${signal} to /v1/${signal}`);
}
