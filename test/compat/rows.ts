/** Rows of the table in docs/compatibility.md, from the report of a run of the tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDED } from '../instrumentations/table.ts';
import { OF_INSTRUMENTATIONS } from '../instrumentations/apps.ts';
import { packagesOf } from '../instrumentations/recording.ts';
import { SENDERS as JAVASCRIPT } from '../support/conventions-texts.ts';
import type { Sender } from '../transport/senders.ts';
import { findPythons, PYTHON_VERSIONS } from '../support/python.ts';
import type { NotRun } from './build-senders.ts';

/** The parts of vitest's report in JSON that are used here. */
export interface Report {
  testResults: readonly { name: string; assertionResults: readonly Check[] }[];
}
interface Check {
  ancestorTitles: readonly string[];
  title: string;
  status: string;
}

/** A client, and the tests that it takes part in. */
export interface Client {
  client: string;
  versions: Readonly<Record<string, string>>;
  what: string;
  /** End of the path of its file of tests. */
  file: string;
  /** Reports whether a test is about the client. */
  isOf: (check: Check) => boolean;
}

export interface Row {
  client: string;
  versions: string;
  what: string;
  result: string;
  hasFailed: boolean;
}

const ROOT = join(import.meta.dirname, '../..');
const CALLS = 'every operation called, every response parsed without an unknown or missing field';
const SHOWN = 'its spans are shown as its application meant them (recorded requests)';
const SITUATIONS = [
  ['overload', '503 with `Retry-After`'],
  ['restart', 'restart'],
] as const;

const EXPORTER = 'exporters/otel/test';
const STORED = 'every span ended = sent = stored, in its test';

export const CLIENT_FILES = [
  'test/clients/generated-clients.test.ts',
  'test/e2e/instrumentations.test.ts',
  'test/e2e/python-instrumentations.test.ts',
  'test/transport/transport.test.ts',
  'test/exporters/otel/lines.test.ts',
  'test/exporters/otel/nodes.nightly.test.ts',
  'test/exporters/otel/bundles.test.ts',
  'test/exporters/otel/next.test.ts',
  'test/exporters/otel/worker.test.ts',
  'test/exporters/otel/browser.test.ts',
  'test/exporters/otel/vendors.nightly.test.ts',
  'test/exporters/otel/frameworks.test.ts',
  'test/python/frameworks.test.ts',
  'test/python/vendors.test.ts',
] as const;
const [
  GENERATED,
  INSTRUMENTATIONS,
  PYTHON_INSTRUMENTATIONS,
  TRANSPORTS,
  LINES,
  NODES,
  BUNDLES,
  NEXT,
  WORKERS,
  BROWSER,
  VENDORS,
  FRAMEWORKS,
  PYTHON_FRAMEWORKS,
  PYTHON_VENDORS,
] = CLIENT_FILES;

const inGroup =
  (group: string) =>
  ({ ancestorTitles }: Check): boolean =>
    ancestorTitles.includes(group);

/** Returns all clients; `senders` are those whose transport is tested. */
export function clientsOf(senders: readonly Sender[]): Client[] {
  return [
    ...generatedClients(),
    ...senders.map(transport),
    ...exporter(),
    ...pythonExporter(),
    ...javaScript(),
    ...python(),
  ];
}

function generatedClients(): Client[] {
  const typeScript = dependenciesOf('test/clients/package.json');
  const requirements = readFileSync(join(ROOT, 'exporters/python/tests/requirements.txt'), 'utf8');
  const name = 'openapi-python-client';
  const version = new RegExp(`^${name}==(.+)$`, 'm').exec(requirements)?.[1] ?? '';
  const common = { what: CALLS, file: GENERATED };
  return [
    {
      ...common,
      client: 'Generated client in TypeScript',
      versions: { '@hey-api/openapi-ts': String(typeScript['@hey-api/openapi-ts']) },
      isOf: inGroup('in TypeScript'),
    },
    {
      ...common,
      client: 'Generated client in Python',
      versions: { [name]: version },
      isOf: inGroup('in Python'),
    },
  ];
}

