import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTraceId, newSpanId } from '../e2e/otlp-sender.ts';
import {
  exportPath,
  framed,
  framedGzip,
  GrpcConnection,
  type GrpcCall,
  type GrpcReply,
} from '../support/grpc.ts';
import { memoryInUse, readLedger, readMetric } from '../support/ledger.ts';
import { decodeProto, encodeProto } from '../support/otlp-proto.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { RawConnection } from '../support/sockets.ts';
import { otlpRequest } from '../support/spans.ts';

const MIB = 1024 * 1024;
const LIMIT = 2 * MIB;
const OK = 0;
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

let server: TestServer;
let connection: GrpcConnection;
beforeAll(async () => {
  server = await startServer({
    config: { grpcPort: 0, maxBodyBytes: LIMIT, memoryBudgetBytes: 8 * MIB },
    timeouts: { bodyIdleMs: 400, headersMs: 2_000, lingerMs: 200, checkMs: 50 },
  });
  connection = await GrpcConnection.open(server.grpcPort as number);
});
afterAll(async () => {
  connection.destroy();
  await server.close();
});

const call = (given: GrpcCall): Promise<GrpcReply> =>
  connection.call({ ...given, headers: { ...server.headers, ...given.headers } });

const span = (name = 'work') => ({ trace: newTraceId(), id: newSpanId(), name });
const traces = (...spans: ReturnType<typeof span>[]): Buffer =>
  otlpRequest(spans.length > 0 ? spans : [span()]);

const nameOf = async (trace: string): Promise<unknown> => {
  const { json } = await server.call('GET', `/v0/traces/${trace}`);
  return (json as { data?: { rootName?: string } }).data?.rootName;
};

describe('a call', () => {
  it.each<[how: string, given: (message: Buffer) => GrpcCall]>([
    ['uncompressed', (message) => ({ bytes: framed(message) })],
    ['gzip', (message) => ({ bytes: framedGzip(message), headers: { 'grpc-encoding': 'gzip' } })],
    [
      'zstd',
      (message) => ({
        bytes: framed(zstdCompressSync(message), { flag: 1 }),
        headers: { 'grpc-encoding': 'zstd' },
      }),
    ],
    [
      'without the flag, although the header names an encoding',
      (message) => ({ bytes: framed(message), headers: { 'grpc-encoding': 'gzip' } }),
    ],
    [
      'with content type application/grpc+proto',
      (message) => ({ bytes: framed(message), headers: { 'content-type': 'application/grpc+proto' } }),
    ],
    [
      'with the key as a bearer token',
      (message) => ({
        bytes: framed(message),
        headers: { 'x-api-key': null, authorization: `bearer ${server.apiKey}` },
      }),
    ],
  ])('is stored before its response: %s', async (how, given) => {
    const one = span(how);
    const { code, body, message } = await call(given(traces(one)));
    expect([code, message, body.length]).toEqual([OK, 'OK', 0]);
    expect(await nameOf(one.trace)).toBe(how);
  });

  it('without spans is accepted', async () => {
    expect((await call({ bytes: framed(Buffer.alloc(0)) })).code).toBe(OK);
  });

  it('reports the spans that were rejected', async () => {
    const one = span();
    const { code, body } = await call({ bytes: framed(traces(one, { ...span(), id: '00' })) });
    expect(code).toBe(OK);
    expect(decodeProto('ExportTraceServiceResponse', body)).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: '1 span: span_id must be 8 bytes (16 hex digits) and not all zero',
      },
    });
    expect(await nameOf(one.trace)).toBe('work');
  });

  it('with log records keeps those of a span', async () => {
    const one = span();
    await call({ bytes: framed(traces(one)) });
    const records = [
      {
        timeUnixNano: '1767225600000000000',
        traceId: Buffer.from(one.trace, 'hex'),
        spanId: Buffer.from(one.id, 'hex'),
        eventName: 'gen_ai.user.message',
        body: { stringValue: 'hello' },
      },
    ];
    const message = encodeProto('ExportLogsServiceRequest', {
      resourceLogs: [{ scopeLogs: [{ logRecords: records }] }],
    });
    expect((await call({ path: exportPath('logs'), bytes: framed(message) })).code).toBe(OK);
    const series = 'touchstone_ingest_log_records_total{outcome="stored"}';
    expect(await readMetric(server, series)).toBe(1);
  });

  it('with metrics is accepted, as over HTTP, and nothing is stored', async () => {
    expect((await call({ path: exportPath('metrics'), bytes: framed(Buffer.alloc(0)) })).code).toBe(OK);
  });
});

