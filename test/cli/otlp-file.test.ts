import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { encodeTracesJson } from '../../src/ingest/otlp/json-to-protobuf.ts';
import { LOGS_DATA, TRACES_DATA } from '../../src/traces/otlp-file/messages.ts';
import { toOtlpJson } from '../../src/traces/otlp-file/to-json.ts';
import { anySpan, requestOf, spanBytes } from '../support/any-spans.ts';
import { logsProtobuf } from '../support/otlp-logs.ts';
import { decodeProto } from '../support/otlp-proto.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { MS, otlpRequest, type SpanSpec, uuid } from '../support/spans.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await sharedServer();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-otlp-'));
  await send('/v1/traces', otlpRequest(SPANS));
  await send('/v1/traces', otlpRequest([{ trace: 1, id: 2, parent: 1, name: 'replaced' }]));
  await send('/v1/logs', logsProtobuf([{ trace: 1, span: 1, body: { text: 'hello' } }]));
  await server.call('POST', '/v0/ingest', { body: { events: EVENTS } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const TEST_ID = uuid(7);
const SPANS: SpanSpec[] = [
  {
    trace: 1,
    id: 1,
    name: 'chat',
    end: 9 * MS,
    attributes: {
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 12,
      big: 2n ** 62n,
      half: 0.5,
      bytes: Buffer.from([0, 255]),
      nested: { list: [1, 'two', null, true] },
      'session.id': 's-1',
    },
    status: 2,
    message: 'it failed',
  },
  { trace: 1, id: 2, parent: 1, name: 'first version' },
  { trace: 2, id: 1, resource: { 'service.name': 'other', 'service.test.id': TEST_ID }, scope: 'lib' },
  // Several pages.
  ...Array.from({ length: 3_000 }, (_, index) => ({
    trace: 3,
    id: index + 1,
    ...(index > 0 && { parent: 1 }),
    name: `step ${index}`,
    start: index * MS,
    attributes: { 'input.value': Buffer.from(crypto.getRandomValues(new Uint8Array(300))).toString('hex') },
  })),
];
const EVENTS = [
  { type: 'trace', timestamp: 1_767_225_600_000, traceId: uuid(8), testId: uuid(9), input: 'a', output: 'b' },
  {
    type: 'tool',
    timestamp: 1_767_225_600_001,
    traceId: uuid(8),
    id: 't',
    name: 'look',
    toolInput: { q: 1 },
  },
  { type: 'llm', event: 'start', timestamp: 1_767_225_600_002, traceId: uuid(8), modelId: 'm', input: 'x' },
  { type: 'llm', event: 'end', timestamp: 1_767_225_600_003, traceId: uuid(8), modelId: 'm', output: 'y' },
];

async function send(path: string, body: Buffer): Promise<void> {
  const headers = { ...server.headers, 'content-type': 'application/x-protobuf' };
  const { status } = await fetch(server.url + path, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

interface Ran {
  code: number;
  out: string;
  err: string;
}

async function cli({ apiKey, applicationId }: Tenant, ...args: string[]): Promise<Ran> {
  const ran = { code: -1, out: '', err: '' };
  ran.code = await runCommandLine(args, {
    env: { TOUCHSTONE_URL: server.url, TOUCHSTONE_API_KEY: apiKey, TOUCHSTONE_APPLICATION_ID: applicationId },
    out: (text) => (ran.out += text),
    // Without the lines of progress, which a slow machine prints.
    err: (text) => (ran.err += text.replaceAll(/^.* a second.*\n/gm, '')),
    isTerminal: false,
    program: 'touchstone',
  });
  return ran;
}

/** Everything that the API shows about the traces of an application, except times of arrival and owners. */
async function everything({ headers }: Tenant): Promise<unknown> {
  const get = async (path: string): Promise<string> => (await fetch(server.url + path, { headers })).text();
  const list = await get('/v0/traces?limit=100');
  const { data } = JSON.parse(list) as { data: { id: string }[] };
  const details = data.flatMap(({ id }) => [
    `/v0/traces/${id}`,
    `/v0/traces/${id}/spans?include=payload&limit=100`,
    `/v0/traces/${id}/spans?limit=1000&skip=2000`,
  ]);
  const texts = [list, ...(await Promise.all(details.map(get)))];
  const changing = new Set(['createdAt', 'modifiedAt', 'orgId', 'applicationId']);
  return texts.map(
    (text) =>
      JSON.parse(text, (key, value: unknown): unknown => {
        // Replaced versions are not exported.
        if (key === 'flags' && Array.isArray(value)) return value.filter((flag) => flag !== 'replaced');
        return changing.has(key) ? undefined : value;
      }) as unknown,
  );
}

describe('traces as OTLP, exported and imported into another application', () => {
  it.each([
    ['traces.otlp.jsonl', []],
    ['traces.otlp.jsonl.gz', []],
    ['zipped.jsonl', ['--format', 'otlp-jsonl', '--zstd']],
  ])('%s has all that was sent', async (name, flags) => {
    const path = join(folder, name);
    const exported = await cli(server, 'export', 'traces', '--out', path, '--json', ...flags);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(exported.out)).toMatchObject({ file: path, format: 'otlp-jsonl' });
    const other = await server.newTenant();
    for (let times = 0; times < 2; times += 1) {
      const imported = await cli(other, 'import', 'traces', path, '--json');
      expect(imported).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(imported.out)).toMatchObject({ spans: 3_006, logRecords: 1, rejected: 0 });
    }
    // On both sides, sums and texts follow log records and replaced spans a moment later.
    await until(async () => isDeepStrictEqual(await everything(other), await everything(server)));
  });

  it('protobuf has the very bytes, so that the application that has them stores nothing again', async () => {
    const path = join(folder, 'traces.otlp.binpb');
    expect((await cli(server, 'export', 'traces', '--output', path)).code).toBe(0);
    const before = await everything(server);
    expect((await cli(server, 'import', 'traces', path)).out).toContain('3 006 spans');
    expect(await everything(server)).toEqual(before);
    const health = await server.call('GET', `/v0/applications/${server.applicationId}/health`);
    expect(JSON.stringify(health.json)).not.toContain('"replaced":3');
  });

  it('lines are those of the Collector, without what the filters leave out', async () => {
    const path = join(folder, 'few.otlp.jsonl.gz');
    await cli(server, 'export', 'traces', '--output', path, '--limit', '1');
    const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\{"resourceSpans":\[\{"resource":\{\},"scopeSpans":\[\{"scope":\{"name":"touchstone.events"\}/,
    );
    expect(lines[0]).toMatch(/"startTimeUnixNano":"\d{19}"/);
  });

  it.each([
    ['broken.jsonl', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":5}]}]}]}\n', 'line 1: '],
    ['cut.binpb', Buffer.from([0, 0, 1, 0, 10]), 'ends within a message'],
    ['cut.gz', Buffer.from('1f8b0800', 'hex'), 'is damaged or incomplete'],
  ])('%s is no such file, and the message says why', async (name, content, reason) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const { code, err } = await cli(server, 'import', 'traces', path);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
  });
});

/** Reports whether protobufjs can read a message: it limits the depth further than OTLP. */
function isReadable(bytes: Buffer): boolean {
  try {
    return decodeProto('ExportTraceServiceRequest', bytes) !== null;
  } catch {
    return false;
  }
}

describe('OTLP/JSON of a message', () => {
  it('has the same content, for any span', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        const bytes = requestOf([spanBytes(span)]);
        fc.pre(isReadable(bytes));
        const again = encodeTracesJson(Buffer.from(toOtlpJson(bytes, TRACES_DATA)));
        expect(decodeProto('ExportTraceServiceRequest', again)).toEqual(
          decodeProto('ExportTraceServiceRequest', bytes),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('has log records too', () => {
    const json = toOtlpJson(logsProtobuf([{ body: 'x', event: 'e' }]), LOGS_DATA);
    expect(JSON.parse(json)).toMatchObject({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' }, eventName: 'e' }] }] }],
    });
  });
});