function transport({ name, packages, loses = {} }: Sender): Client {
  const run = SITUATIONS.filter(([situation]) => loses[situation] === undefined);
  const reasons = SITUATIONS.flatMap(([situation, words]) => {
    const reason = loses[situation];
    return reason === undefined ? [] : [`; not run: ${words}, because the exporter ${reason}`];
  });
  const situations = ['normal operation', ...run.map(([, words]) => words)].join(', ');
  return {
    client: name,
    versions: packages,
    what: `${situations}: every span stored once${reasons.join('')}`,
    file: TRANSPORTS,
    isOf: ({ title }) => title === `all spans of ${name} are stored, once`,
  };
}

/** Returns the worlds in which the exporter for JavaScript was run. */
function exporter(): Client[] {
  const row = (
    client: string,
    {
      packages,
      folder,
      ...rest
    }: Pick<Client, 'file' | 'isOf'> &
      Partial<Pick<Client, 'what'>> & {
        packages: readonly string[];
        folder: string;
      },
  ): Client => {
    const all = dependenciesOf(`${EXPORTER}/${folder}/package.json`);
    const versions = Object.fromEntries(packages.map((name) => [name, String(all[name])]));
    return { client: `touchstone-otel ${client}`, versions, what: STORED, ...rest };
  };
  const lines = Object.entries({
    'line-2-oldest': '@opentelemetry/sdk-trace-base',
    'line-2': '@opentelemetry/sdk-trace-base',
    'line-3': '@opentelemetry/sdk-trace',
  }).flatMap(([folder, sdk]) =>
    ['Node 20', "the project's Node"].flatMap((node) =>
      ['main.mjs', 'main.cjs'].map((file) =>
        row(
          `under ${node.replace("the project's Node", OWN_NODE)}, ${OPENTELEMETRY[folder]}, ${MODULES[file]}`,
          {
            folder,
            packages: ['@opentelemetry/api', sdk],
            file: LINES,
            isOf: ({ ancestorTitles }) =>
              ancestorTitles.some((title) => title.includes(`of ${folder} under ${node}`)) &&
              ancestorTitles.some((title) => title.endsWith(file)),
          },
        ),
      ),
    ),
  );
  const isRun = (client: Client): boolean =>
    !(client.versions['@opentelemetry/sdk-trace'] && client.client.includes('Node 20')) &&
    !(client.client.includes(OLDEST) && client.client.includes(OWN_NODE));
  const nodes = ['Node 20', 'Node 22', 'Node 24', OWN_NODE].flatMap((node) =>
    (['line-2', 'line-3'] as const).flatMap((folder) =>
      (node === 'Node 22' || node === 'Node 24' ? Object.keys(MODULES) : [MIXED]).map((file) =>
        row(`under ${node}, ${OPENTELEMETRY[folder]}, ${MODULES[file]}`, {
          folder,
          packages: [
            '@opentelemetry/api',
            folder === 'line-2' ? '@opentelemetry/sdk-trace-base' : '@opentelemetry/sdk-trace',
          ],
          file: NODES,
          isOf: ({ title }) => title === `under ${node} with ${folder} stores every span of ${file}`,
        }),
      ),
    ),
  );
  const bundlers = ['esbuild', 'webpack', 'rollup', 'rolldown', 'vite', 'bun'].flatMap((name) =>
    ['esm', 'cjs'].map((format) =>
      row(`in a bundle by ${name}, ${format === 'esm' ? 'ESM' : 'CommonJS'}`, {
        folder: 'bundlers',
        packages: [name],
        file: BUNDLES,
        isOf: ({ ancestorTitles, title }) =>
          ancestorTitles.includes(`a bundle by ${name}`) && title.startsWith(`as ${format} `),
      }),
    ),
  );
  return [
    ...[...lines, ...nodes].filter(isRun),
    ...bundlers,
    ...['Jest', 'Mocha'].map((runner) =>
      row(`in ${runner}, default settings`, {
        folder: 'bundlers',
        packages: [runner.toLowerCase()],
        file: BUNDLES,
        isOf: inGroup(`${runner} with its default settings`),
      }),
    ),
    row('in Next.js, node and edge runtime', {
      folder: 'next',
      packages: ['next'],
      file: NEXT,
      what: 'every webhook answered, its span stored in its test, none lost',
      isOf: ({ title }) => title.startsWith('webhooks in both runtimes'),
    }),
    row('in a page of Chromium', {
      folder: 'bundlers',
      packages: ['esbuild'],
      file: BROWSER,
      isOf: () => true,
    }),
    row('in Cloudflare Workers', { folder: 'edge', packages: ['workerd'], file: WORKERS, isOf: () => true }),
    ...Object.entries(FRAMEWORK_PACKAGES).map(([name, { packages, isOf }]) =>
      row(name, { folder: 'frameworks', packages, file: FRAMEWORKS, isOf }),
    ),
    ...Object.entries(VENDOR_PACKAGES).map(([vendor, name]) =>
      row(`beside ${vendor}`, {
        folder: 'vendors',
        packages: [name],
        file: VENDORS,
        isOf: ({ title }) => title.startsWith(`an app with ${vendor} `),
      }),
    ),
  ];
}

