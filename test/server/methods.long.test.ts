import { once } from 'node:events';
import { type IncomingMessage, METHODS, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document } from '../support/api-calls.ts';
import { effort } from '../support/effort.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { RawConnection } from '../support/sockets.ts';

const ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATHS = [
  ...Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, ID)),
  '/docs',
  '/docs/reference.js',
  '/v0/nothing',
  '/',
  '/v1/traces/',
  '*',
];
/** Streams that end only when the client disconnects. */
const ENDLESS = ['/v0/webhook/listen', '/v0/traces/stream'];
/** Methods that a path may serve; the others are sent to a random sample of paths. CONNECT has no path; see below. */
const SERVED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHERS = METHODS.filter((method) => method !== 'CONNECT' && !SERVED.includes(method));
const SAMPLE = new Set(PATHS.toSorted(() => Math.random() - 0.5).slice(0, effort(12)));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

interface Answer {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
}

async function send(method: string, path: string, headers = {}, body = ''): Promise<Answer> {
  const { port } = new URL(server.url);
  const call = request({ host: '127.0.0.1', port, method, path, headers: { ...server.headers, ...headers } });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response), headers: response.headers };
}

const JSON_BODY = [{ 'content-type': 'application/json', 'content-length': '2' }, '{}'] as const;

describe('every method that HTTP knows', () => {
  it.each(PATHS)('gets a response on %s, and is allowed if the header Allow says so', async (path) => {
    const answers: [method: string, Answer][] = [];
    for (const method of SAMPLE.has(path) ? [...SERVED, ...OTHERS] : SERVED) {
      if (method === 'GET' && ENDLESS.includes(path)) continue;
      for (const [headers, body] of [[{}, ''], JSON_BODY] as const) {
        const answer = await send(method, path, headers, body);
        expect(answer.status, `${method} ${path} ${answer.body}`).toBeLessThan(500);
        expect(answer.headers['x-request-id'], `${method} ${path}`).toBeDefined();
        answers.push([method, answer]);
      }
    }
    const rejected = answers.filter(([, { status }]) => status === 405);
    // The header is the same for all methods that are not allowed.
    const allowed = rejected[0]?.[1].headers.allow?.split(', ') ?? [];
    for (const [method, { headers }] of rejected) {
      expect(headers.allow?.split(', '), `${method} ${path}`).toEqual(allowed);
      expect(allowed, `${method} ${path}`).not.toEqual([]);
      expect(allowed, `${method} ${path}`).not.toContain(method);
    }
    for (const [method, { status, body }] of answers.filter((answer) => allowed.includes(answer[0]))) {
      expect(status, `${method} ${path}`).not.toBe(405);
      expect(body, `${method} ${path}`).not.toBe('{"message":"Not found"}');
    }
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('closes a connection that requests a tunnel', async () => {
    const connection = await RawConnection.open(server.url);
    connection.write('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n');
    await expect(connection.closed).resolves.toBeUndefined();
  });
});
