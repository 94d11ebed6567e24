import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookError } from './webhook-error.ts';

export interface Trust {
  keys: readonly Buffer[];
  toleranceMs: number;
}

/** Signatures that a delivery claims were computed over `prefix` and its body, and when. */
interface Claim {
  /** Id of the delivery, if the signature covers it. */
  id?: string;
  /** Unix milliseconds. */
  timestamp: number;
  prefix: string;
  signatures: readonly string[];
  /** The text of a signature for its bytes. */
  write: (mac: Buffer) => string;
}

const MIN_KEY_BYTES = 16;

/** The key within a `whsec_…` text. Throws when there is none, without showing the text. */
export function keyOf(secret: string): Buffer {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1] ?? '';
  const key = Buffer.from(text, 'base64');
  if (key.length >= MIN_KEY_BYTES) return key;
  throw new TypeError(`A webhook secret is \`whsec_\` and the base64 of at least ${MIN_KEY_BYTES} bytes`);
}

/**
 * Holds a delivery against the keys. Of its two signatures one suffices; that of Standard Webhooks is looked at first.
 * Gives back the delivery's id when that is signed too. Throws a {@link WebhookError} with 401.
 */
export function checkSignature(headers: Headers, body: Uint8Array, trust: Trust): string | undefined {
  let rejection: WebhookError | undefined;
  for (const claimOf of [standardClaim, serviceClaim]) {
    try {
      const claim = claimOf(headers);
      if (claim === undefined) continue;
      checkClaim(claim, body, trust);
      return claim.id;
    } catch (error) {
      rejection ??= error as WebhookError;
    }
  }
  throw (
    rejection ?? new WebhookError(401, 'The header webhook-signature is missing, and x-service-signature too')
  );
}

/** The value of a header. Throws a {@link WebhookError} with 401 when it is missing. */
export function required(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new WebhookError(401, `The header ${name} is missing`);
  return value;
}

/** The number that a header with a time writes. Throws a {@link WebhookError} with 401 when it writes none. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw outOfTime();
  return Number(text);
}

/** https://www.standardwebhooks.com; undefined when it has no such signature. */
function standardClaim(headers: Headers): Claim | undefined {
  const signatures = headers.get('webhook-signature');
  if (signatures === null) return undefined;
  const id = required(headers, 'webhook-id');
  const seconds = required(headers, 'webhook-timestamp');
  return {
    id,
    timestamp: wholeNumber(seconds) * 1_000,
    prefix: `${id}.${seconds}.`,
    signatures: signatures.split(' '),
    write: (mac) => `v1,${mac.toString('base64')}`,
  };
}

/** Touchstone's own headers; undefined when it has no such signature. */
function serviceClaim(headers: Headers): Claim | undefined {
  const signature = headers.get('x-service-signature');
  if (signature === null) return undefined;
  const timestamp = required(headers, 'x-service-timestamp');
  return {
    timestamp: wholeNumber(timestamp),
    prefix: `${timestamp}.`,
    signatures: [signature],
    write: (mac) => mac.toString('hex'),
  };
}

function checkClaim(claim: Claim, body: Uint8Array, { keys, toleranceMs }: Trust): void {
  if (Math.abs(Date.now() - claim.timestamp) > toleranceMs) throw outOfTime();
  if (!keys.some((key) => isSigned(claim, body, key))) {
    throw new WebhookError(401, 'The signature does not match the body');
  }
}

function isSigned({ prefix, signatures, write }: Claim, body: Uint8Array, key: Buffer): boolean {
  const expected = write(createHmac('sha256', key).update(prefix).update(body).digest());
  return signatures.some((signature) => isSame(signature, expected));
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const outOfTime = (): WebhookError => new WebhookError(401, 'The timestamp is too far from the current time');
