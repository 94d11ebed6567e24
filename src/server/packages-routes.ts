import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { findAsset, readAssetBytes } from '../runtime/assets.ts';

/** File of a package. The build writes it, and lists it in `index.json`. */
const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  file: z.string(),
  install: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});
type PackageFile = z.infer<typeof packageFile>;

const PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Adds the packages for apps that send spans, which neither require a key nor internet access. `path` is that of the public
 * URL.
 */
export function addPackagesRoutes(app: FastifyInstance, path: string): void {
  const files = listPackages();
  const list = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.headers({ 'cache-control': 'no-cache', vary: 'accept', 'x-content-type-options': 'nosniff' });
    if (!(request.headers.accept ?? '').includes('text/html')) return reply.send({ data: files });
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(pageOf(files, path));
  };
  app.get('/packages', list);
  app.get('/packages/', list);
  app.get<{ Params: { file: string } }>(
    '/packages/:file',
    { config: { isShared: true } },
    async ({ params, headers }, reply) => {
      const found = files.find(({ file }) => file === params.file);
      if (!found) throw new AppError('not_found', 'No such package. GET /packages/ lists all.');
      const etag = `"${found.sha256}"`;
      void reply.headers({ 'cache-control': 'no-cache', etag, 'x-content-type-options': 'nosniff' });
      if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      const isZip = found.file.endsWith('.whl');
      return reply
        .type(isZip ? 'application/zip' : 'application/gzip')
        .send(await readAssetBytes(`packages/${found.file}`));
    },
  );
}

/** Returns the packages of this build; none if it was built without them. */
function listPackages(): PackageFile[] {
  const list = findAsset('packages/index.json');
  return list === null ? [] : z.array(packageFile).parse(JSON.parse(list));
}

function pageOf(files: readonly PackageFile[], path: string): string {
  const rows = files.map(
    ({ name, version, description, file, install, sha256 }) => `
      <h2><a href="${path}/packages/${file}">${name} ${version}</a></h2>
      <p>${description}</p>
      <pre>${install}</pre>
      <p>SHA-256: <code>${sha256}</code></p>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Packages</title>
  </head>
  <body>
    <h1>Packages</h1>
    <p>Programs get this list as JSON: <code>curl $TOUCHSTONE_URL/packages/</code></p>${rows.join('')}
  </body>
</html>
`;
}
