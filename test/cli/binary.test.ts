/** The single binary as it is installed: alone, without Node, with a home that cannot be written. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('serves: stores spans of both protocols, and hands out the dashboard, the docs and the packages', async () => {
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

async function listening(output: NodeJS.ReadableStream): Promise<{ url: string; grpcPort: number }> {
  let printed = '';
  for await (const text of output.setEncoding('utf8')) {
    printed += String(text);
    const line = printed.split('\n').find((one) => one.includes('"message":"listening"'));
    if (line?.endsWith('}')) {
      output.resume();
      return JSON.parse(line) as { url: string; grpcPort: number };
    }
  }
  throw new Error(`the server ended: ${printed}`);
}
