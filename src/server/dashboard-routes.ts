import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { DashboardFile, DashboardFiles } from './dashboard-files.ts';

/**
 * Policy with files of this server only, without inline scripts and styles, and without a way to turn text into
 * markup.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
/** Names of assets contain the hash of their content. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Adds the page of the dashboard and its assets. They need no key: whoever opens the page signs in there. */
export function addDashboardRoutes(app: FastifyInstance, files: DashboardFiles): void {
  app.get<{ Params: { file: string } }>('/assets/:file', { config: { isShared: true } }, (request, reply) => {
    const file = files.find(`assets/${request.params.file}`);
    if (!file) throw new AppError('not_found', 'Not found');
    return send(files, file, request, reply.headers(ASSET_HEADERS));
  });
}

/** Sends the page, which shows the screen that the path of the request names. */
export function sendPage(
  files: DashboardFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = files.find('index.html');
  if (!page) throw new AppError('not_found', 'Not found');
  return send(files, page, request, reply.headers(PAGE_HEADERS));
}

async function send(
  files: DashboardFiles,
  file: DashboardFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { bytes, encoding } = await files.read(file, headers['accept-encoding'] ?? '');
  const etag = `"${file.etag}${encoding === null ? '' : `-${encoding}`}"`;
  void reply.headers({ etag, vary: 'accept, accept-encoding', 'x-content-type-options': 'nosniff' });
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send(bytes);
}
