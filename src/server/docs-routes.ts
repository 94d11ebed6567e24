import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openApi } from '../api/openapi.ts';
import type { Route } from '../contract/route.ts';

/** File with the same content for everyone, as long as the server runs. */
interface StaticFile {
  type: string;
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Policy without other hosts and inline scripts; the script of the page creates its styles. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/reference.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Settings that disable every request to another host. */
const SETTINGS = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};
const START = `Scalar.createApiReference('#app', ${JSON.stringify(SETTINGS)});\n`;

/** Adds the description of the API and the page that shows it. Neither requires a key. */
export function addDocsRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  const html = 'text/html; charset=utf-8';
  const script = 'text/javascript; charset=utf-8';
  const document = () => JSON.stringify(openApi(routes));
  addFile(app, '/openapi.json', 'application/json; charset=utf-8', document);
  addFile(app, '/docs', html, () => PAGE, { 'content-security-policy': PAGE_POLICY });
  addFile(app, '/docs/start.js', script, () => START);
  addFile(app, '/docs/reference.js', script, referenceScript);
}

function addFile(
  app: FastifyInstance,
  url: string,
  type: string,
  content: () => string | Promise<string>,
  headers: Readonly<Record<string, string>> = {},
): void {
  let file: Promise<StaticFile> | undefined;
  app.get(url, { config: { isShared: true } }, async (request, reply) => {
    // Created on the first request, because most servers never need it.
    file ??= staticFile(type, content);
    return send(await file, request, reply.headers(headers));
  });
}

async function staticFile(type: string, content: () => string | Promise<string>): Promise<StaticFile> {
  const bytes = Buffer.from(await content());
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, plain: bytes, gzipped: await promisify(gzip)(bytes), etag };
}

async function send(
  { type, plain, gzipped, etag }: StaticFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({
    'cache-control': 'no-cache',
    etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  void reply.type(type);
  if (/\bgzip\b/.test(headers['accept-encoding'] ?? '')) {
    return reply.header('content-encoding', 'gzip').send(gzipped);
  }
  return reply.send(plain);
}

/** Reads the script of the reference, which its package provides only through a server of its own. */
async function referenceScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { body } = await app.inject('/js/scalar.js');
  await app.close();
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
