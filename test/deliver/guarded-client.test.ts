import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient, type OutboundRequest } from '../../src/deliver/guarded-client.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import {
  answering,
  type Connection,
  type HostileServer,
  OK,
  startDeafServer,
  startHostileServer,
  wholeRequest,
} from '../support/hostile-server.ts';

const guard = createAddressGuard({ allow: [], isLoopbackOpen: true });
const client = createGuardedClient({ guard });
const BODY = Buffer.from('{"prompt":"secret question"}');
const aNumber = expect.any(Number) as number;
const LONG_ENOUGH = 20_000;
const MIB = 1024 * 1024;

const post = (port: number, more: Partial<OutboundRequest> = {}): Promise<Outcome> =>
  client.request({
    url: `http://127.0.0.1:${port}/hook?token=in-the-url`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer in-a-header' },
    body: BODY,
    timeoutMs: LONG_ENOUGH,
    ...more,
  });

const servers: HostileServer[] = [];
async function serve(app: (connection: Connection) => unknown): Promise<HostileServer> {
  const server = await startHostileServer(app);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const head = (status: number, ...headers: string[]): string =>
  `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;

describe('an app that answers', () => {
  it('gets the request as it was given, and gives its answer', async () => {
    const server = await serve(
      answering('HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\ncontent-length: 2\r\n\r\nok'),
    );
    const outcome = await post(server.port);

    expect(outcome).toEqual({
      kind: 'answered',
      status: 200,
      headers: { 'x-a': '1, 2', 'content-length': '2' },
      body: Buffer.from('ok'),
      bodyBytes: 2,
      truncated: false,
      timings: { connectMs: aNumber, headersMs: aNumber, totalMs: aNumber },
    });
    expect(server.connections.map(({ received }) => received.toString())).toEqual([
      [
        'POST /hook?token=in-the-url HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: close',
        'content-type: application/json',
        'authorization: Bearer in-a-header',
        `content-length: ${BODY.length}`,
        '',
        BODY.toString(),
      ].join('\r\n'),
    ]);
  });

  it.each([200, 201, 202, 400, 401, 404, 429, 500, 503])('reports its status %d', async (status) => {
    const server = await serve(answering(head(status, 'content-length: 0')));
    expect(await post(server.port)).toMatchObject({ kind: 'answered', status, bodyBytes: 0 });
  });

  it.each([204, 304])('needs no body with status %d', async (status) => {
    const server = await serve(answering(head(status)));
    expect(await post(server.port)).toMatchObject({ kind: 'answered', status });
  });

  it.each([301, 302, 303, 307, 308])('is not followed elsewhere by status %d', async (status) => {
    const elsewhere = await serve(answering(OK));
    const location = `location: http://127.0.0.1:${elsewhere.port}/`;
    const server = await serve(answering(head(status, location, 'content-length: 0')));

    expect(await post(server.port)).toMatchObject({ kind: 'answered', status });
    expect(elsewhere.connections).toEqual([]);
  });

  it.each([
    ['early hints', [head(103, 'link: </a>; rel=preload'), OK]],
    ['many times that it is processing', [...Array.from({ length: 200 }, () => head(102)), OK]],
    ['in chunks', [head(200, 'transfer-encoding: chunked'), '1\r\no\r\n', '1\r\nk\r\n0\r\n\r\n']],
    ['in HTTP/1.0', ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok']],
  ])('may say %s', async (_what, pieces) => {
    const server = await serve(answering(...pieces));
    expect(await post(server.port)).toMatchObject({ status: 200, body: Buffer.from('ok') });
  });

  it('may end its response by closing the connection', async () => {
    const server = await serve(async (connection) => {
      await wholeRequest(connection);
      connection.socket.end(`${head(200)}ok`);
    });
    expect(await post(server.port)).toMatchObject({ status: 200, body: Buffer.from('ok') });
  });

  it('may respond before it has read the request', async () => {
    const server = await serve(({ socket }) => socket.write(OK));
    const outcome = await post(server.port, { body: Buffer.alloc(16 * MIB, 'x') });
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
  });

  it.each([
    ['10 MiB', (socket: Connection['socket']) => socket.end(Buffer.alloc(10 * MIB, 'x'))],
    [
      'no end',
      (socket: Connection['socket']) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 'x')));
        };
        socket.on('drain', more);
        more();
      },
    ],
  ])('is interrupted after 1 MiB of a body of %s', async (_size, flood) => {
    const server = await serve(async (connection) => {
      await wholeRequest(connection);
      connection.socket.write(head(500));
      flood(connection.socket);
    });
    const outcome = await post(server.port);

    expect(outcome).toMatchObject({ kind: 'answered', status: 500, truncated: true });
    const { body, bodyBytes } = outcome as Extract<Outcome, { kind: 'answered' }>;
    expect(body.equals(Buffer.alloc(16 * 1024, 'x'))).toBe(true);
    expect(bodyBytes).toBeGreaterThan(MIB);
    expect(bodyBytes).toBeLessThan(MIB + 128 * 1024);
    await server.connections[0]?.closed;
  });

  it('has as much of its body kept as was requested', async () => {
    const server = await serve(answering(head(200, 'content-length: 6'), 'abc', 'def'));
    const outcome = await post(server.port, { keepBytes: 4, maxResponseBytes: 6 });
    expect(outcome).toMatchObject({ body: Buffer.from('abcd'), bodyBytes: 6, truncated: true });
  });
});

