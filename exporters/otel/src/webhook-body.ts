import { readAtMost } from './bytes.ts';
import { notPost, WebhookError } from './webhook-error.ts';

/** The bytes of a request with JSON, as they came. Throws a {@link WebhookError} when it is no such request. */
export async function readDelivery(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { method, headers } = request;
  if (method !== 'POST') throw notPost();
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw new WebhookError(415, 'The content type must be application/json');
  }
  const isDeclaredLonger = Number(headers.get('content-length')) > maxBytes;
  const body = isDeclaredLonger ? undefined : await readAtMost(maxBytes, request.body).catch(unreadable);
  if (body === undefined) throw new WebhookError(413, `The body is larger than ${maxBytes} bytes`);
  return body;
}

function unreadable(cause: unknown): never {
  throw new WebhookError(400, 'The body could not be read', { cause });
}
