import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_MS = 300_000;
const key = Buffer.from(process.env.TOUCHSTONE_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

/** Holds the signature of a delivery against its time and its body, as it came. */
export function isFromTouchstone(headers, body) {
  const { 'x-service-signature': signature = '', 'x-service-timestamp': timestamp = '' } = headers;
  const expected = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  const isRecent = Math.abs(Date.now() - Number(timestamp)) <= TOLERANCE_MS;
  return (
    isRecent &&
    signature.length === 64 &&
    timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(expected))
  );
}
