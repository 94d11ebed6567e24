import type { Steps } from '../../runtime/steps.ts';
import type { OwnMappings } from '../../traces/own-rules/own-mappings.ts';
import type { PriceList } from '../../traces/prices/price-list.ts';
import { WireError } from '../../traces/wire/reader.ts';
import { DecodeWork } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { guessSignal } from './guess-signal.ts';
import { idAsSent } from './json-ids.ts';
import { tracesJsonSteps } from './json-to-protobuf.ts';
import { readableSteps } from './readable.ts';
import { type ScannedRequest, scanTracesInSteps } from './scan.ts';

/** Size of a body whose decoding takes more than one turn. */
const LARGE_BYTES = 256 * 1024;

/** Changes an OTLP message in steps before it is read. */
type Mask = (message: Buffer) => Steps<Buffer>;

interface ScanOptions {
  receivedAt: bigint;
  prices: PriceList;
  /** Default: unlimited. */
  work?: DecodeWork;
  /** Mapping rules of the application. Default: none. */
  own?: OwnMappings | null;
}

/**
 * Reads the spans of a request body in either format and in steps, after `mask` was applied to its protobuf form. Throws
 * AppError `bad_request`, and the errors of `scanTraces`.
 */
export function scanOtlp(
  body: Buffer,
  format: 'protobuf' | 'json',
  { receivedAt, prices, work = new DecodeWork(), own = null }: ScanOptions,
  mask: Mask | null = null,
): Steps<ScannedRequest> {
  const options = { receivedAt, prices, work, own };
  const steps = format === 'json' ? scanJson(body, options, mask) : scanProtobuf(body, options, mask);
  return readableSteps(steps, work);
}

/** Reads a JSON body, whose keys name its signal. */
function* scanJson(
  body: Buffer,
  { receivedAt, prices, work, own }: Required<ScanOptions>,
  mask: Mask | null,
): Steps<ScannedRequest> {
  const message = yield* tracesJsonSteps(body, work);
  if (message.length > LARGE_BYTES) yield;
  const masked = mask ? yield* mask(message) : message;
  return yield* scanTracesInSteps(masked, receivedAt, prices, { showId: idAsSent, work, own });
}

function* scanProtobuf(
  body: Buffer,
  { receivedAt, prices, work, own }: Required<ScanOptions>,
  mask: Mask | null,
): Steps<ScannedRequest> {
  let scanned: ScannedRequest;
  try {
    const masked = mask ? yield* mask(body) : body;
    scanned = yield* scanTracesInSteps(masked, receivedAt, prices, { work, own });
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
