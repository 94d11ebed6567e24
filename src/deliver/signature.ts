import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefix of a Standard Webhooks secret; the base64 of the key follows. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const HEX_DIGEST = /^[0-9a-f]{64}$/;

export const generateSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Returns the 32 bytes that a secret encodes. Throws for an invalid secret, without showing it. */
export function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (bytes.length !== SECRET_BYTES || secret !== SECRET_PREFIX + bytes.toString('base64')) {
    throw new TypeError('not a webhook secret; it must be whsec_ and the base64 of 32 bytes');
  }
  return bytes;
}

export interface Delivery {
  /** Signing secrets, newest first. Only the newest makes `x-service-signature`. */
  secrets: readonly [string, ...string[]];
  /** Id of the message, equal in all attempts. */
  id: string;
  /** Body in the bytes that are sent; a text stands for its UTF-8 form. */
  body: Uint8Array | string;
  /** Time of this attempt, in whole Unix milliseconds. */
  timestampMs: number;
}

/** Returns the headers that sign one attempt, in the service's own form and in that of Standard Webhooks. */
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
 * Reports whether one of the secrets made this `x-service-signature`. Takes the same time for every wrong signature.
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