describe('a call is rejected', () => {
  const message = traces();
  it.each<[why: string, given: GrpcCall, code: number, text: string]>([
    ['without key', { headers: { 'x-api-key': null } }, UNAUTHENTICATED, 'The header x-api-key is missing'],
    [
      'with a password',
      { headers: { 'x-api-key': null, authorization: 'Basic dXNlcjpzZWNyZXQ=' } },
      UNAUTHENTICATED,
      'The header x-api-key is missing; send the API key in it instead of Basic authentication, and the id of the application in x-application-id',
    ],
    [
      'without application',
      { headers: { 'x-application-id': null } },
      UNAUTHENTICATED,
      'The header x-application-id is missing',
    ],
    [
      'with an unknown key',
      { headers: { 'x-api-key': 'sk_x' } },
      UNAUTHENTICATED,
      'The API key is not valid',
    ],
    [
      'for another application',
      { headers: { 'x-application-id': '00000000-0000-4000-8000-000000000000' } },
      PERMISSION_DENIED,
      'The API key does not belong to the application in x-application-id',
    ],
    [
      'with an unknown compression',
      { headers: { 'grpc-encoding': 'br' }, bytes: framed(message, { flag: 1 }) },
      UNIMPLEMENTED,
      'grpc-encoding br is not supported; use identity, gzip, x-gzip, deflate, zlib, zstd, snappy, x-snappy-framed, lz4',
    ],
    [
      'with the flag of compression, but without its name',
      { bytes: framed(message, { flag: 1 }) },
      INVALID_ARGUMENT,
      'the message has the compression flag, but no grpc-encoding',
    ],
    [
      'with a flag that does not exist',
      { bytes: framed(message, { flag: 7 }) },
      INVALID_ARGUMENT,
      'the compression flag of the message must be 0 or 1; got 7',
    ],
    ['without message', { bytes: Buffer.alloc(0) }, INVALID_ARGUMENT, 'the call ended before its message'],
    [
      'when it ends within its message',
      { bytes: framed(Buffer.alloc(10), { length: 20 }) },
      INVALID_ARGUMENT,
      'the call ended within its message, after 10 of 20 bytes',
    ],
    [
      'with two messages',
      { bytes: Buffer.concat([framed(message), framed(message)]) },
      INVALID_ARGUMENT,
      `the call must have one message of ${message.length} bytes, as its prefix states; got ${2 * message.length + 5} bytes`,
    ],
    [
      'with a message above the limit',
      { bytes: framed(Buffer.alloc(1), { length: LIMIT + 1 }) },
      RESOURCE_EXHAUSTED,
      `the body is larger than ${LIMIT} bytes; send smaller batches`,
    ],
    [
      'with a message above the limit once it is decompressed',
      { headers: { 'grpc-encoding': 'gzip' }, bytes: framedGzip(Buffer.alloc(LIMIT + 1)) },
      RESOURCE_EXHAUSTED,
      `the body is larger than ${LIMIT} bytes after decompression; send smaller batches`,
    ],
    [
      'when a message that is never ended arrives too slowly',
      { bytes: framed(Buffer.alloc(10), { length: 20 }), isEnded: false },
      DEADLINE_EXCEEDED,
      'the message arrived too slowly',
    ],
  ])('%s', async (_why, given, code, text) => {
    const reply = await call({ bytes: framed(message), ...given });
    expect([reply.code, reply.message]).toEqual([code, text]);
    if (code !== DEADLINE_EXCEEDED) expect(reply.status).toEqual({ code, message: text, details: [] });
    expect((await call({ bytes: framed(message) })).code, 'the connection still works').toBe(OK);
  });

  it.each<[what: string, message: Buffer]>([
    ['garbage', Buffer.from('this is no protobuf')],
    ['a truncated message', message.subarray(0, -3)],
  ])('with %s', async (_what, bytes) => {
    expect((await call({ bytes: framed(bytes) })).code).toBe(INVALID_ARGUMENT);
  });

  it('with what is not the compression that it names', async () => {
    const bytes = framed(message, { flag: 1 });
    expect((await call({ headers: { 'grpc-encoding': 'gzip' }, bytes })).code).toBe(INVALID_ARGUMENT);
  });

  it('with a key that may not send spans', async () => {
    const headers = await server.newKey(['read']);
    const reply = await call({ headers, bytes: framed(message) });
    expect([reply.code, reply.message]).toEqual([PERMISSION_DENIED, 'The API key lacks the scope "ingest"']);
  });

  it.each(['/opentelemetry.proto.collector.trace.v1.TraceService/Import', '/', '/v1/traces'])(
    'of the unknown method %s',
    async (path) => {
      const reply = await call({ path, bytes: framed(message) });
      expect([reply.code, reply.message]).toEqual([
        UNIMPLEMENTED,
        `The server does not implement the method ${path}`,
      ]);
    },
  );

  it('with another content type', async () => {
    const headers = { 'content-type': 'application/x-protobuf' };
    expect((await call({ headers, bytes: message })).httpStatus).toBe(415);
  });

  it('is in the ledger of its application', async () => {
    const json = await server.ok('GET', '/v0/ingest/ledger');
    const notices = json.data.flatMap((row) => Object.keys(row.notices));
    expect(notices).toEqual(expect.arrayContaining(['refused_bad_request', 'refused_too_large']));
  });
});

