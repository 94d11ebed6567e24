import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Behaviour, type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run, start } from '../support/process.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

let server: TestServer;
let app: CustomerApp;
let folder: string;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 100, orphanQuietMs: 400, traceDeadlineMs: 1_000 } });
  app = await startCustomerApp();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-gate-'));
  await make('/v0/webhook', { url: app.url });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
  await server.close();
});
beforeEach(() => {
  app.received.length = 0;
  app.behave(capitals);
});

interface Made {
  id: string;
}

/** Makes a record; its id. */
async function make(path: string, body: object, { headers }: Pick<Tenant, 'headers'> = server): Promise<string> {
  const { status, json, text } = await server.call('POST', path, { headers, body });
  expect(status, text).toBeLessThan(300);
  const { data, task } = json as { data?: Made; task?: Made };
  return (data ?? (task as Made)).id;
}

/** Tells the server what the app has answered. */
const answerWith =
  (outputOf: (prompt: string) => string, headers?: Tenant['headers']): Behaviour =>
  async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const at = new Date().toISOString();
    const event = { type: 'trace', timestamp: at, testId, input: prompt, output: outputOf(prompt) };
    await server.call('POST', '/v0/ingest', { ...(headers && { headers }), body: { events: [event] } });
    response.writeHead(200).end();
  };

/** Knows one of two. */
const capitals = answerWith((prompt) => (prompt.includes('France') ? 'Paris' : 'I do not know'));

interface Definition {
  name: string;
  type: string;
  globalConfig?: object;
}

const NAMES_A_CITY: Definition = {
  name: 'Names <a> city',
  type: 'ASSERT',
  globalConfig: { assertions: [{ type: 'contains-any', value: ['Paris', 'Lima'] }] },
};
const POLITE: Definition = { name: 'Polite', type: 'CUSTOM', globalConfig: { criterion: 'It is polite.' } };

/** A task about two countries that is judged by these. */
async function capitalsTask(
  definitions: readonly Definition[] = [NAMES_A_CITY],
  more: object = {},
  owner: Pick<Tenant, 'headers'> = server,
): Promise<string> {
  const evalDefinitions: object[] = [];
  for (const definition of definitions)
    evalDefinitions.push({ evalDefinitionId: await make('/v0/definitions', definition, owner) });
  const inputExamples = ['Capital of France?', 'Capital of Peru?'];
  return make('/v0/tasks', { title: 'Capitals', type: 'STATIC', inputExamples, evalDefinitions, ...more }, owner);
}

const envOf = ({ apiKey, applicationId }: Tenant, url = server.url): Record<string, string> => ({
  TOUCHSTONE_URL: url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
});

const gate = (...args: string[]): Promise<Ended> => run(['test', ...args], { env: envOf(server) });

interface TestJson {
  status: string;
  failure: { code: string } | null;
}

async function testsOf(taskId: string): Promise<TestJson[]> {
  const { json } = await server.call('GET', `/v0/tests?taskId=${taskId}`);
  return (json as { data: TestJson[] }).data;
}

describe('the line', () => {
  it.each([
    [['--fail-under', '50'], 0, 'Passed: the pass rate 50 % (95 % interval 9.5 % to 90.5 %, 2 tests) is not below 50 %.'],
    [['--fail-under', '50.1'], 1, 'Failed: the pass rate 50 % (95 % interval 9.5 % to 90.5 %, 2 tests) is below 50.1 %.'],
    [['--fail-under', '9.5', '--strict'], 1, 'Failed: the lower bound of the pass rate, 9.5 %, is below 9.5 %.'],
    [['--fail-under=9', '--strict'], 0, 'Passed: the lower bound of the pass rate, 9.5 %, is not below 9 %.'],
    [[], 1, 'Failed: the pass rate 50 % (95 % interval 9.5 % to 90.5 %, 2 tests) is below 100 %.'],
  ])('%j gives %d', async (args, code, sentence) => {
    const taskId = await capitalsTask();
    const ended = await gate('--tasks', taskId, '--repeat', '2', ...args);
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(sentence);
    expect(ended).toMatchObject({ code, stderr: '' });
  });
});
