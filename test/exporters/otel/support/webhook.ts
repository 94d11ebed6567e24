/** The sender's side of a webhook, written from its description and without code of the package. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const mac = (secret: string, parts: readonly (string | Uint8Array)[]): Buffer => {
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

export type Headers = Readonly<Record<string, string>>;

export function serviceHeaders(secret: string, body: string | Uint8Array, at = Date.now()): Headers {
  return {
    'x-service-timestamp': String(at),
    'x-service-signature': mac(secret, [`${at}.`, body]).toString('hex'),
  };
}

export function standardHeaders(
  secret: string,
  body: string | Uint8Array,
  { id = randomUUID(), at = Date.now() }: { id?: string; at?: number } = {},
): Headers {
  const seconds = Math.floor(at / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac(secret, [`${id}.${seconds}.`, body]).toString('base64')}`,
  };
}

export interface Delivery {
  body: string;
  headers: Headers;
}

/** A delivery as the server sends it. */
export function newDelivery(
  secret: string,
  fields: Readonly<Record<string, unknown>> = {},
  headers: Headers = {},
): Delivery & { testId: string } {
  const testId = randomUUID();
  const body = JSON.stringify({ prompt: 'Where is my parcel?', testId, ...fields });
  const signatures = { ...serviceHeaders(secret, body), ...standardHeaders(secret, body, { id: testId }) };
  return { testId, body, headers: { 'content-type': 'application/json', ...signatures, ...headers } };
}

export const toRequest = ({ body, headers }: Delivery, signal: AbortSignal | null = null): Request =>
  new Request('http://app.test/', { method: 'POST', body, headers, signal });

export interface Answer {
  status: number;
  body: unknown;
}

export async function answerOf(answering: Promise<Response>): Promise<Answer> {
  const response = await answering;
  return { status: response.status, body: await response.json() };
}

export const post = async (url: string, { body, headers }: Delivery): Promise<Answer> =>
  answerOf(fetch(url, { method: 'POST', body, headers }));

export interface Serving extends AsyncDisposable {
  url: string;
}

export async function serve(listener: RequestListener): Promise<Serving> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The trace context of a delivery, and the ids in it. */
export function newTraceContext(testId: string): { traceId: string; spanId: string; headers: Headers } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return {
    traceId,
    spanId,
    headers: { traceparent: `00-${traceId}-${spanId}-01`, baggage: `service.test.id=${testId}` },
  };
}
