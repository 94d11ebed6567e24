import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { createGzip } from 'node:zlib';
import type { Certificates } from './certificates.ts';
import type { Environment } from './settings.ts';
import { type HttpRequest, type HttpResponse, MAX_RESPONSE_BYTES, type Transport } from './transport.ts';

const MAX_SOCKETS = 8;

/** Sends POST requests and keeps the connections for the next ones. */
export class HttpPost implements Transport {
  readonly gzip = compress;
  readonly #agents: { http: HttpAgent; https: HttpsAgent };

  constructor(certificates: Certificates, env: Environment) {
    // Node 22.21 and newer send by the proxies of these variables; older ones ignore the option.
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, proxyEnv: proxiesOf(env) };
    this.#agents = { http: new HttpAgent(options), https: new HttpsAgent({ ...options, ...certificates }) };
  }

  send(url: URL, { headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:';
      const options = {
        method: 'POST',
        agent: isHttps ? this.#agents.https : this.#agents.http,
        headers: { ...headers, 'content-length': String(body.length) },
        signal,
      };
      const request = isHttps ? requestHttps(url, options) : requestHttp(url, options);
      let hasResponse = false;
      request.on('response', (response) => {
        hasResponse = true;
        readText(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          reject,
        );
      });
      request.on('error', reject);
      // A response that switches to another protocol closes the connection without any other event.
      request.on('close', () => {
        if (!hasResponse) reject(new Error('the connection was closed'));
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}

async function compress(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const gzip = createGzip();
  for (const piece of pieces) gzip.write(piece);
  gzip.end();
  const compressed: Buffer[] = [];
  for await (const piece of gzip) compressed.push(piece as Buffer);
  return Buffer.concat(compressed);
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += (part as Buffer).length;
    if (size <= MAX_RESPONSE_BYTES) parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
}

/** Variables of proxies. This machine itself is never reached by a proxy. */
function proxiesOf(env: Environment): Record<string, string> {
  const own = ['localhost', '127.0.0.1', '[::1]'];
  const excluded = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(',').map((host) => host.trim());
  const proxies: Record<string, string> = { NO_PROXY: [...own, ...excluded].filter(Boolean).join(',') };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) {
    const value = env[name.toLowerCase()] ?? env[name];
    if (value) proxies[name] = value;
  }
  return proxies;
}
