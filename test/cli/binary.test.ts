/** The single binary as it is installed: alone, without Node, with a home that cannot be written, and in the root of the image. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInRoot } from '../../scripts/image/empty-root.ts';
import { newSpanId, newTraceId } from '../e2e/otlp-sender.ts';
import { newPresets } from '../support/child-server.ts';
import { framed, GrpcConnection } from '../support/grpc.ts';
import { otlpRequest } from '../support/spans.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILD_MS = 240_000;
const OK = 0;

const folder = mkdtempSync(join(tmpdir(), 'touchstone-binary-'));
const program = join(folder, 'touchstone');
const presets = newPresets();
const { apiKey, applicationId } = presets;
const env = {
  PATH: '/nonexistent',
  // A file, below which no folder can be created, whoever runs the tests.
  HOME: program,
  TMPDIR: join(folder, 'tmp'),
  TOUCHSTONE_BOOTSTRAP_APPLICATION_ID: applicationId,
  TOUCHSTONE_BOOTSTRAP_API_KEY: apiKey,
};

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/binary.mjs'], { cwd: ROOT });
  copyFileSync(join(ROOT, 'dist/touchstone'), program);
  mkdirSync(env.TMPDIR);
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd: folder, env })).stdout;

it('has the checksum that is published with it', () => {
  const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
  expect(readFileSync(join(ROOT, 'dist/touchstone.sha256'), 'utf8')).toBe(`${hash}  touchstone\n`);
});

it('comes with the list of its components, which is valid', async () => {
  const text = readFileSync(join(ROOT, 'dist/touchstone.cdx.json'), 'utf8');
  const list = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string }[];
  };
  expect(list.bomFormat).toBe('CycloneDX');
  expect(await new Validation.JsonValidator(Spec.Version.v1dot5).validate(text)).toBeNull();
  const packages = new Map(list.components.map(({ name, version }) => [name, version]));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) expect(packages.has(name), name).toBe(true);
  expect(packages.get('node')).toBe(process.versions.node);
});

it('prints its version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await run('version')).toBe(`Touchstone ${version}\n`);
});

it('serves: stores spans of both protocols, and serves the dashboard, the docs and the packages', async () => {
  const server = spawn(program, ['serve', '--port', '0', '--grpc-port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url, grpcPort } = await listening(server.stdout);
    const headers = { 'x-api-key': apiKey, 'x-application-id': applicationId };
    const trace = newTraceId();
    const message = (name: string): Buffer => otlpRequest([{ trace, id: newSpanId(), name }]);

    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(message('over HTTP')),
    });
    expect(response.status).toBe(200);
    const connection = await GrpcConnection.open(grpcPort);
    expect((await connection.call({ headers, bytes: framed(message('over gRPC')) })).code).toBe(OK);
    connection.destroy();
    const spans = (await (await fetch(`${url}/v0/traces/${trace}/spans`, { headers })).json()) as {
      data: { name: string }[];
    };
    expect(spans.data.map(({ name }) => name).toSorted()).toEqual(['over HTTP', 'over gRPC']);

    const typeOf = async (path: string): Promise<string> => {
      const { status, headers: received } = await fetch(url + path);
      return `${status} ${received.get('content-type')?.split(';')[0]}`;
    };
    expect(await typeOf('/')).toBe('200 text/html');
    expect(await typeOf('/docs')).toBe('200 text/html');
    expect(await typeOf('/packages/otel.tgz')).toBe('200 application/gzip');
    expect(await run('keys', 'list', '--data-dir', 'data')).toContain(applicationId);

    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
  }
});

interface Listening {
  url: string;
  grpcPort: number;
  applicationId: string;
}

async function listening(output: NodeJS.ReadableStream): Promise<Listening> {
  let printed = '';
  for await (const text of output.setEncoding('utf8')) {
    printed += String(text);
    const line = printed.split('\n').find((one) => one.includes('"message":"listening"'));
    if (line?.endsWith('}')) {
      output.resume();
      return JSON.parse(line) as Listening;
    }
  }
  throw new Error(`the server ended: ${printed}`);
}

describe('in the root of the image: read-only, /tmp without execution, no home, a user without rights', () => {
  const root = join(folder, 'image');
  const installed = join(root, 'usr/local/lib/touchstone/better_sqlite3.node');
  const INSIDE = '/usr/local/bin/touchstone';
  let data = '';
  const newData = (): string => (data = mkdtempSync(join(folder, 'data-')));

  beforeAll(async () => {
    // Whoever builds the image may keep new files to themselves: its user reads them nevertheless.
    const build = ['-c', 'umask 077 && exec "$0" "$@"', process.execPath, 'scripts/image-root.mjs', root];
    await promisify(execFile)('sh', build, { cwd: ROOT });
  });

  const runInside = async (
    options: { hasProc?: boolean; isDataNoexec?: boolean },
    ...args: string[]
  ): Promise<{ code: number; out: string; err: string }> => {
    const child = startInRoot(
      { root, data, env: { TOUCHSTONE_DATA_DIR: '/data' }, ...options },
      [INSIDE, ...args],
      ['ignore', 'pipe', 'pipe'],
    );
    const texts = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text) => (texts.out += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (texts.err += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...texts };
  };

  it('has the program, its addon, libraries and three texts, and nothing else', () => {
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const names = files.map(({ name }) => name.replace(/^ld-linux.*/, 'ld-linux'));
    expect(names.filter((name) => !/\.so\.\d+$/.test(name)).toSorted()).toEqual([
      'better_sqlite3.node',
      'group',
      'ld-linux',
      'nsswitch.conf',
      'passwd',
      'touchstone',
      'touchstone.cdx.json',
    ]);
  });

  it.each([
    ['from the file beside it', () => {}, '/better_sqlite3.node'],
    ['from memory where there is no such file', () => rmSync(installed), '/memfd:touchstone-sqlite'],
    [
      'from memory where the file is of another version',
      () => cpSync(join(root, 'etc/passwd'), installed),
      '/memfd:touchstone-sqlite',
    ],
  ])('serves, with one copy of SQLite in all threads, loaded %s', async (_from, change, loaded) => {
    change();
    newData();
    const server = startInRoot(
      { root, data, env: { TOUCHSTONE_DATA_DIR: '/data' } },
      [INSIDE, 'serve', '--port', '0', '--grpc-port', '0'],
      ['ignore', 'pipe', 'inherit'],
    );
    try {
      if (!server.stdout) throw new Error('There is no output');
      const { url, applicationId: id } = await listening(server.stdout);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const { out: key } = await runInside({}, 'keys', 'first');
      const traces = await fetch(`${url}/v0/applications`, {
        headers: { 'x-api-key': key.trim(), 'x-application-id': id },
      });
      expect(traces.status).toBe(200);
      expect(existsSync(join(data, 'first-key'))).toBe(false);

      const copies = new Map<string, string>();
      for (const line of readFileSync(`/proc/${server.pid}/maps`, 'utf8').split('\n')) {
        const [, , , device, inode, path = ''] = line.split(/\s+/);
        if (/sqlite/.test(path)) copies.set(`${device} ${inode}`, path);
      }
      expect([...copies.values()]).toEqual([expect.stringContaining(loaded)]);
      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('loads SQLite from the data folder where there is no file beside it and no /proc, and names all places where that fails too', async () => {
    expect(existsSync(installed)).toBe(true);
    rmSync(installed);
    expect(await runInside({ hasProc: false }, 'keys', 'list')).toMatchObject({ code: 0, err: '' });
    const { code, err } = await runInside({ hasProc: false, isDataNoexec: true }, 'keys', 'list');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^SQLite cannot be loaded from \/usr\/local\/lib\/touchstone.*memory \(.*\/tmp\/touchstone-65532 \(.*\/data\/.addon \(.*noexec\.\n$/,
    );
  });
});
