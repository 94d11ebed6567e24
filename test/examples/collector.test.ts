import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sharedServer, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';
import { EXAMPLES } from './example.ts';

interface CollectorConfig {
  extensions: Record<string, object>;
  receivers: Record<string, object>;
  exporters: Record<string, Exporter>;
  service: { extensions: string[]; pipelines: Record<string, Pipeline> };
}

interface Exporter {
  endpoint: string;
  headers: Record<string, string>;
  encoding: string;
  compression: string;
  retry_on_failure: { enabled: boolean; max_elapsed_time: string };
  sending_queue: { enabled: boolean; storage: string };
}

interface Pipeline {
  receivers: string[];
  exporters: string[];
}

const FOLDER = join(EXAMPLES, 'collector');

/** As the Collector reads it: `${env:NAME}` and `${env:NAME:-default}` are replaced. */
function readConfig(env: Readonly<Record<string, string>>): CollectorConfig {
  const text = readFileSync(join(FOLDER, 'collector.yaml'), 'utf8');
  const filled = text.replaceAll(/\$\{env:(\w+)(?::-(.*?))?\}/g, (_, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new Error(`The README sets no ${name}`);
    return value;
  });
  return parse(filled) as CollectorConfig;
}

let server: TestServer;
let config: CollectorConfig;
beforeAll(async () => {
  server = await sharedServer();
  config = readConfig({
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
    COLLECTOR_STORAGE: '/tmp/storage',
  });
});
afterAll(() => server.close());

it('uses every component it declares, and declares every one it uses', () => {
  const { extensions, receivers, exporters, service } = config;
  expect(Object.keys(service.pipelines)).toEqual(['traces']);
  expect(service.extensions).toEqual(Object.keys(extensions));
  expect(service.pipelines['traces']).toEqual({
    receivers: Object.keys(receivers),
    exporters: Object.keys(exporters),
  });
});

it('keeps what waits on disk and never stops retrying', () => {
  const [exporter] = Object.values(config.exporters);
  expect(exporter?.sending_queue).toMatchObject({ enabled: true, storage: config.service.extensions[0] });
  expect(exporter?.retry_on_failure).toMatchObject({ enabled: true, max_elapsed_time: '0s' });
});

it('is run by a command that names the file, after every variable is set that has no default', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  expect(readme).toContain('\nexport COLLECTOR_STORAGE=');
  expect(readme).toContain('\notelcol-contrib --config collector.yaml\n');
});

it('sends what the server takes: a request as the exporter makes it is stored and linked', async () => {
  const [[name, exporter] = ['', undefined]] = Object.entries(config.exporters);
  expect(name.split('/')[0]).toBe('otlp_http');
  expect(exporter).toMatchObject({ encoding: 'proto', compression: 'gzip' });
  const { endpoint, headers, compression } = exporter as Exporter;

  const testId = randomUUID();
  const trace = testId.replaceAll('-', '');
  const attributes = { 'service.test.id': testId, 'input.value': '2 + 2?', 'output.value': '4' };
  const response = await fetch(`${endpoint}/v1/traces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-protobuf', 'content-encoding': compression },
    body: gzipSync(otlpRequest([{ trace, id: 1, attributes }])),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);

  const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`);
  expect(json).toMatchObject({ data: { otelTraceId: trace, testId, input: '2 + 2?', output: '4' } });
});
