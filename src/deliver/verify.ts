import { z } from 'zod';
import { issuesOf } from '../contract/errors.ts';
import type { Issue } from '../errors.ts';
import { canonicalJson, MAX_DEPTH } from '../contract/canonical-json.ts';
import { jsonPointer } from './json-pointer.ts';
import { isSignature, isSignedBy } from './signature.ts';
import { type Oddity, parseStrictJson } from './strict-json.ts';

export interface VerifyInput {
  /** The body of the request as it came: `{ signature, timestamp, body }` in JSON. */
  rawBody: Uint8Array;
  /** All that may have signed. */
  secrets: readonly string[];
  toleranceMs: number;
  /** Unix milliseconds. */
  now: number;
}

export type Verdict =
  | { kind: 'invalid_request'; issues: Issue[] }
  | { kind: 'answer'; valid: true }
  /** Nothing of ours, or read differently by different readers; `detail` is a sentence for people. */
  | { kind: 'answer'; valid: false; reason: 'malformed'; detail: string }
  /** Signed by one of the secrets, but too long ago or too far ahead. */
  | { kind: 'answer'; valid: false; reason: 'stale' }
  /** Response for a request that none of the secrets signed; `body` is the argument of `explainMismatch`. */
  | { kind: 'answer'; valid: false; reason: 'mismatch'; body: object };

const ODDITIES: Readonly<Record<Oddity['kind'], string>> = {
  duplicate_key: 'is there twice',
  proto_key: 'has the name __proto__',
  lone_surrogate: 'has half of a surrogate pair',
  unsafe_number: 'is a number beyond what a double holds exactly',
};

const INTEGER = /^-?\d+$/;

/** The header is text, so a forwarder may pass the timestamp as text. */
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
 * Reports whether a forwarded webhook is one of ours: signed, in its canonical form, by one of the secrets within the
 * tolerance. White space, the order of keys, escapes and the spelling of numbers do not matter; numbers count as the
 * doubles they are read as. Throws AppError `bad_request` when the request is not JSON or nested too deeply.
 */
export function verifyWebhook({ rawBody, secrets, toleranceMs, now }: VerifyInput): Verdict {
  // One more for the object around the payload.
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

const malformed = (detail: string): Verdict => ({
  kind: 'answer',
  valid: false,
  reason: 'malformed',
  detail,
});
