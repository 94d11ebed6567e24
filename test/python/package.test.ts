/** The Python package as users install it: its own tests, its types, and what the registry would say. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackage, PYTHON_PACKAGE, testPython } from '../support/python.ts';
import { startServer, type TestServer } from '../support/server.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL_MS = 900_000;
const MAX_CHECK_MS = 900_000;

let server: TestServer;
let python: string;
let wheel: string;
let installed: string;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-python-'));

beforeAll(async () => {
  [server, python] = await Promise.all([startServer({ config: { quietMs: 200 } }), testPython()]);
  ({ wheel, installed } = await installPackage(python, folder));
}, INSTALL_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs Python and returns what it prints; throws all of it when it fails. */
const output = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  outputOf(python, args, env);

async function outputOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = {
    cwd: PYTHON_PACKAGE,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  };
  const failed = (error: { stdout: string; stderr: string }): never => {
    throw new Error(error.stdout + error.stderr);
  };
  const { stdout, stderr } = await promisify(execFile)(program, [...args], options).catch(failed);
  return stdout + stderr;
}

it.concurrent(
  'passes its own tests against this server',
  async () => {
    const printed = await output(['-B', '-m', 'pytest'], {
      PYTHONPATH: installed,
      TEST_SERVER_URL: server.url,
      TEST_SERVER_KEY: server.apiKey,
      TEST_SERVER_APPLICATION: server.applicationId,
      // In seconds. A busy server may need longer than the default of 5 s.
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    expect(printed).toMatch(/^\d+ passed in/m);
    expect(printed).not.toMatch(/skipped|warning/);
  },
  MAX_CHECK_MS,
);

it.concurrent(
  'is typed completely',
  async () => {
    const pyright = join(ROOT, 'node_modules/pyright/index.js');
    const checked = join(dirname(dirname(python)), `.checked-${fingerprint()}`);
    if (existsSync(checked)) return;
    expect(await outputOf(process.execPath, [pyright, '--pythonpath', python], {})).toMatch(
      /^0 errors, 0 warnings/m,
    );
    writeFileSync(checked, '');
  },
  MAX_CHECK_MS,
);

/** Hash of all that the types depend on beside the packages: while it is the same, they are checked once. */
function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of globSync('{src,tests}/**/*.py', { cwd: PYTHON_PACKAGE }).sort()) {
    hash.update(file).update(readFileSync(join(PYTHON_PACKAGE, file)));
  }
  return hash
    .update(readFileSync(join(PYTHON_PACKAGE, 'pyproject.toml')))
    .digest('hex')
    .slice(0, 16);
}

it('has all that a registry and an installation need', async () => {
  expect(await output(['-m', 'twine', 'check', '--strict', wheel])).toContain('PASSED');
  const info = join(installed, 'touchstone_otel-0.1.0.dist-info');
  for (const file of ['py.typed', 'webhook/handler.py', 'auto/sitecustomize.py'])
    expect(existsSync(join(installed, 'touchstone_otel', file)), file).toBe(true);
  expect(existsSync(join(installed, 'bin/touchstone-run'))).toBe(true);
  const metadata = readFileSync(join(info, 'METADATA'), 'utf8');
  for (const line of ['Name: touchstone-otel', 'Requires-Python: >=3.10', 'License-Expression: Apache-2.0'])
    expect(metadata.split('\n')).toContain(line);
  expect(metadata).toContain('\n\n# touchstone-otel\n');
});
