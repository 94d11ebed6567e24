/** Signatures as a receiver works them out by itself. */
import { createHmac } from 'node:crypto';
import { type Answers, filled } from './answers.ts';

/** The secret is the base64 of the key, after `whsec_`. */
const hmac = (secret: string, text: string): Buffer => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return createHmac('sha256', key).update(text).digest();
};

/** Whether the headers sign these bytes with the secret of `{{webhook}}`. */
export function signatureOf(answers: Answers, headers: Readonly<Record<string, unknown>>, body: string) {
  const { webhookSecret } = answers['webhook'] as { webhookSecret: string };
  const { 'x-service-timestamp': at, 'webhook-id': id, 'webhook-timestamp': seconds } = headers;
  const service = hmac(webhookSecret, `${String(at)}.${body}`).toString('hex');
  const standard = hmac(webhookSecret, `${String(id)}.${String(seconds)}.${body}`).toString('base64');
  return {
    isOfService: headers['x-service-signature'] === service,
    isStandard: String(headers['webhook-signature']).split(' ').includes(`v1,${standard}`),
  };
}

export interface ToSign {
  body: string;
  /** Milliseconds from now. */
  afterMs?: number;
  /** Default: that of `{{webhook}}`. */
  secret?: string;
}

/** A body with the headers that the service would send along. */
export function signed(
  answers: Answers,
  { body, afterMs = 0, secret = '{{webhook.webhookSecret}}' }: ToSign,
) {
  const timestamp = Date.now() + afterMs;
  const signature = hmac(String(filled(secret, answers)), `${timestamp}.${body}`).toString('hex');
  return { timestamp, signature, body, upperSignature: signature.toUpperCase() };
}
