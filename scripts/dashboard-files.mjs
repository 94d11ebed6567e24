// Completes the built dashboard: compressed copies beside the files, and files.json, which lists them for the server.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
const brotli = promisify(brotliCompress);

/** Compresses every file of the folder and writes the list of all of them. */
export async function completeDashboard(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const files = await Promise.all(paths.map((path) => complete(folder, path.replaceAll('\\', '/'))));
  await writeFile(join(folder, 'files.json'), `${JSON.stringify(files, null, 1)}\n`);
}

/** Addresses in the page begin at the root of the host, because the page is served at every path. */
async function contentOf(file) {
  const bytes = await readFile(file);
  if (!file.endsWith('.html')) return bytes;
  const page = bytes.toString('utf8').replaceAll('="./assets/', '="/assets/');
  await writeFile(file, page);
  return Buffer.from(page);
}

async function complete(folder, path) {
  const type = TYPES[extname(path)];
  if (!type) throw new Error(`No content type for ${path}: add it to scripts/dashboard-files.mjs`);
  const bytes = await contentOf(join(folder, path));
  const params = { [BROTLI_PARAM_QUALITY]: 10, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), promisify(gzip)(bytes, { level: 9 })]);
  await Promise.all([writeFile(join(folder, `${path}.br`), br), writeFile(join(folder, `${path}.gz`), gz)]);
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { path, type, etag, size: bytes.length, br: br.length, gz: gz.length };
}
