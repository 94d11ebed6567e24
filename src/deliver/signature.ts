import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks: `whsec_` and the base64 of the key. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const HEX_DIGEST = /^[0-9a-f]{64}$/;

export const generateSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The 32 bytes a secret stands for. Throws, without showing it, when the text is no secret of ours. */
export function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (bytes.length !== SECRET_BYTES || secret !== SECRET_PREFIX + bytes.toString('base64')) {
    throw new TypeError('not a webhook secret: whsec_ and the base64 of 32 bytes');
  }
  return bytes;
}

export interface Delivery {
  /** The newest first: it alone makes `x-service-signature`. */
  secrets: readonly [string, ...string[]];
  /** The same for every attempt. */
  id: string;
  /** The bytes as they are sent; a text stands for its UTF-8. */
  body: Uint8Array | string;
  /** Unix milliseconds of this attempt, whole. */
  timestampMs: number;
}

/** The headers that sign one attempt, in our own manner and in that of Standard Webhooks. */
export function sign({ secrets, id, body, timestampMs }: Delivery): Record<string, string> {
  const seconds = String(Math.floor(timestampMs / 1000));
  const standard = secrets.map(
    (secret) => `v1,${digest(secret, `${id}.${seconds}.`, body).toString('base64')}`,
  );
  return {
    'x-service-timestamp': String(timestampMs),
    'x-service-signature': serviceDigest(secrets[0], timestampMs, body).toString('hex'),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  };
}

/** Reports whether a text has the form of `x-service-signature`. */
export const isSignature = (text: string): boolean => HEX_DIGEST.test(text);

/**
 * Reports whether one of the secrets made this `x-service-signature`; the time taken does not tell how much of it is
 * right.
 */
export function isSignedBy(
  secrets: readonly string[],
  signature: string,
  { body, timestampMs }: Pick<Delivery, 'body' | 'timestampMs'>,
): boolean {
  if (!isSignature(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  return secrets.some((secret) => timingSafeEqual(given, serviceDigest(secret, timestampMs, body)));
}

const serviceDigest = (secret: string, timestampMs: number, body: Uint8Array | string): Buffer =>
  digest(secret, `${timestampMs}.`, body);

const digest = (secret: string, prefix: string, body: Uint8Array | string): Buffer =>
  createHmac('sha256', secretBytes(secret)).update(prefix).update(body).digest();
