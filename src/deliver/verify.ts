import { z } from 'zod';
import { issuesOf } from '../contract/errors.ts';
import type { Issue } from '../errors.ts';
import { canonicalJson, MAX_DEPTH } from '../contract/canonical-json.ts';
import { jsonPointer } from './json-pointer.ts';
import { isSignature, isSignedBy } from './signature.ts';
import { type Oddity, parseStrictJson } from './strict-json.ts';

export interface VerifyInput {
  /** Unchanged body of the request: `{ signature, timestamp, body }` in JSON. */
  rawBody: Uint8Array;
  /** All secrets that may have signed. */
  secrets: readonly string[];
  toleranceMs: number;
  /** Current time, in Unix milliseconds. */
  now: number;
}

export type VerifyResult =
  | { kind: 'invalid_request'; issues: Issue[] }
  | { kind: 'answer'; valid: true }
  /** Result for a body that is not a webhook of the service, or ambiguous JSON. `detail` is a sentence for users. */
  | { kind: 'answer'; valid: false; reason: 'malformed'; detail: string }
  /** Signed by one of the secrets, but the timestamp is outside the tolerance. */
  | { kind: 'answer'; valid: false; reason: 'stale' }
  /** Signed by none of the secrets. `body` is the argument of `explainMismatch`. */
  | { kind: 'answer'; valid: false; reason: 'mismatch'; body: object };

const ODDITIES: Readonly<Record<Oddity['kind'], string>> = {
  duplicate_key: 'appears twice',
  proto_key: 'is named __proto__',
  lone_surrogate: 'contains half of a surrogate pair',
  unsafe_number: 'is a number that a double cannot represent exactly',
};

const INTEGER = /^-?\d+$/;

/** Header values are texts, so a forwarder may pass the timestamp as a text. */
const timestamp = z.preprocess(
  (value) => (typeof value === 'string' && INTEGER.test(value) ? Number(value) : value),
  z.int(),
);

const request = z.object({
  signature: z.string(),
  timestamp,
  body: z.looseObject({}),
});

/**
 * Verifies a forwarded webhook: its canonical form must be signed by one of the secrets, within the tolerance. White
 * space, key order, escapes and number spelling do not matter; numbers count as the doubles they parse to. Throws
 * AppError `bad_request` when the request is not JSON or is nested too deeply.
 */
export function verifyWebhook({ rawBody, secrets, toleranceMs, now }: VerifyInput): VerifyResult {
  // The object around the payload adds one level.
  const { value, oddities } = parseStrictJson(rawBody, MAX_DEPTH + 1);
  const parsed = request.safeParse(value, { reportInput: true });
  if (!parsed.success) return { kind: 'invalid_request', issues: issuesOf(parsed.error) };
  const [oddity] = oddities;
  if (oddity) return malformed(`${jsonPointer(oddity.path)} ${ODDITIES[oddity.kind]}`);

  const { signature, timestamp: timestampMs, body } = parsed.data;
  if (!isSignature(signature)) return malformed('/signature is not 64 lower-case hex digits');
  if (!isSignedBy(secrets, signature, { body: canonicalJson(body), timestampMs })) {
    return { kind: 'answer', valid: false, reason: 'mismatch', body };
  }
  const isStale = Math.abs(now - timestampMs) > toleranceMs;
  return isStale ? { kind: 'answer', valid: false, reason: 'stale' } : { kind: 'answer', valid: true };
}

const malformed = (detail: string): VerifyResult => ({
  kind: 'answer',
  valid: false,
  reason: 'malformed',
  detail,
});
