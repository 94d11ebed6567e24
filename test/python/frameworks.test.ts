/** The Python package in servers and queues of others, and in each Python of this machine: spans ended = stats() = stored. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { findPythons, installPackage, PYTHON_PACKAGE, pythonWith } from '../support/python.ts';
import { startServer, type TestServer } from '../support/server.ts';

const INSTALL_MS = 900_000;
const FOLDER = join(PYTHON_PACKAGE, 'tests/frameworks');
const REQUESTS = 20;

let server: TestServer;
let python: string;
let installed: string;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-frameworks-'));
beforeAll(async () => {
  [server, python] = await Promise.all([startServer(), pythonWith(join(FOLDER, 'requirements.txt'))]);
  ({ installed } = await installPackage(python, folder));
}, INSTALL_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Tenant = Awaited<ReturnType<TestServer['newTenant']>>;

const environment = ({ apiKey, applicationId }: Tenant): Record<string, string> => ({
  PATH: `${dirname(python)}:${process.env['PATH']}`,
  PYTHONPATH: `${installed}:${FOLDER}`,
  PYTHONDONTWRITEBYTECODE: '1',
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
  TOUCHSTONE_STATE_DIR: join(folder, 'state'),
  // In seconds. A busy server may need longer than the default of 5 s.
  OTEL_EXPORTER_OTLP_TIMEOUT: '100',
});

interface Result {
  pid: number;
  stats: { ended: number; exported: number; failed: number; dropped: number };
}

/** Each test has its two spans, and the counts of all processes together are what the server has stored. */
async function expectStored(
  tenant: Tenant,
  results: readonly Result[],
  testIds: readonly string[],
): Promise<void> {
  const { headers } = tenant;
  const { json } = await server.call('GET', '/v0/ingest/ledger', { headers });
  const stored = (json as { data: { stored: number }[] }).data.reduce((sum, row) => sum + row.stored, 0);
  // Each response has the counts of its process after a flush, so the largest are the last ones.
  const last = new Map<number, number>();
  for (const { pid, stats } of results) last.set(pid, Math.max(last.get(pid) ?? 0, stats.exported));
  const exported = [...last.values()].reduce((sum, count) => sum + count, 0);
  expect({ stored, exported }).toEqual({ stored: 2 * testIds.length, exported: 2 * testIds.length });
  expect(results.filter(({ stats }) => stats.failed + stats.dropped > 0)).toEqual([]);
  for (const testId of testIds) {
    const found = await server.call('GET', `/v0/traces/by-test/${testId}`, { headers });
    expect(found.json).toMatchObject({ data: { testId } });
  }
}

class Program {
  readonly child: ChildProcess;
  output = '';

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(python, [...command], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    if (this.output.includes('touchstone:')) throw new Error(this.output);
  }
}

const SERVERS: Record<string, (port: number) => string[]> = {
  'gunicorn with Flask': (port) => [
    '-m',
    'gunicorn',
    '-w',
    '2',
    '-b',
    `127.0.0.1:${port}`,
    'app:flask_app()',
  ],
  'gunicorn with Flask and --preload': (port) => [
    '-m',
    'gunicorn',
    '--preload',
    '-w',
    '2',
    '-b',
    `127.0.0.1:${port}`,
    'app:flask_app()',
  ],
  'gunicorn with Django and threads': (port) => [
    '-m',
    'gunicorn',
    '-w',
    '2',
    '--threads',
    '4',
    '-b',
    `127.0.0.1:${port}`,
    'app:django_app()',
  ],
  'Flask alone': (port) => ['-m', 'flask', '--app', 'app:flask_app', 'run', '--port', String(port)],
  'uvicorn with workers': (port) => [
    '-m',
    'uvicorn',
    '--workers',
    '2',
    '--port',
    String(port),
    '--factory',
    'app:starlette_app',
  ],
  'FastAPI in uvicorn': (port) => ['-m', 'uvicorn', '--port', String(port), '--factory', 'app:fastapi_app'],
};

