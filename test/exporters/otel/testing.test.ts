/** Tests of tasks in real processes of Vitest and Jest, with their default settings. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp, PACKAGE } from './support/built-package.ts';

const INSTALL_MS = 900_000;

/** The body of a file of tests, after its imports. */
const SUITE = `
const answer = (question, text) =>
  trace.getTracer('app').startActiveSpan('answer', (span) => {
    span.setAttributes({ 'input.value': question, 'output.value': text });
    span.end();
  });

testTasks(test, 'right', { tasks: ['Capitals'], repeat: 2 }, async ({ prompt }) => answer(prompt, 'Paris'));
testTasks(test, 'wrong', { tasks: ['Capitals'] }, ({ prompt }) => answer(prompt, 'Lima'));
testTasks(test, 'tolerated', { tasks: ['Capitals'], failUnder: 0 }, ({ prompt }) => answer(prompt, 'Lima'));
testTasks(test, 'broken', { tasks: ['Capitals'] }, () => {
  throw new Error('the app is broken');
});
testTasks(test, 'unknown', { tasks: ['Rivers'] }, () => undefined);
`;
/** Another file, which the runner runs at the same time. */
const OTHER = `
testTasks(test, 'also right', { tasks: ['Capitals'] }, ({ prompt }) =>
  trace.getTracer('app').startActiveSpan('answer', (span) => {
    span.setAttributes({ 'input.value': prompt, 'output.value': 'Paris' });
    span.end();
  }),
);
`;
const ESM = `
import { trace } from '@opentelemetry/api';
import { testTasks } from 'touchstone-otel/testing';
import { test } from 'vitest';
`;
const CJS = `
const { trace } = require('@opentelemetry/api');
const { testTasks } = require('touchstone-otel/testing');
`;

let server: TestServer;
let app: App;
beforeAll(async () => {
  [server, app] = await Promise.all([startServer({ config: { quietMs: 200 } }), makeApp('bundlers')]);
}, INSTALL_MS);
afterAll(async () => {
  app.remove();
  await server.close();
});

/** Makes an application with a task whose answers must contain Paris. Returns the variables of the app. */
async function newTask(): Promise<Record<string, string>> {
  const { apiKey, applicationId, headers } = await server.newTenant();
  const call = async (path: string, body: unknown): Promise<unknown> => {
    const { json, status, text } = await server.call('POST', path, { headers, body });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  await call('/v0/webhook', { url: 'https://nowhere.invalid/' });
  const { task } = (await call('/v0/tasks', {
    title: 'Capitals',
    type: 'STATIC',
    inputExamples: ['Of France?'],
  })) as { task: { id: string } };
  const { data } = (await call('/v0/definitions', {
    name: 'Right',
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] },
  })) as { data: { id: string } };
  await call('/v0/definitions/link', { evalIds: [data.id], taskIds: [task.id] });
  return { TOUCHSTONE_URL: server.url, TOUCHSTONE_API_KEY: apiKey, TOUCHSTONE_APPLICATION_ID: applicationId };
}

async function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = {
    cwd,
    env: { PATH: process.env['PATH'], OTEL_EXPORTER_OTLP_TIMEOUT: '100000', ...env },
  };
  const failed = ({
    stdout,
    stderr,
  }: {
    stdout: string;
    stderr: string;
  }): { stdout: string; stderr: string } => ({
    stdout,
    stderr,
  });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...args], options).catch(failed);
  return stripVTControlCharacters(stdout + stderr);
}

const MODULES = join(PACKAGE, '../../node_modules');
const vitest = (folder: string): string[] => [join(MODULES, 'vitest/vitest.mjs'), 'run', '--root', folder];
const jest = (folder: string): string[] => [join(app.folder, '../jest/bin/jest.js'), '--rootDir', folder];

/** A project with the packages of the app. Runners look for no tests below `node_modules`, where the app is. */
function newProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-testing-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['touchstone-otel', join(app.folder, 'node_modules/touchstone-otel')],
    ['@opentelemetry', join(app.folder, '../@opentelemetry')],
    ['vitest', join(MODULES, 'vitest')],
  ] as const)
    symlinkSync(target, join(folder, 'node_modules', name), 'dir');
  writeFileSync(join(folder, 'package.json'), '{}');
  return folder;
}

describe.each([
  ['Vitest', ESM, 'mjs', vitest, /Tests +3 failed \| 3 passed/],
  ['Jest', CJS, 'js', jest, /Tests: +3 failed, 3 passed/],
])('%s', (_name, imports, suffix, commandIn, total) => {
  it('runs the function for each test of the tasks, and fails by their verdicts', async () => {
    const folder = newProject();
    writeFileSync(join(folder, `capitals.test.${suffix}`), imports + SUITE);
    writeFileSync(join(folder, `other.test.${suffix}`), imports + OTHER);
    const printed = await run(commandIn(folder), folder, await newTask());
    expect(printed).toMatch(total);
    expect(printed).toContain('The pass rate is 0 %, below 100 % (1 tests)');
    expect(printed).toMatch(/Of France\? \(test [\da-f-]+\): Right: /);
    expect(printed).toContain('the app is broken');
    expect(printed).toContain('0 tasks have the title "Rivers": use the id of one.');
    rmSync(folder, { recursive: true });
  });
});