describe('memory', () => {
  it('is rejected with RetryInfo when it is used up', async () => {
    // Eight calls hold a megabyte each, as much as there is, while their senders continue.
    const others = await Promise.all(
      Array.from({ length: 8 }, () => GrpcConnection.open(server.grpcPort as number)),
    );
    const bytes = framed(Buffer.alloc(MIB), { length: LIMIT });
    const replies = await Promise.all(
      others.map((other) => other.call({ headers: server.headers, bytes, isEnded: false })),
    );
    const rejected = replies.filter(({ code }) => code === UNAVAILABLE);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected[0]?.status).toEqual({
      code: UNAVAILABLE,
      message: 'no memory is free for this request at the moment; retry later',
      details: [{ typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value: expect.any(String) as string }],
    });
    for (const other of others) other.destroy();
    await expect.poll(() => memoryInUse(server)).toBe(0);
  });

  it('is given back when the sender disconnects', async () => {
    // With the short times of the other server, the call could be over between two looks.
    const patient = await startServer({ config: { grpcPort: 0 } });
    const other = await GrpcConnection.open(patient.grpcPort as number);
    const bytes = framed(Buffer.alloc(100_000), { length: LIMIT });
    void other.call({ headers: patient.headers, bytes, isEnded: false });
    await expect.poll(() => memoryInUse(patient)).toBeGreaterThan(100_000);
    other.destroy();
    await expect.poll(() => memoryInUse(patient)).toBe(0);
    await patient.close();
  });
});

describe('a connection', () => {
  it('that sends HTTP/1 gets a response that names the port to use', async () => {
    const raw = await RawConnection.open(`http://127.0.0.1:${server.grpcPort}`);
    const { status, body } = await raw.send({ path: '/v1/traces', body: 'x' });
    expect(status).toBe(400);
    expect(JSON.parse(body.toString())).toEqual({
      message:
        'This port accepts OTLP over gRPC. Send OTLP over HTTP to the port of the REST API (default 4318).',
    });
    await raw.closed;
  });

  it.each<[what: string, bytes: string]>([
    ['sends nothing', ''],
    ['sends only the beginning of HTTP/2', 'PRI * HT'],
    ['sends garbage', '\u0016\u0003\u0001\u0002'],
  ])('that %s is closed', async (_what, bytes) => {
    const raw = await RawConnection.open(`http://127.0.0.1:${server.grpcPort}`);
    raw.write(Buffer.from(bytes, 'latin1'));
    await expect(raw.closed).resolves.toBeUndefined();
  });

  it('is counted', async () => {
    expect(await readMetric(server, 'touchstone_grpc_connections')).toBe(1);
    const slow = 'touchstone_rejected_connections_total{reason="slow_headers"}';
    expect(await readMetric(server, slow)).toBe(2);
  });
});

