/** Requests in OTLP/JSON, and what they are in protobuf as protobufjs reads it. */
import { OtlpDecodeError } from '../../src/ingest/otlp/decode-error.ts';
import { encodeTracesJson } from '../../src/ingest/otlp/json-to-protobuf.ts';
import { decodeProto, type Plain } from './otlp-proto.ts';

/** Stands for JSON text that no value stringifies to. */
export const raw = (text: string): string => `raw:${text}`;

/** JSON text of a request with one span. */
export function requestOf(span: object): string {
  return toText({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}

/** JSON text, with what `raw` marked put in as it is. */
export function toText(json: unknown): string {
  const text = JSON.stringify(json);
  return text.replaceAll(
    /"raw:((?:[^"\\]|\\.)*)"/g,
    (_, escaped: string) => JSON.parse(`"${escaped}"`) as string,
  );
}

export const decodeJson = (text: string): Plain =>
  decodeProto('ExportTraceServiceRequest', encodeTracesJson(Buffer.from(text)));

export interface DecodedSpan extends Plain {
  attributes: { key: string; value: Plain | null }[];
  events: Plain[];
  links: Plain[];
}

export function spanOf(json: object): DecodedSpan {
  const request = decodeJson(requestOf(json)) as {
    resourceSpans: [{ scopeSpans: [{ spans: [DecodedSpan] }] }];
  };
  return request.resourceSpans[0].scopeSpans[0].spans[0];
}

/** Returns the reason why a body is rejected. */
export function rejectionOf(text: string): string {
  try {
    encodeTracesJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof OtlpDecodeError) return error.message;
    throw error;
  }
  throw new Error('the body was accepted');
}
