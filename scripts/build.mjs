// Builds src/ → dist/, the dashboard → dist/dashboard, the npm packages → exporters/*/dist, which the examples install,
// and all packages that the server serves → dist/packages. The new dist/ is created next to the old one and replaces
// it completely, so nothing of a deleted source remains and a failed build changes nothing. With --if-changed: only
// when it was built from other sources.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeDashboard } from './dashboard-files.mjs';
import { writePackages } from './packages.ts';
import { run, seconds } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const NPM_PACKAGES = ['exporters/otel', 'exporters/client'];
/** Files of the packages that their builds read; nothing installed or generated, which may change meanwhile. */
const PACKAGED = [
  'src/**/*',
  'README.md',
  'CHANGELOG.md',
  'package.json',
  'tsdown.config.ts',
  'pyproject.toml',
].map((file) => `exporters/*/${file}`);

const isFile = (path) => statSync(path).isFile();
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter(isFile)
    .sort();
const sources = filesIn('src');

const SHARED = ['package-lock.json', 'scripts/build.mjs'];
const ALL = [
  ...sources,
  ...globSync(PACKAGED, { exclude: ['**/__pycache__/**'] })
    .filter(isFile)
    .sort(),
  'rolldown.config.mjs',
  'vite.config.mjs',
  'scripts/dashboard-files.mjs',
  'scripts/packages.ts',
  'scripts/pure-initializers.ts',
  'scripts/wheel.ts',
  ...SHARED,
];
const DASHBOARD = [
  ...sources.filter((file) => /^src\/(?:dashboard|api|span-index)\//.test(file.replaceAll('\\', '/'))),
  'vite.config.mjs',
  'scripts/dashboard-files.mjs',
  ...SHARED,
];

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Builds the dashboard, or copies it from the previous build when none of its sources changed. */
async function buildDashboard(folder) {
  const dashboardStamp = fingerprint(DASHBOARD);
  if (
    existsSync('dist/dashboard/.stamp') &&
    readFileSync('dist/dashboard/.stamp', 'utf8') === dashboardStamp
  ) {
    cpSync('dist/dashboard', folder, { recursive: true });
    return { code: 0, output: '' };
  }
  const vite = [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'vite.config.mjs',
    '--logLevel',
    'warn',
  ];
  const env = { ...process.env, NODE_ENV: 'production' };
  const result = await run(process.execPath, [...vite, '--outDir', join(root, folder)], {
    capture: true,
    env,
  });
  if (result.code === 0) {
    await completeDashboard(folder);
    writeFileSync(join(folder, '.stamp'), dashboardStamp);
  }
  return result;
}

async function build(stamp) {
  const fresh = `dist.${process.pid}`;
  const old = `${fresh}.old`;
  try {
    const rolldown = ['node_modules/rolldown/bin/cli.mjs', '--config', '--dir', fresh];
    const tsdowns = NPM_PACKAGES.map((folder) => [
      'node_modules/tsdown/dist/run.mjs',
      '--config',
      `${folder}/tsdown.config.ts`,
    ]);
    const results = await Promise.all([
      ...[rolldown, ...tsdowns].map((command) => run(process.execPath, command, { capture: true })),
      buildDashboard(join(fresh, 'dashboard')),
    ]);
    for (const { code, output } of results) {
      if (code === 0) continue;
      console.error(`Build failed\n${output.trim()}`);
      return code;
    }
    for (const file of sources.filter((source) => /\.(?:sql|gz)$|records\.json$/.test(source))) {
      cpSync(file, join(fresh, file.slice('src/'.length)));
    }
    await writePackages(join(fresh, 'packages'));
    writeFileSync(join(fresh, '.stamp'), stamp);
    if (existsSync('dist')) renameSync('dist', old);
    renameSync(fresh, 'dist');
    return 0;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

const stamp = fingerprint(ALL);
const isFresh =
  NPM_PACKAGES.every((folder) => existsSync(`${folder}/dist`)) &&
  existsSync('dist/.stamp') &&
  readFileSync('dist/.stamp', 'utf8') === stamp;
if (!(isFresh && process.argv.includes('--if-changed'))) {
  const since = performance.now();
  process.exitCode = await build(stamp);
  if (!process.exitCode) console.error(`Built dist/ in ${seconds(since)}`);
}
