import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { openForReading } from '../../src/storage/sqlite/open.ts';
import { logsProtobuf } from '../support/otlp-logs.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { MS, otlpRequest, type SpanSpec, uuid } from '../support/spans.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let store: SqliteDatabase;
beforeAll(async () => {
  server = await startServer();
  store = new SqliteDatabase(openForReading(join(server.folder, 'touchstone.db')));
});
afterAll(async () => {
  store.close();
  await server.close();
});

const AT = 1_767_225_600_000;

async function spans(...specs: SpanSpec[]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf' };
  expect((await server.call('POST', '/v1/traces', { headers, body: otlpRequest(specs) })).status).toBe(200);
}

async function events(...list: Record<string, unknown>[]): Promise<void> {
  const { status, text } = await server.call('POST', '/v0/ingest', {
    body: { events: list.map((event, index) => ({ timestamp: AT + index, ...event })) },
  });
  expect(status, text).toBe(200);
  expect(text).not.toContain('"success":false');
}

async function logs(trace: number): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf' };
  const body = logsProtobuf([{ trace, span: 1, body: { content: 'hello' } }]);
  expect((await server.call('POST', '/v1/logs', { headers, body })).status).toBe(200);
}

async function cli(args: readonly string[], { apiKey, applicationId }: Tenant = server): Promise<string> {
  let text = '';
  const write = (more: string): boolean => Boolean((text += more));
  const env = {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: apiKey,
    TOUCHSTONE_APPLICATION_ID: applicationId,
  };
  const code = await runCommandLine(args, {
    env,
    out: write,
    err: write,
    isTerminal: false,
    program: 'touchstone',
  });
  return `${code} ${text}`;
}

/** Waits for maintenance, which leaves a trace alone until it is idle. */
async function endMaintenance(): Promise<void> {
  withStore(server.folder, (database) => {
    for (const table of ['rewrite', 'refresh']) database.run(`UPDATE ${table} SET due_at = 0`);
  });
  await until(() => ['rewrite', 'refresh', 'purge'].every((table) => !store.get(`SELECT 1 FROM ${table}`)));
}
const big = (trace: number, id: number): SpanSpec => ({
  trace,
  id,
  attributes: { 'input.value': Buffer.from(crypto.getRandomValues(new Uint8Array(300))).toString('hex') },
});
const llm = (traceId: string, event: 'start' | 'end', more: Record<string, unknown> = {}) => ({
  type: 'llm',
  event,
  traceId,
  modelId: 'gpt-4o',
  ...(event === 'start' ? { input: 'question' } : { output: 'answer' }),
  ...more,
});
const trace = (traceId: string, more: Record<string, unknown> = {}) => ({
  type: 'trace',
  traceId,
  input: '2+2?',
  output: '4',
  ...more,
});

