import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan as SdkSpan } from '@opentelemetry/sdk-trace-base';
import { utf8 } from './bytes.ts';
import { type Redact, redactSpan } from './redact.ts';
import { nextTurn } from './runtime.ts';
import { partsOf, type SizedSpan } from './size.ts';

/** Bytes that are serialised in one turn of the event loop: some milliseconds. */
const SLICE_BYTES = 512 * 1_024;

// A request in OTLP/JSON is this list, whatever its spans: so requests can be joined by joining their lists.
const START = '{"resourceSpans":[';
const END = ']}';
const [START_BYTES, COMMA, END_BYTES] = [utf8(START), utf8(','), utf8(END)] as const;

/**
 * Returns the body of an OTLP/HTTP request in JSON, in pieces. Other work of the app continues between its slices; only a span larger
 * than a slice is serialised in one piece.
 */
export async function encodeSpans(spans: readonly SizedSpan[], redact?: Redact): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (const slice of partsOf(spans, SLICE_BYTES)) {
    if (parts.length > 0) await nextTurn();
    const redacted = slice.map(({ span }) => (redact ? redactSpan(span, redact) : span));
    // The serialiser reads no other members of a span than both lines of the SDK have.
    const request = JsonTraceSerializer.serializeRequest(redacted as SdkSpan[]);
    if (!request) throw new Error('the spans could not be serialised');
    parts.push(parts.length === 0 ? START_BYTES : COMMA);
    parts.push(request.subarray(START.length, request.length - END.length));
  }
  parts.push(END_BYTES);
  return parts;
}
