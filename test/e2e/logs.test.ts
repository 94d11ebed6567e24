import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import type { Database } from '../../src/storage/database.ts';
import { logsOfTrace } from '../../src/traces/span-logs.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type Asked, memoryInUse, readLedger, readMetric } from '../support/ledger.ts';
import { type LogSpec, logsJson, logsProtobuf } from '../support/otlp-logs.ts';
import { decodeProto } from '../support/otlp-proto.ts';
import { wireLogsRequest } from '../support/otlp-wire.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type RawAnswer, sendRaw } from '../support/sockets.ts';
import { otlpRequest } from '../support/spans.ts';
import { newSpanId, newTraceId, readOtlp } from './otlp-sender.ts';

const PROTO_TYPE = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

interface Encoding {
  name: string;
  type: string;
  encode: (specs: readonly LogSpec[]) => Buffer;
  /** Of a 200. */
  partialSuccess: (answer: Buffer) => { rejectedLogRecords: string; errorMessage: string } | null;
}

const protobuf: Encoding = {
  name: 'protobuf',
  type: PROTO_TYPE,
  encode: logsProtobuf,
  partialSuccess: (answer) =>
    decodeProto('ExportLogsServiceResponse', answer)['partialSuccess'] as ReturnType<
      Encoding['partialSuccess']
    >,
};
const json: Encoding = {
  name: 'JSON',
  type: JSON_TYPE,
  encode: logsJson,
  partialSuccess: (answer) =>
    (JSON.parse(answer.toString()) as { partialSuccess?: ReturnType<Encoding['partialSuccess']> })
      .partialSuccess ?? null,
};
const ENCODINGS = [protobuf, json];

/** What is asked of a server, in this process or in one of its own. */
type Target = Pick<TestServer, 'url' | 'headers'>;

const post = (path: string, type: string, body: Buffer, more = {}, to: Target = server): Promise<RawAnswer> =>
  sendRaw(to.url, { path, headers: { ...to.headers, 'content-type': type, ...more }, body });

async function sendLogs(specs: readonly LogSpec[], { type, encode, partialSuccess } = protobuf, to?: Target) {
  const { status, headers, body } = await post('/v1/logs', type, encode(specs), {}, to);
  expect([status, headers['content-type']], body.toString()).toEqual([200, type]);
  return partialSuccess(body);
}

async function sendSpan(trace: string, id: string): Promise<void> {
  const { status, body } = await post('/v1/traces', PROTO_TYPE, otlpRequest([{ trace, id }]));
  expect(status, body.toString()).toBe(200);
}

/** Span → the bodies of the records the store has for it. */
function storedLogs(
  trace: string,
  { folder, applicationId }: Pick<TestServer, 'folder' | 'applicationId'> = server,
): Record<string, unknown[]> {
  const read = (database: Database) => {
    const row = database.get<{ key: number }>(
      'SELECT application AS key FROM application WHERE id = ?',
      applicationId,
    ) as { key: number };
    return logsOfTrace(database, row.key, Buffer.from(trace, 'hex'));
  };
  const found = withStore(folder, read);
  return Object.fromEntries([...found].map(([span, logs]) => [span, logs.map(({ body }) => body)]));
}

const outcomes = async (on: Asked = server): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      ['stored', 'duplicate', 'rejected'].map(async (outcome) => [
        outcome,
        await readMetric(on, `touchstone_ingest_log_records_total{outcome="${outcome}"}`),
      ]),
    ),
  ) as Record<string, number>;

