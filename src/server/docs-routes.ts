import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenApiDocument } from '../api/document.ts';
import { openApi } from '../api/openapi.ts';
import { referencePage } from '../api/reference/page.ts';
import { REFERENCE_SCRIPT } from '../api/reference/script.ts';
import { REFERENCE_STYLES } from '../api/reference/styles.ts';
import type { Route } from '../contract/route.ts';

/** File with the same content for everyone, as long as the server runs. */
interface StaticFile {
  type: string;
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Policy with files of this server only, without inline scripts and styles. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Adds the description of the API and the page that shows it. Neither requires a key. `path` is that of the public URL. */
export function addDocsRoutes(app: FastifyInstance, routes: readonly Route[], path: string): void {
  const document = (): OpenApiDocument => openApi(routes, `${path}/`);
  const page = (): string => referencePage(document());
  addFile(app, '/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(document()));
  addFile(app, '/docs', 'text/html; charset=utf-8', page, { 'content-security-policy': PAGE_POLICY });
  addFile(app, '/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_STYLES);
  addFile(app, '/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_SCRIPT);
}

function addFile(
  app: FastifyInstance,
  url: string,
  type: string,
  content: () => string,
  headers: Readonly<Record<string, string>> = {},
): void {
  let file: Promise<StaticFile> | undefined;
  app.get(url, { config: { isShared: true } }, async (request, reply) => {
    // Created on the first request, because most servers never need it.
    file ??= staticFile(type, content);
    return send(await file, request, reply.headers(headers));
  });
}

async function staticFile(type: string, content: () => string): Promise<StaticFile> {
  const bytes = Buffer.from(content());
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
