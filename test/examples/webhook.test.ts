import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { installPackage, testPython } from '../support/python.ts';
import { demand } from '../../scripts/suite/needs.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, stopApps } from './example-app.ts';
import { EXAMPLES, installExample, readReadme, runInShell, shellBlocks, webhookCommands } from './example.ts';

const WITH_PACKAGES = ['webhook-express', 'webhook-fastify', 'webhook-otel'];
const INSTALL_MS = 900_000;
/** As the READMEs have it. */
const APP = 'http://127.0.0.1:8080';
/** Prints the secret in a line of its own. */
const SAY_SECRET = 'echo "secret $TOUCHSTONE_WEBHOOK_SECRET"';

let server: TestServer;
/** What a shell needs to find the packages of the Python example. */
let pythonEnvironment: { PATH: string; PYTHONPATH: string };
const pythonFolder = mkdtempSync(join(tmpdir(), 'touchstone-python-'));
beforeAll(async () => {
  demand('curl');
  const python = await testPython();
  const { installed } = await installPackage(python, pythonFolder);
  const path = [dirname(python), dirname(process.execPath), process.env['PATH']].join(':');
  pythonEnvironment = { PATH: path, PYTHONPATH: installed };
  server = await startServer({ config: { quietMs: 200 } });
  for (const example of WITH_PACKAGES) await installExample(example);
}, INSTALL_MS);
afterAll(async () => {
  await server.close();
  rmSync(pythonFolder, { recursive: true });
});

afterEach(stopApps);

describe.each([...WITH_PACKAGES, 'webhook-python'])('%s', (example) => {
  it('completes a test with the trace that its README shows, by the commands of the READMEs', async () => {
    const [configure = '', trigger = ''] = webhookCommands();
    const { script, excerpt } = readReadme(example);
    const tenant = await server.newTenant();
    const port = await freePort();
    const env = {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
      PORT: String(port),
    };
    expect(configure).toContain(APP);
    const setUp = configure.replace(APP, `http://127.0.0.1:${port}`);
    const printed = await runInShell(`${setUp}\n${SAY_SECRET}`, EXAMPLES, env);
    const secret = /^secret (whsec_\S+)$/m.exec(printed)?.[1] as string;

    await startApp(script, join(EXAMPLES, example), {
      ...pythonEnvironment,
      ...env,
      TOUCHSTONE_WEBHOOK_SECRET: secret,
    });
    const functions = setUp.split('\n').slice(0, -1).join('\n');
    const watched = await runInShell(`${functions}\n${trigger}`, EXAMPLES, env);

    const test = lastTestOf(watched);
    expect(test).toMatchObject({
      status: 'COMPLETED',
      failure: null,
      input: 'What is the capital of France?',
      output: 'Paris',
    });
    const lines = watched.trimEnd().split('\n');
    expect(lines.pop()).toBe(`Draw what the app did: touchstone trace ${test.id}`);
    const listed = JSON.parse(lines.at(-1) ?? '') as { data: ListedTrace[] };
    const [ofApp, ...others] = listed.data.filter(({ output }) => output !== null);
    expect(others).toEqual([]);
    expect(ofApp?.testId).toBe(test.id);
    const trace = await server.call('GET', `/v0/traces/${ofApp?.id}`, { headers: tenant.headers });
    expect(trace.json).toMatchObject(excerpt as object);
    const { json } = await server.call('GET', '/v0/tests', { headers: tenant.headers });
    expect(json).toMatchObject({ data: [{ id: test.id }] });
  });

  it('rejects what the server did not sign, and runs nothing', async () => {
    const tenant = await server.newTenant();
    const port = await freePort();
    await startApp(readReadme(example).script, join(EXAMPLES, example), {
      ...pythonEnvironment,
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
      TOUCHSTONE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
      PORT: String(port),
    });
    const response = await fetch(`http://127.0.0.1:${port}/touchstone`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-signature': 'a'.repeat(64),
        'x-service-timestamp': String(Date.now()),
      },
      body: '{ "prompt": "What is the capital of France?", "testId": "7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60" }',
    });
    expect(response.status).toBe(401);
    const { json } = await server.call('GET', '/v0/traces', { headers: tenant.headers });
    expect(json).toMatchObject({ data: [] });
  });
});

describe.each(['webhook-express', 'webhook-fastify'])('%s', (example) => {
  it('says how it is installed, and which packages an app needs, in the versions it has itself', () => {
    const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, example, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const has = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
    const [install, add = ''] = readReadme(example).installCommands;
    expect(install).toBe('npm ci');
    expect(add).toMatch(/^npm install \$TOUCHSTONE_URL\/packages\/otel\.tgz /);
    expect(has).toEqual(expect.arrayContaining(add.split(' ').slice(3)));
  });
});

describe('the guide', () => {
  const guide = readFileSync(join(EXAMPLES, '../docs/guide.md'), 'utf8');
  const from = guide.indexOf('\n## Tests by webhook\n');
  const chapter = guide.slice(from, guide.indexOf('\n## ', from + 1));

  it('leads from the configuration to a new secret: its commands, as written there', async () => {
    const app = await startCustomerApp();
    const tenant = await server.newTenant();
    app.behave(async ({ body }, response) => {
      const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
      const at = new Date().toISOString();
      const event = { type: 'trace', timestamp: at, testId, input: prompt, output: 'Paris' };
      await server.call('POST', '/v0/ingest', { headers: tenant.headers, body: { events: [event] } });
      response.writeHead(200).end();
    });
    const commands = [guide.slice(0, from), chapter].flatMap((text, i) =>
      shellBlocks(text).slice(0, i === 0 ? 1 : undefined),
    );
    const script = commands.join('\necho\n').replaceAll(`${APP}/touchstone`, app.url);
    const printed = await runInShell(`${script}\necho "secret $SECRET"`, EXAMPLES, {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
    });
    await app.close();

    expect(app.received).toHaveLength(4); // two samples, one of them a replay, and two tests
    for (const answer of ['{"success":true,"statusCode":200}', '\nevent: end\n', '{"valid":true}'])
      expect(printed).toContain(answer);
    expect(lastTestOf(printed)).toMatchObject({ status: 'COMPLETED', input: 'Of France?', output: 'Paris' });
    expect(printed).toMatch(/\nsecret whsec_\S+\n$/);
    const messages = [...printed.matchAll(/\{"message":"[^"]*"/g)].map(([message]) => message);
    expect(messages, 'only the test that is over can’t be cancelled').toEqual([
      '{"message":"The test is already COMPLETED"',
    ]);
  });
});

it('the example with OpenTelemetry alone has no package of ours', () => {
  expect(readFileSync(join(EXAMPLES, 'webhook-otel/package-lock.json'), 'utf8')).not.toContain(
    'touchstone-otel',
  );
  expect(readReadme('webhook-otel').installCommands).toEqual(['npm ci']);
});

interface TestJson {
  id: string;
  status: string;
}

interface ListedTrace {
  id: string;
  testId: string;
  output: string | null;
}

/** The last state of a test in its stream. */
function lastTestOf(stream: string): TestJson {
  const states = [...stream.matchAll(/^event: test\ndata: (.*)$/gm)].map(([, data = '']) => data);
  expect(stream).toContain('\nevent: end\n');
  return JSON.parse(states.at(-1) ?? '') as TestJson;
}