describe.each(ENCODINGS)('log records sent as $name', (encoding) => {
  it('are stored before their span and after it', async () => {
    const [trace, span] = [newTraceId(), newSpanId()];
    expect(await sendLogs([{ trace, span, time: 1, body: { role: 'user' } }], encoding)).toBeNull();
    expect(storedLogs(trace)).toEqual({ [span]: [{ role: 'user' }] });
    await sendSpan(trace, span);
    expect(await sendLogs([{ trace, span, time: 2, body: 'Paris' }], encoding)).toBeNull();
    expect(storedLogs(trace)).toEqual({ [span]: [{ role: 'user' }, 'Paris'] });
    expect((await server.call('GET', `/v0/traces/${trace}`)).status).toBe(200);
  });

  it('change nothing when they arrive again', async () => {
    const specs: LogSpec[] = [{ trace: newTraceId(), span: newSpanId() }];
    const before = await outcomes();
    for (let i = 0; i < 3; i++) expect(await sendLogs(specs, encoding)).toBeNull();
    expect(Object.values(storedLogs(specs[0]?.trace as string))).toEqual([['hello']]);
    const after = await outcomes();
    expect((after['stored'] as number) - (before['stored'] as number)).toBe(1);
    expect((after['duplicate'] as number) - (before['duplicate'] as number)).toBe(2);
  });

  it('are rejected alone, in words, when they are too large or their trace is deleted', async () => {
    const [trace, deleted, span] = [newTraceId(), newTraceId(), newSpanId()];
    await sendSpan(deleted, span);
    expect(await sendLogs([{ trace: deleted, span }], encoding)).toBeNull();
    expect((await server.call('DELETE', `/v0/traces/${deleted}`)).status).toBe(204);
    const partial = await sendLogs(
      [
        { trace, span, body: 'good' },
        { trace, span, body: 'x'.repeat(1024 * 1024) },
        { trace: deleted, span, body: 'late' },
      ],
      encoding,
    );
    expect(Number(partial?.rejectedLogRecords)).toBe(2);
    expect(partial?.errorMessage).toMatch(
      /^1 log record: more than 1048576 bytes.*; 1 log record: .*deleted/,
    );
    expect(storedLogs(trace)).toEqual({ [span]: ['good'] });
    expect(storedLogs(deleted)).toEqual({});
    const { json: answer } = await server.call('GET', '/v0/ingest/ledger/rejected?limit=2');
    expect((answer as { data: unknown[] }).data).toMatchObject([
      { source: 'logs', reason: 'deleted', spans: 1, traceId: deleted },
      { source: 'logs', reason: 'log_record_too_large', spans: 1, traceId: trace, spanId: span },
    ]);
  });

  it('are stored whatever their name, and shown with their span', async () => {
    const [trace, span] = [newTraceId(), newSpanId()];
    const specs: LogSpec[] = [{ trace, span, event: 'app.started', body: 'ready' }];
    expect(await sendLogs(specs, encoding)).toBeNull();
    await sendSpan(trace, span);
    const { data } = await server.ok('GET', `/v0/traces/${trace}/spans?include=payload`);
    expect(data[0]?.logs).toMatchObject([{ name: 'app.started', body: 'ready' }]);
  });

  it('are dropped, and counted, when they belong to no span', async () => {
    const dropped = 'touchstone_dropped_items_total{signal="logs"}';
    const before = await readMetric(server, dropped);
    const trace = newTraceId();
    const specs: LogSpec[] = [{ trace: null }, { trace, span: null }];
    expect(await sendLogs(specs, encoding)).toBeNull();
    expect(storedLogs(trace)).toEqual({});
    expect((await readMetric(server, dropped)) - before).toBe(2);
  });
});

