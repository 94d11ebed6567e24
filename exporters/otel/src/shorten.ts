import { byteLength } from './bytes.ts';
import { redactSpan } from './redact.ts';
import { sizeOf } from './size.ts';
import type { ReadableSpan } from './span.ts';

/**
 * Returns a copy of a span whose texts are truncated so that it takes about `maxBytes` at most; null when its texts are not what
 * makes it large. Each of them says how much is missing.
 */
export function shortenSpan(span: ReadableSpan, maxBytes: number): ReadableSpan | null {
  for (let limit = maxBytes; limit >= MIN_TEXT; limit = Math.floor(limit / 4)) {
    const shortened = redactSpan(span, (text) => truncate(text, limit));
    if (sizeOf(shortened) <= maxBytes) return shortened;
  }
  return null;
}

const MIN_TEXT = 64;

function truncate(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  // A character has at most three bytes for each of its UTF-16 units.
  const kept = text.slice(0, Math.floor(limit / 3)).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [${text.length - kept.length} characters left out: the server accepts no span this large]`;
}
