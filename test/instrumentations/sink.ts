/** An OTLP endpoint that accepts every request, and keeps those with traces and log records. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RecordedRequest } from './recording.ts';

export interface Sink {
  url: string;
  requests: RecordedRequest[];
  close: () => void;
}

export async function startSink(): Promise<Sink> {
  const requests: RecordedRequest[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
    if (path.endsWith('/v1/traces') || path.endsWith('/v1/logs'))
      requests.push({ path, type, encoding, body: body.toString('base64') });
    // The empty message of an OTLP response.
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => server.close() };
}
