import { readFileSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCertificates } from '../../../exporters/otel/src/certificates.ts';
import { deliver, retryAfter } from '../../../exporters/otel/src/delivery.ts';
import { HttpPost } from '../../../exporters/otel/src/http-post.ts';
import type { HttpResponse, Transport } from '../../../exporters/otel/src/transport.ts';
import { startServer } from '../../support/server.ts';
import { startReceiver } from './support/receiver.ts';
import { CREDENTIALS, endSpans, listenToDiag, startTracing } from './support/tracing.ts';

const TIMEOUT = 60_000;
const CERTIFICATES = join(import.meta.dirname, '../../support/certificates');
const read = (file: string): string => readFileSync(join(CERTIFICATES, file), 'utf8');

let said: string[];
beforeEach(() => {
  said = listenToDiag();
});

async function send(url: string): Promise<{ exported: number; failed: number }> {
  const tracing = startTracing({ url, timeoutMillis: TIMEOUT });
  endSpans(tracing, 1);
  await tracing.processor.forceFlush();
  const { exported, failed } = tracing.processor.stats();
  await tracing.processor.shutdown();
  return { exported, failed };
}

describe('a redirect', () => {
  it.each([307, 308])('%i within the origin is followed with the same body', async (status) => {
    await using receiver = await startReceiver((_n, { path }) =>
      path === '/v1/traces' ? { status, headers: { location: '/base/v1/traces' } } : {},
    );
    expect(await send(receiver.url)).toEqual({ exported: 1, failed: 0 });
    const [first, second] = receiver.requests;
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['x-api-key']).toBe(CREDENTIALS.apiKey);
  });

  it('to another origin is not followed: the key is for this one only', async () => {
    await using other = await startReceiver();
    await using receiver = await startReceiver(() => ({
      status: 308,
      headers: { location: `${other.url}/v1/traces` },
    }));
    expect(await send(receiver.url)).toEqual({ exported: 0, failed: 1 });
    expect(other.requests).toEqual([]);
    expect(said).toEqual([
      `touchstone: 1 spans were lost: HTTP 308 from ${receiver.url}. ` +
        `Set TOUCHSTONE_URL to the address that it names: ${other.url}/v1/traces.`,
    ]);
  });

  it('in a circle ends', async () => {
    await using receiver = await startReceiver(() => ({ status: 307, headers: { location: '/v1/traces' } }));
    expect(await send(receiver.url)).toEqual({ exported: 0, failed: 1 });
    expect(receiver.requests).toHaveLength(4);
  });
});

