import type { IncomingMessage, ServerResponse } from 'node:http';
import { notHandled, notPost, WebhookError } from './webhook-error.ts';
import type { WebhookHandler } from './webhook.ts';

/** Listener for Node's HTTP server, usable in Express as a handler or middleware. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A handler for Node's http server and for Express. It reads the raw body itself, so mount it before `express.json()`;
 * after a parser it needs the bytes as `request.rawBody`, or `request.body` from `express.raw()`.
 */
export function toNodeListener(handler: WebhookHandler): NodeListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = await replyOf(handler, request, response);
    const body = await reply.text();
    // A time limit of the app may have been faster.
    if (response.headersSent) return;
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(body);
  };
  return (request, response) => void answer(request, response);
}

async function replyOf(
  handler: WebhookHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Response> {
  try {
    return await handler(toFetchRequest(request, response));
  } catch (error) {
    return (error instanceof WebhookError ? error : notHandled()).toResponse();
  }
}

function toFetchRequest(request: IncomingMessage, response: ServerResponse): Request {
  if (request.method !== 'POST') throw notPost();
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
    // What the handler left unread would block the connection for the requests after this one.
    request.resume();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 has names that begin with a colon.
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  // The handler looks at no address.
  return new Request('http://localhost/', {
    method: 'POST',
    headers,
    body: bodyOf(request),
    duplex: 'half',
    signal: gone.signal,
  });
}

function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> {
  if (!request.readableDidRead) {
    return ReadableStream.from<Uint8Array>(request.iterator({ destroyOnReturn: false }));
  }
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown };
  for (const bytes of [rawBody, body]) if (Buffer.isBuffer(bytes)) return new Uint8Array(bytes);
  throw new WebhookError(
    500,
    'The signature is over the raw body, but a parser has read it: mount the webhook handler before express.json(), ' +
      'or keep the bytes with express.json({ verify: (req, res, bytes) => { req.rawBody = bytes; } })',
  );
}
