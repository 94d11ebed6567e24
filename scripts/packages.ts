/**
 * Writes the packages that the server serves: the npm packages of `exporters/` as tarballs, the Python package as a
 * wheel, and a list of them.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeWheel } from './wheel.ts';

const MAX_PACK_MS = 60_000;

/** Dependencies of the server that its build does not contain. */
const SERVER_DEPENDENCIES = ['better-sqlite3'];

interface Manifest {
  name: string;
  version: string;
  description: string;
}

/** A file that the server serves. `src/server/packages-routes.ts` reads the list. */
interface PackageFile extends Manifest {
  file: string;
  /** Command that installs it. */
  install: string;
  bytes: number;
  sha256: string;
}

/** Writes the packages and their list, `index.json`, into a folder. */
export async function writePackages(to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  const python = join('exporters', 'python');
  const tarballs = await Promise.all(
    ['otel', 'client'].map(async (name) => {
      const folder = join('exporters', name);
      const file = await pack(folder, to, `${name}.tgz`);
      return describe(readManifest(folder), to, file, `npm install $TOUCHSTONE_URL/packages/${file}`);
    }),
  );
  const wheel = writeWheel(python, to);
  const [, version = ''] = /-([\d.]+)-/.exec(wheel) ?? [];
  const description = 'Sends OpenTelemetry spans of Python apps to Touchstone';
  const manifest = { name: 'touchstone-otel', version, description };
  const files = [...tarballs, describe(manifest, to, wheel, `pip install $TOUCHSTONE_URL/packages/${wheel}`)];
  writeFileSync(join(to, 'index.json'), JSON.stringify(files, null, 2));
}

/** Packs the server itself, as it was built into `dist`, and returns the path of the tarball. */
export async function packServer(dist: string, to: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pack-'));
  try {
    const { version, description, license, type, engines, dependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Manifest & Record<string, unknown> & { dependencies: Record<string, string> };
    const manifest = {
      name: 'touchstone-server',
      version,
      description,
      license,
      type,
      engines,
      bin: { touchstone: 'dist/main.js' },
      files: ['dist'],
      dependencies: Object.fromEntries(SERVER_DEPENDENCIES.map((name) => [name, dependencies[name]])),
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) copyFileSync(file, join(folder, file));
    // Without the single binary, which may stand beside the build.
    const filter = (file: string): boolean => !/[\\/]touchstone(?:\.\w+)*$/.test(file);
    cpSync(dist, join(folder, 'dist'), { recursive: true, filter });
    return join(to, await pack(folder, to, 'server.tgz'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Runs `npm pack` and returns the name of the file. */
async function pack(folder: string, to: string, file: string): Promise<string> {
  const npm = process.env['npm_execpath'] ?? '';
  const [program, ...first] = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  const own = mkdtempSync(join(to, '.pack-'));
  try {
    // A relative path of two parts would be the name of a repository to npm.
    const args = [...first, 'pack', resolve(folder), '--pack-destination', own, '--ignore-scripts'];
    await promisify(execFile)(program, args, {
      timeout: MAX_PACK_MS,
      shell: process.platform === 'win32',
    });
    const [packed = ''] = readdirSync(own);
    renameSync(join(own, packed), join(to, file));
    return file;
  } finally {
    rmSync(own, { recursive: true });
  }
}

function describe(
  { name, version, description }: Manifest,
  to: string,
  file: string,
  install: string,
): PackageFile {
  const bytes = readFileSync(join(to, file));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, version, description, file, install, bytes: bytes.length, sha256 };
}
