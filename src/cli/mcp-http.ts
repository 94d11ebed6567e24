import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';

const PATH = '/mcp';

/**
 * Serves agents on this machine by streamable HTTP at `/mcp`. It listens on loopback only and answers no other host or
 * origin, because whoever reaches it acts with the key of the command.
 */
export async function serveHttp(
  create: () => McpServer,
  port: number,
): Promise<{ port: number; server: Server }> {
  const handler = createMcpHandler(create);
  const server = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, handler.fetch).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, server };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const request = requestOf(incoming);
  const rejection =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === PATH ? null : new Response(null, { status: 404 }));
  const { status, headers, body } = rejection ?? (await handle(request));
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) outgoing.end();
  else Readable.fromWeb(body).pipe(outgoing);
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
  });
}
