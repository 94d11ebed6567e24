import { concat, fromBase64, utf8 } from './bytes.ts';
import { WebhookError } from './webhook-error.ts';

export interface Trust {
  keys: readonly Uint8Array<ArrayBuffer>[];
  toleranceMs: number;
}

/** Signatures that a delivery claims were computed over `prefix` and its body, and when. */
interface Claim {
  /** Id of the delivery, if the signature covers it. */
  id?: string;
  /** Unix milliseconds. */
  timestamp: number;
  prefix: string;
  /** Bytes of each signature. */
  signatures: readonly Uint8Array<ArrayBuffer>[];
}

const MIN_KEY_BYTES = 16;

/** The key within a `whsec_…` text. Throws when there is none, without showing the text. */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1] ?? '';
  const key = fromBase64(text);
  if (key.length >= MIN_KEY_BYTES) return key;
  throw new TypeError(`A webhook secret is \`whsec_\` and the base64 of at least ${MIN_KEY_BYTES} bytes`);
}

/**
 * Holds a delivery against the keys. Of its two signatures one suffices; that of Standard Webhooks is looked at first.
 * Gives back the delivery's id when that is signed too. Throws a {@link WebhookError} with 401.
 */
export async function checkSignature(
  headers: Headers,
  body: Uint8Array,
  trust: Trust,
): Promise<string | undefined> {
  let rejection: WebhookError | undefined;
  for (const claimOf of [standardClaim, serviceClaim]) {
    try {
      const claim = claimOf(headers);
      if (claim === undefined) continue;
      await checkClaim(claim, body, trust);
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
    signatures: signatures.split(' ').map(standardSignature),
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
    signatures: [fromHex(signature)],
  };
}

async function checkClaim(claim: Claim, body: Uint8Array, { keys, toleranceMs }: Trust): Promise<void> {
  if (Math.abs(Date.now() - claim.timestamp) > toleranceMs) throw outOfTime();
  const signed = concat([utf8(claim.prefix), body]);
  for (const key of keys) if (await isSigned(claim, signed, key)) return;
  throw new WebhookError(401, 'The signature does not match the body');
}

async function isSigned(
  { signatures }: Claim,
  signed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = crypto;
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // The comparison takes the same time for every signature.
  for (const signature of signatures)
    if (await subtle.verify('HMAC', imported, signature, signed)) return true;
  return false;
}

/** Returns the bytes of a signature of Standard Webhooks; none if the text is not exactly what a sender writes. */
function standardSignature(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(/^v1,([A-Za-z0-9+/]{43}=)$/.exec(text)?.[1] ?? '');
  return `v1,${btoa(String.fromCharCode(...bytes))}` === text ? bytes : new Uint8Array();
}

/** Returns the bytes that a text in hexadecimal stands for; none if it is no such text. */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = /^(?:[\da-f]{2})*$/.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

const outOfTime = (): WebhookError => new WebhookError(401, 'The timestamp is too far from the current time');
