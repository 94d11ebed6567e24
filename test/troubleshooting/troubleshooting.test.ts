/** What a developer sees of each mistake of a first hour, in both languages; `docs/troubleshooting.md` is made of it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainEnvironment } from '../support/environment.ts';
import { installPackage, testPython } from '../support/python.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { javascriptApp, pythonApp } from './apps.ts';
import { MISTAKES, type Mistake, NOWHERE } from './mistakes.ts';
import { troubleshootingPage } from './page.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEST_ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const INSTALL_MS = 900_000;

let server: TestServer;
let other: Tenant;
let page: Server;
let pageUrl: string;
let python: string;
let installed: string;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-mistakes-'));
const secondApi = join(folder, 'api/build/src/index.js');

beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  page = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>A shop</p>');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => page.once('listening', resolve));
  pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  makeSecondApi();
  python = await testPython();
  ({ installed } = await installPackage(python, folder));
}, INSTALL_MS);
afterAll(async () => {
  page.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Copies the OpenTelemetry API and makes a later version of it, as a dependency of an app may bring it. */
function makeSecondApi(): void {
  cpSync(join(ROOT, 'node_modules/@opentelemetry/api'), join(folder, 'api'), { recursive: true });
  const version = join(folder, 'api/build/src/version.js');
  const text = readFileSync(version, 'utf8');
  const later = text.replace(/VERSION = '1\.\d+\.\d+'/, "VERSION = '1.99.0'");
  expect(later).not.toBe(text);
  writeFileSync(version, later);
}

/**
 * Runs a program and returns the lines of its standard error that a user must read. `limit` is the time limit of
 * OpenTelemetry for what is answered at all; it has another unit in each language.
 */
async function linesOf(
  program: string,
  args: readonly string[],
  { env = {} }: Pick<Mistake, 'env'>,
  limit: string,
): Promise<string[]> {
  const values: Readonly<Record<string, string>> = {
    URL: server.url,
    PAGE: pageUrl,
    OTHER_KEY: other.apiKey,
  };
  const valueOf = (value: string): string =>
    value.replace(/URL|PAGE|OTHER_KEY/, (word) => values[word] ?? word);
  const given = Object.entries(env).map(([name, value]) => [name, valueOf(value)] as const);
  const { stderr } = await promisify(execFile)(program, [...args], {
    cwd: join(ROOT, 'exporters/otel'),
    env: {
      ...plainEnvironment(),
      PYTHONPATH: installed,
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
      TEST_ID,
      // Where nothing listens, the exporter tries until its own limit.
      ...(env['TOUCHSTONE_URL'] === NOWHERE ? {} : { OTEL_EXPORTER_OTLP_TIMEOUT: limit }),
      ...Object.fromEntries(given),
    },
  });
  return stderr
    .replaceAll(server.url, 'URL')
    .replaceAll(TEST_ID, 'TEST')
    .split('\n')
    .flatMap((line) => /^(?:touchstone|.*UserWarning): (.*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.replace(/\([^)]*\)\. Start/, '(…). Start'));
}

it.each(MISTAKES.filter(({ javascript }) => javascript !== null))(
  'JavaScript says: $mistake',
  async (mistake) => {
    const api = mistake.program === 'two-apis' ? secondApi : '@opentelemetry/api';
    const args = ['--input-type=module', '-e', javascriptApp(mistake.program, api)];
    expect(await linesOf(process.execPath, args, mistake, '60000')).toEqual([mistake.javascript]);
  },
);

it.each(MISTAKES.filter((one) => one.python !== null))('Python says: $mistake', async (mistake) => {
  const args = ['-B', '-c', pythonApp(mistake.program)];
  expect(await linesOf(python, args, mistake, '60')).toEqual([mistake.python]);
});

it('the page about trouble lists every mistake with what is seen', async () => {
  await expect(troubleshootingPage()).toMatchFileSnapshot('../../docs/troubleshooting.md');
});
