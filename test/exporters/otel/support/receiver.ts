/** An OTLP receiver that answers as configured and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}

export interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  spans: ReceivedSpan[];
  /** The body as it came, inflated. */
  text: string;
}

export interface Answer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** What the nth request (from 0) is answered; null leaves the answering to the caller, who gets the response. */
export type Behaviour = (n: number, request: Received, response: ServerResponse) => Answer | null;

export interface Receiver extends AsyncDisposable {
  url: string;
  requests: Received[];
  spans: () => ReceivedSpan[];
}

export async function startReceiver(behave: Behaviour = () => ({})): Promise<Receiver> {
  const requests: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await read(request);
    const told = behave(requests.push(received) - 1, received, response);
    if (!told) return;
    const { status = 200, headers = {}, body = '{}' } = told;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => requests.flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Wire {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes'> & {
        attributes: { key: string; value: Record<string, unknown> }[];
      })[];
    }[];
  }[];
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  const { resourceSpans } = JSON.parse(text) as Wire;
  return {
    headers: request.headers,
    path: request.url ?? '',
    text,
    spans: resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          ...span,
          attributes: Object.fromEntries(
            span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
        })),
      ),
    ),
  };
}
