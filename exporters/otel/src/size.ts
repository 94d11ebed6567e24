import type { Attributes } from '@opentelemetry/api';
import { byteLength } from './bytes.ts';
import type { ReadableSpan } from './span.ts';

/** Bytes of a span without its texts: ids, times and the names of its fields in JSON. */
const SPAN_BYTES = 400;
const VALUE_BYTES = 40;
/** Longer texts are counted by their bytes in UTF-8, shorter ones by their characters, which is faster. */
const SHORT_TEXT = 64;
const MAX_DEPTH = 64;

/**
 * Returns about how many bytes a span takes in an OTLP request: at least those of its texts. Never throws: a span with a getter
 * that does is found when it is serialised.
 */
export function sizeOf(span: ReadableSpan): number {
  try {
    return bytesOf(span);
  } catch {
    return SPAN_BYTES;
  }
}

function bytesOf(span: ReadableSpan): number {
  let size = SPAN_BYTES + textBytes(span.name) + attributeBytes(span.attributes);
  if (span.status.message !== undefined) size += textBytes(span.status.message);
  for (const event of span.events)
    size += VALUE_BYTES + textBytes(event.name) + attributeBytes(event.attributes);
  for (const link of span.links) size += 4 * VALUE_BYTES + attributeBytes(link.attributes);
  return size;
}

function attributeBytes(attributes: Attributes | undefined): number {
  let size = 0;
  // Spans have few attributes, and this runs for every span: no list of entries is made.
  for (const key in attributes) size += key.length + valueBytes(attributes[key], 0);
  return size;
}

function valueBytes(value: unknown, depth: number): number {
  if (typeof value === 'string') return VALUE_BYTES + textBytes(value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return VALUE_BYTES;
  if (ArrayBuffer.isView(value)) return VALUE_BYTES + Math.ceil((value.byteLength * 4) / 3);
  let size = VALUE_BYTES;
  if (Array.isArray(value)) for (const item of value) size += valueBytes(item, depth + 1);
  else for (const [key, item] of Object.entries(value)) size += key.length + valueBytes(item, depth + 1);
  return size;
}

const textBytes = (text: string): number => (text.length <= SHORT_TEXT ? text.length : byteLength(text));

/** A span with its size, which is computed once: it costs a part of what the span itself costs. */
export interface SizedSpan {
  span: ReadableSpan;
  size: number;
}

export const sizedSpan = (span: ReadableSpan): SizedSpan => ({ span, size: sizeOf(span) });

/** Divides spans into parts of at most `maxBytes`; a larger span is a part of its own. */
export function partsOf(spans: readonly SizedSpan[], maxBytes: number): SizedSpan[][] {
  const parts: SizedSpan[][] = [];
  let bytes = Infinity;
  for (const sized of spans) {
    bytes += sized.size;
    if (bytes > maxBytes) {
      parts.push([]);
      bytes = sized.size;
    }
    parts.at(-1)?.push(sized);
  }
  return parts;
}