describe('a connection without calls', () => {
  /** What a client of HTTP/2 sends first: its preface, and SETTINGS without any. */
  const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

  it('is closed if its client does not respond to a PING, and stays if it does', async () => {
    const pinging = await startServer({
      config: { grpcPort: 0 },
      // Client and server share one event loop: a shorter time could pass before the client has its turn.
      timeouts: { grpcPingMs: 100, grpcPingTimeoutMs: 3_000 },
    });
    const responding = await GrpcConnection.open(pinging.grpcPort as number);
    const silent = await RawConnection.open(`http://127.0.0.1:${pinging.grpcPort}`);
    silent.write(PREFACE);
    await silent.closed;
    const { code } = await responding.call({ headers: pinging.headers, bytes: framed(traces()) });
    expect(code).toBe(OK);
    responding.destroy();
    await pinging.close();
  });

  it('is closed after its time with a GOAWAY, one with a call is not', async () => {
    const idle = await startServer({ config: { grpcPort: 0 }, timeouts: { grpcIdleMs: 2_000 } });
    const [unused, used] = await Promise.all([
      GrpcConnection.open(idle.grpcPort as number),
      GrpcConnection.open(idle.grpcPort as number),
    ]);
    const sender = used.begin({ headers: idle.headers });
    const message = framed(traces());
    sender.write(message.subarray(0, 20));
    expect(await unused.goneAway).toBe(0);
    await expect.poll(() => readMetric(idle, 'touchstone_grpc_connections')).toBe(1);
    await delay(3_000);
    sender.write(message.subarray(20));
    sender.end();
    expect((await sender.reply).code).toBe(OK);
    used.destroy();
    await idle.close();
  });

  it('may send PINGs of its own, as exporters with keep-alive do', async () => {
    for (let sent = 0; sent < 50; sent++) await connection.ping();
    expect((await call({ bytes: framed(traces()) })).code).toBe(OK);
    expect(connection.isClosed).toBe(false);
  });
});

it('balances its ledger and uses no memory afterwards', async () => {
  const { received, stored } = await readLedger(server);
  expect(received).toBeGreaterThan(stored);
  await expect.poll(() => memoryInUse(server)).toBe(0);
});

describe('at shutdown', () => {
  it('a client gets GOAWAY, and its call in progress is finished', async () => {
    const ending = await startServer({ config: { grpcPort: 0 } });
    const client = await GrpcConnection.open(ending.grpcPort as number);
    const sender = client.begin({ headers: ending.headers });
    const message = framed(traces());
    sender.write(message.subarray(0, 20));
    await expect.poll(() => memoryInUse(ending)).toBeGreaterThan(0);
    const closed = ending.close();
    expect(await client.goneAway).toBe(0);
    sender.write(message.subarray(20));
    sender.end();
    expect((await sender.reply).code).toBe(OK);
    await closed;
  });
});

it('keeps its rejected credentials for the diagnosis, like a request over HTTP', async () => {
  const reply = await call({ headers: { 'x-api-key': 'sk_x' }, bytes: framed(traces()) });
  expect(reply.code).toBe(UNAUTHENTICATED);
  const line = server.logged.findLast((text) => text.includes('rejected because of its credentials'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    method: 'POST',
    path: exportPath('traces'),
    address: '127.0.0.1',
    status: 401,
    reason: 'The API key is not valid',
    applicationId: server.applicationId,
  });
});