const KINDS: readonly (readonly [kind: string, store: () => Promise<unknown>])[] = [
  [
    'the trace of the README, which is only an event',
    () => events({ ...trace(uuid(1)), traceId: undefined, testId: uuid(900) }),
  ],
  ['OTLP spans', () => spans({ trace: 1, id: 1 }, { trace: 1, id: 2, parent: 1, status: 2 })],
  [
    'spans that arrive one by one',
    async () => {
      for (let id = 1; id <= 70; id++) await spans({ trace: 2, id });
    },
  ],
  [
    'a replaced span',
    async () => {
      await spans({ trace: 3, id: 1, status: 2 }, { trace: 3, id: 2 });
      await spans({ trace: 3, id: 1, name: 'again' });
    },
  ],
  [
    'a span that is sent again with a new one',
    async () => {
      await spans({ trace: 4, id: 1 });
      await spans({ trace: 4, id: 1 }, { trace: 4, id: 2 });
    },
  ],
  [
    'an event of a trace with steps',
    () => events(trace(uuid(2)), { type: 'tool', traceId: uuid(2), id: 't', toolInput: '1' }),
  ],
  [
    'an event of a trace, sent again with changes',
    async () => {
      await events({ ...trace(uuid(3)), id: 'e' });
      await events({ ...trace(uuid(3)), id: 'e', output: '5' });
    },
  ],
  ['an open start', () => events(llm(uuid(4), 'start'))],
  ['a pair in one call', () => events(llm(uuid(5), 'start', { id: 'a' }), llm(uuid(5), 'end', { id: 'a' }))],
  [
    'a pair in two calls',
    async () => {
      await events(llm(uuid(6), 'start', { id: 'a' }));
      await events(llm(uuid(6), 'end', { id: 'a' }));
    },
  ],
  [
    'a pair that is matched by its model',
    async () => {
      await events(llm(uuid(7), 'start'));
      await events(llm(uuid(7), 'end', { timestamp: AT + 5 }));
    },
  ],
  ['an end without a start', () => events(llm(uuid(8), 'end'))],
  [
    'a start that arrives after its end',
    async () => {
      await events(llm(uuid(9), 'end', { id: 'a', timestamp: AT + 5 }));
      await events(llm(uuid(9), 'start', { id: 'a' }));
    },
  ],
  [
    'a trace of spans and events',
    async () => {
      const id = uuid(10).replaceAll('-', '');
      await spans({ trace: id, id: 1 });
      await events(trace(uuid(10)), llm(uuid(10), 'start'));
    },
  ],
  [
    'log records after their span',
    async () => {
      await spans({ trace: 11, id: 1 });
      await logs(11);
    },
  ],
  [
    'log records before their span',
    async () => {
      await logs(12);
      await spans({ trace: 12, id: 1 });
    },
  ],
  ['a trace of many blocks', () => spans(...Array.from({ length: 3_000 }, (_, id) => big(13, id + 1)))],
  [
    'a span of 500 KB',
    () => spans({ trace: 14, id: 1, end: MS, attributes: { 'input.value': 'long '.repeat(100_000) } }),
  ],
  [
    'masked spans and events',
    async () => {
      const rules = {
        detectors: ['email'],
        patterns: [],
        removeAttributes: ['secret*'],
        keepAttributes: null,
        exemptAttributes: [],
      };
      const { status, text } = await server.call('PUT', '/v0/masking', { body: rules });
      expect(status, text).toBe(200);
      await spans({ trace: 15, id: 1, attributes: { 'input.value': 'to ann@example.com', secret: 'x' } });
      await events(trace(uuid(15), { input: 'from ann@example.com' }));
      await server.call('PUT', '/v0/masking', { body: { ...rules, detectors: [] } });
    },
  ],
  [
    'imported traces',
    async () => {
      const file = join(server.folder, 'out.otlp.jsonl');
      expect(await cli(['export', 'traces', '--out', file])).toMatch(/^0 /);
      expect(await cli(['import', 'traces', file], await server.newTenant())).toMatch(/^0 /);
    },
  ],
  [
    'traces that remap has rewritten',
    async () => {
      await endMaintenance();
      withStore(server.folder, (database) => database.run('UPDATE trace SET rule_set = 0'));
      expect(await cli(['remap', '--data-dir', server.folder])).toMatch(/^0 [\s\S]*traces mapped again/);
    },
  ],
  [
    'a deleted trace',
    async () => {
      const { status } = await server.call('DELETE', `/v0/traces/${uuid(2)}`);
      expect(status).toBeLessThan(300);
    },
  ],
  [
    'example data',
    async () => {
      const { applicationId, headers } = await server.newTenant();
      const path = `/v0/applications/${applicationId}/example-data`;
      const { status, text } = await server.call('POST', path, { headers });
      expect(status, text).toBeLessThan(300);
      await until(async () => (await server.call('GET', path, { headers })).text.includes('"READY"'));
    },
  ],
];

/** Each kind stays in the store for those below; the largest is last. */
it.each(KINDS)('verify --deep finds no fault in %s', async (_kind, keep) => {
  await keep();
  const verified = await cli(['verify', '--deep', '--data-dir', server.folder]);
  expect(verified).toMatch(/^0 [\s\S]*no fault found\.\n$/);
});

it('verify --deep finds no fault after all maintenance is done', async () => {
  await endMaintenance();
  expect(await cli(['verify', '--deep', '--data-dir', server.folder])).toMatch(
    /^0 [\s\S]*no fault found\.\n$/,
  );
});