/** The Node of the project, which runs the tests. */
const OWN_NODE = `Node ${process.versions.node.split('.')[0]}`;
const MIXED = 'mixed.mjs';
const MODULES: Readonly<Record<string, string>> = {
  'main.mjs': 'ESM',
  'main.cjs': 'CommonJS',
  [MIXED]: 'both at once',
};
const OLDEST = 'the oldest OpenTelemetry 2';
const OPENTELEMETRY: Readonly<Record<string, string>> = {
  'line-2-oldest': OLDEST,
  'line-2': 'OpenTelemetry 2',
  'line-3': 'OpenTelemetry 3',
};

const FRAMEWORK_PACKAGES: Record<string, { packages: string[]; isOf: (check: Check) => boolean }> = {
  'in Bun, ESM and CommonJS': { packages: ['bun'], isOf: inGroup('Bun') },
  'in Deno, ESM and CommonJS': { packages: ['deno'], isOf: inGroup('Deno') },
  'in Vitest, default settings': { packages: ['vitest'], isOf: inGroup('Vitest with its default settings') },
  "in Node's test runner": {
    packages: ['@opentelemetry/api'],
    isOf: ({ title }) => title.startsWith('the test runner of Node'),
  },
  'in a cluster': { packages: ['@opentelemetry/api'], isOf: ({ title }) => title.startsWith('a cluster') },
  'in worker threads': {
    packages: ['@opentelemetry/api'],
    isOf: ({ title }) => title.startsWith('worker threads'),
  },
  'with Express': { packages: ['express'], isOf: inGroup('express') },
  'with Fastify': { packages: ['fastify'], isOf: inGroup('fastify') },
  'with Hono': { packages: ['hono', '@hono/node-server'], isOf: inGroup('hono') },
  'with Koa': { packages: ['koa'], isOf: inGroup('koa') },
  'in a function that is frozen between its calls': {
    packages: ['@opentelemetry/api'],
    isOf: ({ title }) => title.startsWith('a function that is frozen'),
  },
};

/** Servers and queues for Python, by the test of each. */
const PYTHON_FRAMEWORK_PACKAGES: Record<string, readonly string[]> = {
  'gunicorn with Flask': ['gunicorn', 'flask'],
  'gunicorn with Flask and --preload': ['gunicorn', 'flask'],
  'gunicorn with Django and threads': ['gunicorn', 'django'],
  'Flask alone': ['flask'],
  'uvicorn with workers': ['uvicorn', 'starlette'],
  'FastAPI in uvicorn': ['fastapi', 'uvicorn'],
  Celery: ['celery'],
  'pytest-xdist': ['pytest', 'pytest-xdist'],
};

const PYTHON_VENDOR_PACKAGES: Record<string, string> = {
  Langfuse: 'langfuse',
  Logfire: 'logfire',
  Traceloop: 'traceloop-sdk',
  Sentry: 'sentry-sdk',
  'opentelemetry-instrument': 'opentelemetry-distro',
};