describe('Retry-After', () => {
  const NOW = Date.UTC(2026, 10, 27, 12, 0, 0);
  it.each<[header: string | undefined, millis: number | undefined]>([
    ['3', 3_000],
    ['0', 0],
    ['Fri, 27 Nov 2026 12:00:07 GMT', 7_000],
    ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (header, millis) => {
    expect(retryAfter(header, NOW)).toBe(millis);
  });
});

describe('a busy server', () => {
  it('is named as that', async () => {
    await using receiver = await startReceiver(() => ({
      status: 503,
      headers: { 'retry-after': '3600' },
      body: '{"message":"The memory for requests is used up"}',
    }));
    expect(await send(receiver.url)).toEqual({ exported: 0, failed: 1 });
    expect(said).toEqual([
      `touchstone: 1 spans were lost: HTTP 503 from ${receiver.url} (The memory for requests is used up). ` +
        'The server is busy: send less at once, or raise timeoutMillis.',
    ]);
  });
});

describe('a retry that the time limit ends reports the failure of the attempt before it', () => {
  const REQUEST = { headers: {}, body: new Uint8Array(1), timeoutMillis: 1_500 };
  const BUSY = { status: 503, headers: {}, body: '' };

  it.each<[what: string, first: () => Promise<HttpResponse>, expected: unknown]>([
    [
      'a connection refused',
      () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      'no response from http://127.0.0.1:1 (refused)',
    ],
    ['a busy server', () => Promise.resolve(BUSY), BUSY],
    [
      'nothing, if it is the first attempt',
      () => Promise.reject(new DOMException('', 'TimeoutError')),
      'no response from http://127.0.0.1:1 within 1500 ms',
    ],
  ])('%s', async (what, first, expected) => {
    let attempts = 0;
    const hangs = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const transport: Transport = {
      send: (_url, { signal }) => {
        attempts += 1;
        return attempts > 1 || what.startsWith('nothing') ? hangs(signal) : first();
      },
      gzip: null,
      close: () => {},
    };
    const result = deliver(transport, { ...REQUEST, url: new URL('http://127.0.0.1:1') });
    expect(await result.catch((error: Error) => error.message)).toEqual(expected);
    expect(attempts).toBe(what.startsWith('nothing') ? 1 : 2);
  });

  it.each([
    ['headers', ''],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
  ])('a server that stops before its %s is named as slow', async (_what, text) => {
    const server = createTcpServer((socket) => socket.on('error', () => {}).write(text)).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const transport = new HttpPost({}, {});
    const result = deliver(transport, { ...REQUEST, timeoutMillis: 500, url });
    expect(await result.catch((error: Error) => error.message)).toBe(
      `no response from ${url.origin} within 500 ms`,
    );
    transport.close();
    server.close();
  });
});

describe('the port for gRPC', () => {
  it('says itself which port to use', async () => {
    const server = await startServer({ config: { grpcPort: 0 } });
    expect(await send(`http://127.0.0.1:${server.grpcPort}`)).toEqual({ exported: 0, failed: 1 });
    expect(said.join()).toContain(
      '(This port accepts OTLP over gRPC. Send OTLP over HTTP to the port of the REST API (default 4318)). Check TOUCHSTONE_URL.',
    );
    await server.close();
  });
});

describe('over TLS', () => {
  const serve = async (certificate: string): Promise<AsyncDisposable & { url: string; requests: number }> => {
    const state = { requests: 0 };
    const server = createTlsServer(
      { key: read('server.key'), cert: read(certificate) },
      (request, response) => {
        state.requests += 1;
        request.resume().on('end', () => response.end('{}'));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      get requests() {
        return state.requests;
      },
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  };

  it.each(['self-signed.pem', 'trusted.pem'])(
    'a certificate that is not trusted (%s) is named with the remedy',
    async (file) => {
      await using server = await serve(file);
      expect(await send(server.url)).toEqual({ exported: 0, failed: 1 });
      expect(said).toEqual([
        expect.stringMatching(
          /no response from https:\S+ \(.*certificate.*\)\. The certificate is not trusted: set OTEL_EXPORTER_OTLP_CERTIFICATE/,
        ),
      ]);
      expect(server.requests).toBe(0);
    },
  );

  it('a certificate of the authority in OTEL_EXPORTER_OTLP_CERTIFICATE is trusted', async () => {
    await using server = await serve('trusted.pem');
    const http = new HttpPost(
      readCertificates({ OTEL_EXPORTER_OTLP_CERTIFICATE: join(CERTIFICATES, 'ca.pem') }),
      {},
    );
    const url = new URL(server.url);
    const response = await deliver(http, {
      url,
      headers: {},
      body: new Uint8Array(2),
      timeoutMillis: TIMEOUT,
    });
    expect(response.status).toBe(200);
    http.close();
  });

  it('https: for a server that speaks http: is named as another protocol', async () => {
    await using receiver = await startReceiver();
    expect(await send(receiver.url.replace('http:', 'https:'))).toEqual({ exported: 0, failed: 1 });
    expect(said.join()).toContain('Another protocol is spoken there.');
  });
});

describe('a proxy', () => {
  const startProxy = async (): Promise<AsyncDisposable & { url: string; targets: string[] }> => {
    const targets: string[] = [];
    const proxy = createServer((request, response) => {
      targets.push(request.url ?? '');
      const { port } = new URL(request.url ?? '');
      const forwarded = requestHttp({
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/v1/traces',
        headers: request.headers,
      });
      forwarded.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 0)));
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      targets,
      [Symbol.asyncDispose]: async () => {
        proxy.closeAllConnections();
        await new Promise((resolve) => proxy.close(resolve));
      },
    };
  };
  const body = Buffer.from('{"resourceSpans":[]}');
  const headers = { 'content-type': 'application/json' };

  it.each<[host: string, noProxy: string, isProxied: boolean]>([
    ['touchstone.test', '', true],
    ['touchstone.test', 'other.test', true],
    ['127.0.0.1', '', false],
    ['localhost', '', false],
    ['127.0.0.1', 'touchstone.test', false],
  ])('of HTTP_PROXY for %s, with NO_PROXY "%s": %s', async (host, noProxy, isProxied) => {
    await using receiver = await startReceiver();
    await using proxy = await startProxy();
    const http = new HttpPost({}, { HTTP_PROXY: proxy.url, NO_PROXY: noProxy });
    const url = new URL(receiver.url.replace('127.0.0.1', host));
    url.pathname = '/v1/traces';
    const response = await deliver(http, { url, headers, body, timeoutMillis: TIMEOUT });
    expect(response.status).toBe(200);
    expect(proxy.targets).toEqual(isProxied ? [url.href] : []);
    http.close();
  });

  it('is not used for hosts of NO_PROXY', async () => {
    await using proxy = await startProxy();
    const http = new HttpPost({}, { HTTP_PROXY: proxy.url, NO_PROXY: 'touchstone.invalid' });
    const delivery = {
      url: new URL('http://touchstone.invalid/v1/traces'),
      headers,
      body,
      timeoutMillis: 500,
    };
    await expect(deliver(http, delivery)).rejects.toThrow('no response from http://touchstone.invalid');
    expect(proxy.targets).toEqual([]);
    http.close();
  });
});