it('takes compressed log records', async () => {
  const [trace, span] = [newTraceId(), newSpanId()];
  const body = gzipSync(logsProtobuf([{ trace, span }]));
  expect((await post('/v1/logs', PROTO_TYPE, body, { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(storedLogs(trace)).toEqual({ [span]: ['hello'] });
});

it('keeps the log records of applications apart', async () => {
  const other = await server.newTenant();
  const [trace, span] = [newTraceId(), newSpanId()];
  await sendLogs([{ trace, span, body: 'mine' }]);
  await post('/v1/logs', PROTO_TYPE, logsProtobuf([{ trace, span, body: 'theirs' }]), other.headers);
  expect(storedLogs(trace)).toEqual({ [span]: ['mine'] });
  expect(storedLogs(trace, { ...server, ...other })).toEqual({ [span]: ['theirs'] });
});

it.each<[what: string, type: string, body: Buffer, says: RegExp]>([
  ['spans as JSON', JSON_TYPE, Buffer.from('{"resourceSpans":[]}'), /send it to \/v1\/traces/],
  ['spans as protobuf', PROTO_TYPE, otlpRequest([{ id: 1 }]), /not a valid OTLP message/],
  ['a record cut short', PROTO_TYPE, logsProtobuf([{}]).subarray(0, -1), /truncated/],
  [
    'an id that is no text',
    JSON_TYPE,
    Buffer.from(
      logsJson([{}])
        .toString()
        .replace(/"0{31}1"/, '5'),
    ),
    /traceId/,
  ],
])('responds with 400 to %s, and keeps nothing', async (_, type, body, says) => {
  const before = await outcomes();
  const answer = await post('/v1/logs', type, body);
  expect(answer.status).toBe(400);
  expect(readOtlp(answer).message).toMatch(says);
  expect(await outcomes()).toEqual(before);
});

it('responds with 200 or 400 to whatever bytes, and continues', async () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 });
  const mutate = (body: Buffer, changes: readonly (readonly [number, number])[]): Buffer => {
    const copy = Buffer.from(body);
    for (const [at, value] of changes) if (copy.length > 0) copy[at % copy.length] = value;
    return copy;
  };
  const spec = fc.record<LogSpec>({ body: fc.string(), event: fc.constantFrom('gen_ai.choice', 'x') });
  const bodies = fc.oneof(
    fc.tuple(
      fc.constant(PROTO_TYPE),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    ),
    fc.tuple(
      fc.constant(PROTO_TYPE),
      fc.tuple(wireLogsRequest, edits).map(([body, e]) => mutate(body, e)),
    ),
    fc.tuple(
      fc.constant(JSON_TYPE),
      fc.tuple(fc.array(spec), edits).map(([s, e]) => mutate(logsJson(s), e)),
    ),
    fc.tuple(
      fc.constant(JSON_TYPE),
      fc.json().map((text) => Buffer.from(text)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async ([type, body]) => {
      const { status } = await post('/v1/logs', type, body);
      expect([200, 400]).toContain(status);
    }),
    { numRuns: 200 },
  );
  const [trace, span] = [newTraceId(), newSpanId()];
  await sendLogs([{ trace, span }]);
  expect(storedLogs(trace)).toEqual({ [span]: ['hello'] });
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await expect.poll(() => memoryInUse(server)).toBe(0);
});

it('keeps its books: what was counted is what the ledger says', async () => {
  const { notices } = await readLedger(server);
  const counted = await outcomes();
  // One was stored for another application, which has a ledger of its own.
  expect(notices['log_records']).toBe((counted['stored'] as number) - 1);
  expect(notices['log_record_duplicates']).toBe(counted['duplicate']);
  const rejected = Object.entries(notices).filter(([name]) => name.startsWith('rejected_log_records_'));
  expect(rejected.reduce((sum, [, count]) => sum + count, 0)).toBe(counted['rejected']);
  expect(counted['rejected']).toBeGreaterThan(0);
});

describe('over restarts', () => {
  const presets = newPresets();
  let dataDir: string;
  let running: ChildServer;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  });
  afterAll(async () => {
    await running.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start = async (): Promise<ChildServer> => (running = await ChildServer.start({ dataDir, presets }));
  const stored = (trace: string) =>
    storedLogs(trace, { folder: dataDir, applicationId: presets.applicationId });

  it('a log record that was acknowledged outlives the death of the server', async () => {
    const spec = { trace: newTraceId(), span: newSpanId() };
    const child = await start();
    await sendLogs([spec], protobuf, child);
    await child.stop('SIGKILL');
    const again = await start();
    expect(stored(spec.trace)).toEqual({ [spec.span]: ['hello'] });
    await sendLogs([spec], protobuf, again);
    expect(await outcomes(again)).toEqual({ stored: 0, duplicate: 1, rejected: 0 });
    await again.stop('SIGTERM');
  });

  it('one whose trace did not arrive within a day is gone', async () => {
    const [old, fresh] = [newTraceId(), newTraceId()];
    const child = await start();
    for (const trace of [old, fresh]) await sendLogs([{ trace, span: 'ab'.repeat(8) }], protobuf, child);
    await child.stop('SIGTERM');
    withStore(dataDir, (database) =>
      database.run(
        'UPDATE span_log SET received_at = received_at - 86400001 WHERE trace_id = ?',
        Buffer.from(old, 'hex'),
      ),
    );
    const again = await start();
    await expect.poll(() => stored(old)).toEqual({});
    expect(stored(fresh)).toEqual({ ['ab'.repeat(8)]: ['hello'] });
    await expect.poll(() => readMetric(again, 'touchstone_expired_log_records_total')).toBe(1);
  });
});
