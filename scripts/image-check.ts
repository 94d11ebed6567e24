/**
 * Runs the steps of the Dockerfile without Docker, and starts the result as a container: the section that builds in a
 * minimal Debian of debootstrap, the image in an empty folder. Needs Linux, root, debootstrap, and the registries of
 * Debian and npm; takes some minutes.
 *
 *   npm run image:check
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSections, type Section, wordsOf } from './image/dockerfile.ts';
import { startInRoot } from './image/empty-root.ts';

const ROOT = dirname(import.meta.dirname);
const MIRROR = process.env['DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';
const HOST_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'];
const START_MS = 60_000;

const work = mkdtempSync(join(tmpdir(), 'touchstone-image-'));
const folders = new Map<string, string>();
let image = { folder: '', env: {} as Record<string, string>, entry: [] as string[], user: '' };

try {
  for (const [index, section] of readSections(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).entries()) {
    const folder = join(work, section.name ?? `section-${index}`);
    mkdirSync(folder);
    folders.set(section.name ?? String(index), folder);
    console.log(`FROM ${section.from}`);
    if (section.from !== 'scratch') makeBase(section.from, folder);
    runSection(section, folder);
  }
  await startImage();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Makes what `node:26-bookworm-slim` has: a minimal Debian with the pinned Node and npm. */
function makeBase(from: string, folder: string): void {
  const [, suite] = /^node:\d+-(\w+)-slim$/.exec(from) ?? [];
  if (suite === undefined) throw new Error(`There is no stand-in for the image ${from}.`);
  execFileSync('debootstrap', ['--variant=minbase', suite, folder, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const prefix = join(folder, 'usr/local');
  cpSync(process.execPath, join(prefix, 'bin/node'));
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(join(npm, 'npm'), join(prefix, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(prefix, 'bin/npm'));
  for (const file of HOST_FILES.filter((one) => existsSync(one))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file), { dereference: true });
  }
}

function runSection({ steps }: Section, folder: string): void {
  let directory = '/';
  const env: Record<string, string> = {};
  let [entry, command]: string[][] = [[], []];
  let user = '';
  for (const step of steps) {
    console.log(`${step.instruction} ${step.text}`);
    const { words } = wordsOf(step);
    switch (step.instruction) {
      case 'WORKDIR':
        directory = words[0] ?? '/';
        mkdirSync(join(folder, directory), { recursive: true });
        break;
      case 'RUN':
        runInside(folder, directory, step.text);
        break;
      case 'COPY':
        copy(step, folder, directory);
        break;
      case 'ENV':
        for (const word of words) env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
        break;
      case 'USER':
        user = words[0] ?? '';
        break;
      case 'ENTRYPOINT':
        entry = JSON.parse(step.text) as string[];
        break;
      case 'CMD':
        command = JSON.parse(step.text) as string[];
        break;
      case 'VOLUME':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`The instruction ${step.instruction} is not supported here.`);
    }
  }
  image = { folder, env, entry: [...(entry ?? []), ...(command ?? [])], user };
}

function runInside(folder: string, directory: string, command: string): void {
  // Where the registry of npm is reached through a mirror or a certificate of this machine, so it is inside.
  const npm = ['registry', 'cafile', 'proxy', 'https-proxy']
    .map((name) => [name, execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()] as const)
    .filter(([, value]) => value !== '' && value !== 'null' && value !== 'undefined')
    .map(([name, value]) => `npm_config_${name.replaceAll('-', '_')}=${value}`);
  const script = `mount --bind /proc "$ROOT/proc" && mount --rbind /dev "$ROOT/dev" && exec env -i "$@"`;
  const inside = ['/usr/sbin/chroot', folder, '/bin/sh', '-c', `cd ${directory} && ${command}`];
  const variables = [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    ...npm,
  ];
  execFileSync('unshare', ['--mount', 'sh', '-c', script, 'sh', ...variables, ...inside], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ROOT: folder },
  });
}

/** Copies as Docker does: the content of a folder, and files into a folder where the target ends with a slash. */
function copy(step: Parameters<typeof wordsOf>[0], folder: string, directory: string): void {
  const { flags, words } = wordsOf(step);
  const section = flags.get('from');
  const target = words.at(-1) ?? '.';
  const to = join(folder, target.startsWith('/') ? target : join(directory, target));
  for (const word of words.slice(0, -1)) {
    if (section === undefined) copyContext(word, to);
    else execFileSync('cp', ['-aT', join(folders.get(section) ?? '', word), to]);
  }
  const owner = flags.get('chown');
  if (owner !== undefined) execFileSync('chown', ['-R', owner, to]);
  const mode = flags.get('chmod');
  if (mode !== undefined) execFileSync('chmod', [mode, to]);
}

/** Copies from the repository what .dockerignore does not leave out: the files that git knows or would add. */
function copyContext(word: string, to: string): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', word],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of listed.split('\0').filter((one) => one !== '' && existsSync(join(ROOT, one)))) {
    const isFolder = word !== file;
    const name = word === '.' ? file : file.slice(word.length);
    cpSync(join(ROOT, file), isFolder ? join(to, name) : join(to, file), { recursive: true });
  }
}

async function startImage(): Promise<void> {
  console.log(`Start ${image.entry.join(' ')} with a read-only root and a /tmp without execution`);
  if (image.user !== '65532:65532') throw new Error(`The image runs as ${image.user}, not as 65532:65532.`);
  const data = join(work, 'volume');
  mkdirSync(data, { mode: 0o700 });
  const server = startInRoot(
    { root: image.folder, data, env: { ...image.env, TOUCHSTONE_HOST: '127.0.0.1' } },
    [...image.entry, '--port', '0', '--grpc-port', '0'],
    ['ignore', 'pipe', 'inherit'],
  );
  const late = setTimeout(() => server.kill('SIGKILL'), START_MS);
  try {
    let printed = '';
    for await (const text of server.stdout ?? []) {
      printed += String(text);
      const [, url] = /"message":"listening","url":"([^"]+)"/.exec(printed) ?? [];
      if (url === undefined) continue;
      const { status } = await fetch(`${url}/readyz`);
      if (status !== 200) throw new Error(`/readyz responded with ${status}.`);
      console.log(`The image serves: ${url}/readyz responded with 200.`);
      return;
    }
    throw new Error(`The server ended: ${printed}`);
  } finally {
    clearTimeout(late);
    server.kill('SIGKILL');
  }
}
