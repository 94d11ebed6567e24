// Builds dist/touchstone: the server with Node, its threads, SQLite's addon, the dashboard and all other files, in one
// program for this platform. The Node that runs this script becomes part of it.
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { addonFile } from './binary/addon-file.mjs';
import { run, seconds } from './run.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const since = performance.now();
const program = process.platform === 'win32' ? 'touchstone.exe' : 'touchstone';
const work = mkdtempSync(join(tmpdir(), 'touchstone-binary-'));
try {
  await checked(process.execPath, ['scripts/build.mjs', '--if-changed']);
  copyDist();
  await bundle('better-sqlite3', 'npm/better-sqlite3.cjs', 'cjs');
  cpSync(addonFile(), join(work, 'better_sqlite3.node'));
  for (const file of ['addon.cjs', 'loader.cjs', 'start.cjs'])
    cpSync(join('scripts/binary', file), join(work, file));
  cpSync('package.json', join(work, 'package.json'));
  await build();
  await writeComponents();
  const hash = createHash('sha256')
    .update(readFileSync(join('dist', program)))
    .digest('hex');
  writeFileSync(`dist/${program}.sha256`, `${hash}  ${program}\n`);
  const mebibytes = Math.round(statSync(join('dist', program)).size / 1024 ** 2);
  console.log(`Built dist/${program}, ${mebibytes} MiB, in ${seconds(since)}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function checked(command, args, options = {}) {
  const { code, output } = await run(command, args, { capture: true, ...options });
  if (code !== 0) throw new Error(output.trim());
  return output;
}

/** Copies the build. Modules in the binary have no file from which Node could resolve packages. */
function copyDist() {
  for (const file of filesIn('dist')) {
    if (file.endsWith('.stamp') || basename(file).startsWith('touchstone')) {
      if (!file.endsWith('.whl')) continue;
    }
    const to = join(work, file);
    mkdirSync(dirname(to), { recursive: true });
    if (!file.endsWith('.js') || file.includes('dashboard')) cpSync(file, to);
    else {
      const source = readFileSync(file, 'utf8');
      writeFileSync(
        to,
        source.replaceAll('createRequire(import.meta.url)', 'createRequire(process.execPath)'),
      );
    }
  }
}

/** Bundles a package that the build leaves outside into one file. */
async function bundle(name, file, format) {
  const bundler = await rolldown({
    input: name,
    platform: 'node',
    plugins: [
      {
        name: 'addon',
        resolveId: (id, from) =>
          id === './binding' && from?.includes('better-sqlite3')
            ? { id: 'app:///addon.cjs', external: true }
            : null,
      },
    ],
  });
  await bundler.write({ file: join(work, file), format, exports: 'auto', codeSplitting: false });
  await bundler.close();
}

async function build() {
  const assets = Object.fromEntries(
    filesIn(work).map((file) => [file.slice(work.length + 1).replaceAll('\\', '/'), file]),
  );
  const config = {
    main: join(process.cwd(), 'scripts/binary/main.mjs'),
    mainFormat: 'module',
    output: join(process.cwd(), 'dist', program),
    disableExperimentalSEAWarning: true,
    assets,
  };
  const file = join(work, 'sea.json');
  writeFileSync(file, JSON.stringify(config));
  await checked(process.execPath, ['--build-sea', file]);
}

/**
 * Writes the list of all components (CycloneDX): Node, and the packages of the lock file. Those that are only part of the
 * dashboard or of the build are marked as of development.
 */
async function writeComponents() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel', 'silent'];
  const list = JSON.parse(await checked('npm', args, { shell: process.platform === 'win32' }));
  const version = process.versions.node;
  list.components.push({
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
  });
  writeFileSync('dist/touchstone.cdx.json', `${JSON.stringify(list, null, 2)}\n`);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .sort();
}