/** Returns the worlds in which the exporter for Python was run. */
function pythonExporter(): Client[] {
  const row = (
    client: string,
    {
      requirements,
      packages,
      ...rest
    }: Pick<Client, 'file' | 'isOf'> & { requirements: string; packages: readonly string[] },
  ): Client => {
    const all = requirementsOf(`exporters/python/tests/${requirements}`);
    const versions = Object.fromEntries(packages.map((name) => [name, all.get(name) ?? '']));
    return { client: `touchstone-otel for Python ${client}`, versions, what: STORED, ...rest };
  };
  const common = { requirements: 'frameworks/requirements.txt', file: PYTHON_FRAMEWORKS };
  return [
    ...[...findPythons().keys()].map((version) =>
      row(`under Python ${version}, with forked and spawned children`, {
        ...common,
        requirements: 'frameworks/requirements-minimal.txt',
        packages: ['opentelemetry-sdk'],
        isOf: inGroup(`Python ${version}`),
      }),
    ),
    row('with the oldest OpenTelemetry, with forked and spawned children', {
      ...common,
      requirements: 'frameworks/requirements-oldest.txt',
      packages: ['opentelemetry-sdk'],
      isOf: inGroup('OpenTelemetry 1.27'),
    }),
    ...Object.entries(PYTHON_FRAMEWORK_PACKAGES).map(([name, packages]) =>
      row(`in ${name}`, {
        ...common,
        packages,
        isOf: ({ title }) => title.startsWith(`${name} stores every span`),
      }),
    ),
    row('in a function that is frozen between its calls', {
      ...common,
      packages: ['opentelemetry-sdk'],
      isOf: ({ title }) => title.startsWith('a function that is frozen'),
    }),
    ...Object.entries(PYTHON_VENDOR_PACKAGES).map(([name, distribution]) =>
      row(`beside ${name}`, {
        requirements: 'vendors/requirements.txt',
        packages: [distribution],
        file: PYTHON_VENDORS,
        isOf: ({ title }) => title === name,
      }),
    ),
  ];
}

/** Returns the Pythons in which the exporter was not run. */
export function missingPythons(): NotRun[] {
  const found = findPythons();
  return PYTHON_VERSIONS.filter((version) => !found.has(version)).map((version) => ({
    client: `touchstone-otel for Python under Python ${version}`,
    reason: `the machine has no Python ${version}`,
  }));
}

function requirementsOf(file: string): Map<string, string> {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const pairs = lines.map((line) => line.split('==')).filter(({ length }) => length === 2);
  return new Map(pairs.map(([name = '', version = '']) => [name.toLowerCase(), version]));
}

const VENDOR_PACKAGES = {
  langfuse: '@langfuse/otel',
  'sentry-10': '@sentry/node-v10',
  'sentry-11': '@sentry/node',
  traceloop: '@traceloop/node-server-sdk',
  logfire: '@pydantic/logfire-node',
  datadog: 'dd-trace',
};

function javaScript(): Client[] {
  return Object.entries(JAVASCRIPT).map(([app, { title, packages }]) => ({
    client: `${title} (JavaScript)`,
    versions: Object.fromEntries(packages.map((name) => [name, String(OF_INSTRUMENTATIONS.packages[name])])),
    what: SHOWN,
    file: INSTRUMENTATIONS,
    isOf: inGroup(app),
  }));
}

function python(): Client[] {
  return Object.entries(RECORDED).map(([app, { title, folder }]) => ({
    client: `${title} (${folder === undefined ? 'Python' : 'JavaScript'})`,
    versions: packagesOf(app, folder),
    what: SHOWN,
    file: PYTHON_INSTRUMENTATIONS,
    isOf: inGroup(app),
  }));
}

function dependenciesOf(file: string): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return dependencies;
}

export function rowOf({ client, versions, what, file, isOf }: Client, { testResults }: Report): Row {
  const checks = testResults
    .filter(({ name }) => name.endsWith(file))
    .flatMap(({ assertionResults }) => assertionResults.filter(isOf));
  const passed = checks.filter(({ status }) => status === 'passed').length;
  const hasFailed = passed < checks.length || checks.length === 0;
  return {
    client,
    versions: Object.entries(versions)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', '),
    what,
    result: hasFailed ? `✗ ${checks.length - passed} of ${checks.length} failed` : `✓ ${passed} of ${passed}`,
    hasFailed,
  };
}

export const rowOfNotRun = ({ client, reason }: NotRun): Row => ({
  client,
  versions: '',
  what: '**not run**',
  result: `✗ ${reason.replaceAll('|', '/')}`,
  hasFailed: false,
});
