import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the app was sent. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Unchanged body. */
  body: string;
}

/** Responds to a request; it may also leave it without a response, or disconnect. */
export type Behaviour = (request: Received, response: ServerResponse) => unknown;

export interface CustomerApp {
  /** The address of its webhook. */
  url: string;
  /** Received requests, in order. */
  received: Received[];
  /** The last request it was sent. */
  last: () => Received;
  behave: (behaviour: Behaviour) => void;
  /** Breaks all connections, including those whose requests wait for a response. */
  disconnect: () => void;
  close: () => Promise<void>;
}

/** Address of an app on which nothing listens. */
export const NOWHERE = 'http://127.0.0.1:1/webhook';

/** An answer with this status, body and headers. */
export const answer =
  (
    status: number,
    body: string | Uint8Array = '',
    headers: Readonly<Record<string, string>> = {},
  ): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** Takes the request and never answers. */
export const hang: Behaviour = () => undefined;

/** Breaks the connection instead of answering. */
export const breakOff: Behaviour = (_request, response) => response.destroy();

/**
 * Starts a substitute for the customer's app, over HTTP on loopback. It responds with 200 until its behaviour is
 * changed.
 */
export async function startCustomerApp(): Promise<CustomerApp> {
  const received: Received[] = [];
  let behaviour = answer(200);
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A client that is killed leaves half a body behind.
    const whole = await receive(request).catch(() => null);
    if (whole === null) return;
    received.push(whole);
    behaviour(whole, response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    received,
    last: () => {
      const request = received.at(-1);
      if (!request) throw new Error('the app was sent nothing');
      return request;
    },
    behave: (next) => {
      behaviour = next;
    },
    disconnect: () => server.closeAllConnections(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const { method = '', url = '', headers } = request;
  const chunks = await request.toArray();
  return { method, path: url, headers, body: Buffer.concat(chunks as Buffer[]).toString('utf8') };
}
