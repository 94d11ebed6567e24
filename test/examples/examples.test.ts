import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { type StandInModel, startStandInModel } from '../support/stand-in-model.ts';
import { demand } from '../../scripts/suite/needs.ts';
import { EXAMPLES, installExample, readReadme, runInShell } from './example.ts';

const WITH_PACKAGES = ['ai-sdk', 'existing-otel', 'observe', 'openinference', 'quickstart', 'serverless'];
/** How many traces each leaves of its test. */
const TRACES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WITH_PACKAGES.map((example) => [example, 1])),
  curl: 2,
};
const INSTALL_MS = 900_000;

let server: TestServer;
let model: StandInModel;
beforeAll(async () => {
  demand('curl');
  [server, model] = await Promise.all([sharedServer(), startStandInModel()]);
  for (const example of WITH_PACKAGES) await installExample(example);
}, INSTALL_MS);
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await server.close();
});

it('has a row here for every folder, or a test of its own, and a link in the README', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const tested = [
    'collector',
    'dataset',
    'evaluate',
    'pytest',
    'python-langchain',
    'python-openai',
    'rest-api',
    'scorer',
    'webhook-express',
    'webhook-fastify',
    'webhook-otel',
    'webhook-python',
  ];
  expect(folders).toEqual([...Object.keys(TRACES), ...tested].sort());
  const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  expect([...readme.matchAll(/^\| \[(.*?)\]/gm)].map(([, name = '']) => name).sort()).toEqual(folders);
});

describe.each(Object.entries(TRACES))('%s', (example, traces) => {
  it('responds with what its README shows, run as the README says, and every span is linked', async () => {
    const { script, excerpt } = readReadme(example);
    expect(Object.keys((excerpt as { data: object }).data)).toEqual(
      expect.arrayContaining(['input', 'output']),
    );
    const tenant = await server.newTenant();
    const printed = await runInShell(script, join(EXAMPLES, example), {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'none',
    });
    const lines = printed.trimEnd().split('\n');
    const answer = JSON.parse(lines.findLast((line) => line.startsWith('{"data":')) ?? '') as Answer;
    expect(answer).toMatchObject(excerpt as object);

    const { id, testId } = answer.data;
    expect(lines.at(-1)).toMatch(new RegExp(`: touchstone trace ${testId}$`));
    expect(await read(tenant, `/v0/traces/by-test/${testId}`)).toEqual(answer);
    expect(await list(tenant, `/v0/traces?testId=${testId}`)).toHaveLength(traces);
    expect(await list(tenant, '/v0/traces')).toHaveLength(traces);
    const spans = await list(tenant, `/v0/traces/${id}/spans`);
    expect(spans.map((span) => span['testId'])).toEqual(spans.map(() => testId));
    expect(await list(tenant, '/v0/ingest/ledger/rejected')).toEqual([]);
  });
});

describe.each(WITH_PACKAGES)('%s', (example) => {
  it('says how it is installed, and which packages an app needs, in the versions it has itself', () => {
    const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, example, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const has = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
    const [install, add = ''] = readReadme(example).installCommands;
    expect(install).toBe('npm ci');
    expect(add).toMatch(/^npm install \$TOUCHSTONE_URL\/packages\/otel\.tgz(?: |$)/);
    expect(has).toEqual(expect.arrayContaining(add.split(' ').slice(3)));
  });
});

interface Answer {
  data: { id: string; testId: string };
}

async function read({ headers }: Tenant, path: string): Promise<unknown> {
  const { status, text, json } = await server.call('GET', path, { headers });
  expect(status, text).toBe(200);
  return json;
}

const list = async (tenant: Tenant, path: string): Promise<Record<string, unknown>[]> =>
  ((await read(tenant, path)) as { data: Record<string, unknown>[] }).data;
