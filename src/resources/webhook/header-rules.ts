import { z } from 'zod';
import { MASK } from '../../runtime/mask.ts';

const MAX_HEADERS = 50;
const MAX_VALUE_LENGTH = 8 * 1024;

/** Pattern of a token (RFC 9110), of a length that servers accept. */
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,256}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Headers about the connection or the message itself, and those that every delivery sets. */
const RESERVED = new Set([
  'baggage',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const RESERVED_PREFIX = /^(?:x-service-|webhook-)/;

/** Schema of headers that a customer adds to every delivery. Messages never contain a value. */
export const configuredHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > MAX_HEADERS) {
      return context.addIssue({
        code: 'custom',
        params: { code: 'too_big' },
        message: `must be at most ${MAX_HEADERS} headers`,
      });
    }
    const seen = new Set<string>();
    for (const [name, value] of entries) {
      const message = seen.has(name.toLowerCase())
        ? 'appears twice: upper and lower case are the same'
        : (problemOfName(name) ?? problemOfValue(value));
      seen.add(name.toLowerCase());
      if (message === null) continue;
      context.addIssue({ code: 'custom', params: { code: 'invalid_string' }, path: [name], message });
    }
  })
  .describe(
    `At most ${MAX_HEADERS} headers, such as one with a credential. Replaces all configured headers; null removes them.`,
  );

function problemOfName(name: string): string | null {
  if (!NAME.test(name)) return 'is not the name of a header';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || RESERVED_PREFIX.test(lower)
    ? 'cannot be configured because the service or the connection sets it'
    : null;
}

function problemOfValue(value: string): string | null {
  if (value === MASK) {
    return `${MASK} only represents a hidden value; send the value itself, or omit headers to keep them`;
  }
  if (value.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? null : 'must be printable ASCII, without line breaks';
}
