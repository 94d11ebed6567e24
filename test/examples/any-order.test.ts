/** The examples that change their application, in any order and each twice, in one application; the apps on Node 20. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findNode20 } from '../exporters/otel/support/nodes.ts';
import { mulberry32 } from '../support/random.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { demand } from '../../scripts/suite/needs.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, stopApps } from './example-app.ts';
import {
  EXAMPLES,
  evaluateScript,
  installExample,
  readReadme,
  runInShell,
  webhookCommands,
} from './example.ts';

const WEBHOOKS = ['webhook-express', 'webhook-fastify', 'webhook-otel'];
const SEED = Date.now() % 100_000;
/** As the READMEs have it. */
const APP = 'http://127.0.0.1:8080';
const INSTALL_MS = 900_000;
const MAX_RUNS_MS = 1_200_000;

let server: TestServer;
beforeAll(async () => {
  demand('curl');
  server = await startServer({ config: { quietMs: 100, orphanQuietMs: 400 } });
  for (const example of ['evaluate', ...WEBHOOKS]) await installExample(example);
}, INSTALL_MS);
afterAll(() => server.close());
afterEach(stopApps);

const environment = async (): Promise<Record<string, string>> => ({
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: server.apiKey,
  TOUCHSTONE_APPLICATION_ID: server.applicationId,
  PORT: String(await freePort()),
});

/** Runs an example by the commands of its README; they fail when one of them does. */
async function runExample(example: string): Promise<void> {
  const env = await environment();
  const folder = join(EXAMPLES, example);
  if (!WEBHOOKS.includes(example)) {
    const script = example === 'evaluate' ? evaluateScript() : readReadme(example).script;
    const printed = await runInShell(script, folder, env);
    expect(printed, example).toMatch(/: touchstone (?:trace|run) [\da-f-]{36}\n/);
    return;
  }
  const [configure = '', trigger = ''] = webhookCommands().map((block) =>
    block.replace(APP, `http://127.0.0.1:${env['PORT']}`),
  );
  const secretLine = '\necho "secret $TOUCHSTONE_WEBHOOK_SECRET"';
  const configured = await runInShell(configure + secretLine, folder, env);
  const secret = /^secret (whsec_\S+)$/m.exec(configured)?.[1];
  expect(secret, 'the secret of the webhook').toBeDefined();
  const node20 = `export PATH="${join(findNode20(), '..')}:$PATH"\n`;
  await startApp(node20 + readReadme(example).script, folder, {
    ...env,
    TOUCHSTONE_WEBHOOK_SECRET: String(secret),
  });
  const functions = configure.split('\n').filter((line) => /^(?:api\(\)|field\(\)| {2}-H)/.test(line));
  const watched = await runInShell([...functions, trigger].join('\n'), folder, env);
  await stopApps();
  expect(watched, example).toMatch(/"status":"COMPLETED"[^\n]*\n\nevent: end\n/);
}

async function titles(path: string): Promise<string[]> {
  const { json } = await server.call('GET', `${path}?limit=100`);
  const { data } = json as { data: { title?: string; name?: string }[] };
  return data.map(({ title, name }) => String(title ?? name)).sort();
}

it(
  `run in the order of seed ${SEED}, and a second time, and leave no duplicates`,
  async () => {
    const random = mulberry32(SEED);
    const examples = ['evaluate', 'rest-api', ...WEBHOOKS];
    const twice = [...examples, ...examples];
    const order = twice
      .map((example) => ({ example, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ example }) => example);
    for (const example of order) await runExample(example);

    expect(await titles('/v0/topics'), order.join()).toEqual(['Refunds']);
    expect(await titles('/v0/tags')).toEqual(['release']);
    expect(await titles('/v0/tasks')).toEqual([
      'Capital of Chile',
      'Capital of Peru',
      'Capitals',
      'Refund window',
    ]);
    expect(await titles('/v0/definitions')).toEqual([
      'Looks it up',
      'Names the window',
      'Polite',
      'Right capital',
    ]);
    expect(await titles('/v0/experiments')).toEqual(['A smaller model']);
    const documents = await titles('/v0/documents');
    expect(documents).toEqual([...new Set(documents)]);
  },
  MAX_RUNS_MS,
);