it.each(Object.entries(SERVERS))('%s stores every span', async (_name, commandFor) => {
  const [tenant, port] = [await server.newTenant(), await freePort()];
  const program = new Program(commandFor(port), environment(tenant));
  const get = async (path: string): Promise<Result> =>
    (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as Result;
  const first = randomUUID();
  let result: Result | undefined;
  await expect
    .poll(async () => (result = await get(first).catch(() => undefined)), { message: program.output })
    .toBeDefined();
  const testIds = Array.from({ length: REQUESTS }, () => randomUUID());
  const results = await Promise.all(testIds.map(get));
  await program.end();
  await expectStored(tenant, [result as Result, ...results], [first, ...testIds]);
});

it('Celery stores every span of its workers', async () => {
  const tenant = await server.newTenant();
  const env = { ...environment(tenant), BROKER: join(folder, 'broker') };
  const testIds = Array.from({ length: REQUESTS }, () => randomUUID());
  const send = `import sys; from app import celery\nfor id in sys.argv[1:]: celery.send_task("answer", [id])`;
  await promisify(execFile)(python, ['-c', send, ...testIds], { cwd: folder, env });
  const worker = new Program(
    ['-m', 'celery', '-A', 'app:celery', 'worker', '-c', '2', '--without-mingle'],
    env,
  );
  const files = testIds.map((testId) => join(folder, `${testId}.result`));
  await expect.poll(() => files.every(existsSync), { message: worker.output }).toBe(true);
  await worker.end();
  const results = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result);
  expect(new Set(results.map(({ pid }) => pid)).has(worker.child.pid ?? 0)).toBe(false);
  await expectStored(tenant, results, testIds);
});

it('pytest-xdist stores every span of its workers', async () => {
  const tenant = await server.newTenant();
  const testIds = Array.from({ length: REQUESTS }, () => randomUUID());
  const command = ['-m', 'pytest', '-n', '2', '-p', 'no:cacheprovider', join(FOLDER, 'spread_tests.py')];
  const env = { ...environment(tenant), TEST_IDS: testIds.join(' ') };
  const { stdout } = await promisify(execFile)(python, command, { cwd: folder, env });
  expect(stdout).toContain(`${REQUESTS} passed`);
  const results = testIds.map(
    (testId) => JSON.parse(readFileSync(join(folder, `${testId}.result`), 'utf8')) as Result,
  );
  expect(new Set(results.map(({ pid }) => pid)).size).toBe(2);
  await expectStored(tenant, results, testIds);
});

it('a function that is frozen between its calls loses nothing', async () => {
  const tenant = await server.newTenant();
  const loop =
    'import sys; from app import work\nfor line in sys.stdin: print(work(line.strip()), flush=True)';
  const program = new Program(['-c', loop], environment(tenant));
  const testIds = Array.from({ length: 4 }, () => randomUUID());
  for (const [call, testId] of testIds.entries()) {
    program.child.stdin?.write(`${testId}\n`);
    await expect.poll(() => program.output.split('\n').length).toBe(call + 2);
    program.child.kill('SIGSTOP');
    // Longer than the server keeps a connection without requests.
    await new Promise((resolve) => setTimeout(resolve, call === 0 ? 6_000 : 300));
    program.child.kill('SIGCONT');
  }
  const results = program.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
  await program.end();
  await expectStored(tenant, results, testIds);
});

const PYTHONS = [...findPythons()];
const OPENTELEMETRIES = [
  ...PYTHONS.map(([version, base]) => [`Python ${version}`, base, 'requirements-minimal.txt'] as const),
  ...PYTHONS.slice(0, 1).map(([, base]) => ['OpenTelemetry 1.27', base, 'requirements-oldest.txt'] as const),
];

describe.each(OPENTELEMETRIES)('%s', (_name, base, requirements) => {
  it(
    'stores the spans of a process and of its forked and spawned children',
    async () => {
      const own = await pythonWith(join(FOLDER, requirements), base);
      const tenant = await server.newTenant();
      const testIds = Array.from({ length: 9 }, () => randomUUID());
      const { stdout, stderr } = await promisify(execFile)(own, [join(FOLDER, 'children.py'), ...testIds], {
        cwd: folder,
        env: environment(tenant),
      });
      expect(stderr).toBe('');
      const results = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Result);
      expect(new Set(results.map(({ pid }) => pid)).size).toBeGreaterThan(2);
      await expectStored(tenant, results, testIds);
    },
    INSTALL_MS,
  );
});