describe('a connection', () => {
  it('is rejected where no program listens', async () => {
    const server = await startHostileServer(() => undefined);
    await server.close();
    expect(await post(server.port)).toMatchObject({
      kind: 'not_sent',
      reason: 'refused',
      message: `127.0.0.1:${server.port} refused the connection.`,
    });
  });

  it('is of one request only, so none is lost with a connection that the app closes meanwhile', async () => {
    const server = await serve(async (connection) => {
      await wholeRequest(connection);
      connection.socket.write(OK);
      // As if it were kept alive, and abandoned just as the next request comes.
      connection.socket.on('data', () => connection.socket.resetAndDestroy());
    });
    for (let i = 0; i < 3; i++) expect(await post(server.port)).toMatchObject({ status: 200 });

    expect(server.connections.map(({ received }) => received.toString().split('POST').length - 1)).toEqual([
      1, 1, 1,
    ]);
  });

  it('is closed after each of a hundred requests at once', async () => {
    const server = await serve(answering(OK));
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(server.port)));

    expect(outcomes.filter((outcome) => outcome.kind === 'answered')).toHaveLength(100);
    expect(server.connections).toHaveLength(100);
    await Promise.all(server.connections.map(({ closed }) => closed));
  });

  it('bypasses a proxy of the environment', async () => {
    const proxy = await serve(answering(head(502, 'content-length: 0')));
    const server = await serve(answering(OK));
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await post(server.port)).toMatchObject({ status: 200 });
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
  });
});

describe('a request is lost', () => {
  const reset = async (connection: Connection): Promise<void> => {
    await wholeRequest(connection);
    connection.socket.resetAndDestroy();
  };
  it.each<[when: string, app: (connection: Connection) => unknown, message: RegExp]>([
    [
      'reset before it is read',
      ({ socket }) => socket.once('data', () => socket.resetAndDestroy()),
      /closed the connection/,
    ],
    ['reset after it was read', reset, /closed the connection .* \(\w+\)\.$/],
    [
      'closed without an answer',
      async (c) => wholeRequest(c).then(() => c.socket.end()),
      /closed the connection/,
    ],
    [
      'closed within the headers',
      async (c) => (await wholeRequest(c), c.socket.end('HTTP/1.1 200 OK\r\nx-')),
      /closed the connection/,
    ],
    [
      'closed within the body',
      async (c) => (await wholeRequest(c), c.socket.end(`${head(200, 'content-length: 9')}ok`)),
      /closed the connection|not valid HTTP/,
    ],
    [
      'reset within the body',
      async (c) => {
        await wholeRequest(c);
        c.socket.write(`${head(200, 'content-length: 9')}ok`, () => c.socket.resetAndDestroy());
      },
      /closed the connection/,
    ],
    ['garbage', answering('SSH-2.0-OpenSSH_9.9\r\n'), /is not valid HTTP\/1\.1/],
    [
      'headers without end',
      answering(`HTTP/1.1 200 OK\r\n${'x-more: header\r\n'.repeat(10_000)}`),
      /headers of .* exceed 16384 bytes/,
    ],
    [
      'an end of chunks that is none',
      answering(head(200, 'transfer-encoding: chunked'), 'zz\r\n'),
      /is not valid HTTP\/1\.1/,
    ],
    [
      'two lengths',
      answering(head(200, 'content-length: 2', 'content-length: 3'), 'ok'),
      /does not have the length/,
    ],
    [
      'another protocol',
      answering(head(101, 'connection: upgrade', 'upgrade: websocket')),
      /closed the connection/,
    ],
    ['leave to send what was sent', answering(head(100), OK), /closed the connection/],
  ])('to an app that gives: %s', async (_when, app, message) => {
    const server = await serve(app);
    const outcome = await post(server.port);

    expect(outcome).toMatchObject({ kind: 'lost', message: expect.stringMatching(message) as string });
    expect((outcome as { message: string }).message).toContain(`127.0.0.1:${server.port} `);
    expect(server.connections).toHaveLength(1);
  });
});

describe('time', () => {
  const dribble = (piece: string) => async (connection: Connection) => {
    await wholeRequest(connection);
    const timer = setInterval(() => connection.socket.write(piece), 10);
    connection.socket.on('close', () => clearInterval(timer));
  };
  it.each<[what: string, app: (connection: Connection) => unknown, phase: string]>([
    ['an app that reads nothing', () => undefined, 'headers'],
    ['an app that says nothing', wholeRequest, 'headers'],
    [
      'headers that come slowly',
      async (c) => {
        await wholeRequest(c);
        c.socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        return dribble('x')(c);
      },
      'headers',
    ],
    ['a line without end', answering(`HTTP/1.1 200 ${'x'.repeat(MIB)}`), 'headers'],
    ['news without end', dribble(head(102)), 'headers'],
    [
      'a body that comes slowly',
      async (c) => {
        await wholeRequest(c);
        c.socket.write(head(200));
        return dribble('x')(c);
      },
      'body',
    ],
    ['a body that stops', answering(head(200, 'content-length: 9'), 'ok'), 'body'],
  ])('is up for %s', async (_what, app, phase) => {
    const server = await serve(app);
    // Long enough for the headers, where it is the body that does not come. A busy machine may need longer to get so far.
    let timeoutMs = phase === 'body' ? 1_000 : 200;
    const send = (): Promise<Outcome> => post(server.port, { timeoutMs, body: Buffer.alloc(MIB) });
    let outcome = await send();
    for (
      ;
      outcome.kind === 'timeout' && outcome.phase !== phase && timeoutMs < 60_000;
      outcome = await send()
    )
      timeoutMs *= 4;

    expect(outcome).toMatchObject({ kind: 'timeout', phase, wasSent: true });
    expect((outcome as { message: string }).message).toMatch(/^Within \d+ ms .* 127\.0\.0\.1:\d+\.$/);
  });

  it('is up for a connection that is never made, of which nothing was sent', async () => {
    const server = await startDeafServer();
    try {
      const outcome = await post(server.port, { timeoutMs: 300 });
      expect(outcome).toMatchObject({ kind: 'timeout', phase: 'connect', wasSent: false });
    } finally {
      await server.close();
    }
  });

  it('is the time of looking up the name, too', async () => {
    const slow = createGuardedClient({ guard, lookup: () => new Promise(() => undefined) });
    const outcome = await slow.request({
      url: 'https://app.test/',
      method: 'POST',
      headers: {},
      body: BODY,
      timeoutMs: 50,
    });
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'connect', wasSent: false });
  });

  it('can be ended by the caller', async () => {
    const stop = new AbortController();
    const server = await serve(async (connection) => {
      await wholeRequest(connection);
      stop.abort(new Error('shutting down'));
    });
    await expect(post(server.port, { signal: stop.signal })).rejects.toThrow('shutting down');
    await expect(post(server.port, { signal: stop.signal })).rejects.toThrow('shutting down');
    expect(server.connections).toHaveLength(1);
  });
});

describe('what the caller gives', () => {
  it.each([
    ['no URL', '/hook', 'is not valid'],
    ['a scheme of another kind', 'ftp://127.0.0.1/', 'neither https: nor http:'],
    ['a password', 'http://me:in-the-url@127.0.0.1/', 'user name or a password'],
    ['port 0', 'http://127.0.0.1:0/', 'port 0'],
  ])('is not sent to: %s', async (_what, url, message) => {
    const outcome = await post(1, { url });
    expect(outcome).toMatchObject({
      kind: 'not_sent',
      reason: 'invalid_url',
      message: expect.stringContaining(message) as string,
    });
    expect(JSON.stringify(outcome)).not.toContain('in-the-url');
  });

  it.each([
    ['a header of two lines', { 'x-a': 'b\r\nx-evil: 1' }],
    ['a name that is none', { 'x a': 'b' }],
    ['a length that is not the body’s', { 'content-length': '1' }],
    ['an encoding of its own', { 'transfer-encoding': 'chunked' }],
  ])('is an error when it has %s', async (_what, headers) => {
    const server = await serve(answering(OK));
    await expect(post(server.port, { headers })).rejects.toThrow(/header|content-length/);
    expect(server.connections[0]?.received.length ?? 0).toBe(0);
  });

  it('is never repeated: headers, body and path stay out of every message', async () => {
    const listening = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as { port: number };
    const outcome = await post(port);
    listening.close();
    expect(outcome.kind).toBe('lost');
    expect(JSON.stringify(outcome)).not.toMatch(/secret|in-a-header|in-the-url|hook/);
  });
});
