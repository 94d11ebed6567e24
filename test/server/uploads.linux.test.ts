import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../src/contract/route.ts';
import type { Principal } from '../../src/contract/scope.ts';
import { MAX_UPLOAD_BYTES, upload } from '../../src/contract/upload.ts';
import { uuid } from '../../src/contract/values.ts';
import { createLog } from '../../src/runtime/log.ts';
import { AppError } from '../../src/errors.ts';
import type { Party } from '../../src/runtime/party.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { NEVER_REVOKED } from '../../src/runtime/open-calls.ts';
import { addRoute } from '../../src/server/add-route.ts';
import { errorHandler } from '../../src/server/errors.ts';
import { createPools } from '../../src/server/pools.ts';
import { type RawAnswer, sendRaw } from '../support/sockets.ts';
import { routeDeps } from '../support/route-deps.ts';

const UUID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const fields = z.object({
  kind: z.enum(['A', 'B']),
  topicId: uuid.nullable().default(null),
  title: z.string().optional(),
});

/** Answers what it was given, and the file's bytes in hexadecimal unless they are many. */
const echo = route({
  method: 'POST',
  path: '/upload',
  operationId: 'upload',
  group: 'Server',
  summary: 'Echo',
  scope: 'write',
  body: upload({ fields, extensions: ['.csv', '.txt'] }),
  response: z.looseObject({}),
  status: 201,
  handler: async ({ body: { fields: given, file } }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.stream) pieces.push(Uint8Array.from(piece));
    calls += 1;
    const { name, mimeType, size } = file;
    const bytes = Buffer.concat(pieces);
    return { fields: given, name, mimeType, size, hex: size < 1_000 ? bytes.toString('hex') : bytes.length };
  },
});

/** Takes the file itself as well. */
const echoFile = route({
  ...echo,
  path: '/file',
  operationId: 'uploadFile',
  body: upload({ fields, extensions: ['.csv'], fileTypes: { 'text/csv': '.csv' } }),
});

const json = route({
  method: 'POST',
  path: '/json',
  operationId: 'sendJson',
  group: 'Server',
  summary: 'JSON',
  scope: null,
  body: z.object({}),
  response: z.object({}),
  status: 201,
  handler: () => ({}),
});

const memory = new MemoryBudget(64 * 1024 * 1024);
/** Application 2 is of another organisation than all others. */
const groupOf = (party: Party): Party => (party === 2 ? 'other' : 'organisation');
const pools = createPools(memory, 64 * 1024 * 1024, { groupOf });
const principalOf = (application: number): Principal => ({
  organisation: 'org-1',
  applicationId: UUID,
  application,
  actor: { type: 'key', id: 'key', name: 'CI' },
  scopes: new Set(['write']),
});
const REVOKED = new AppError('unauthorized', 'The API key is revoked');
let app: FastifyInstance;
let url: string;
let port: number;
let calls = 0;
beforeAll(async () => {
  app = fastify();
  app.setErrorHandler(errorHandler(createLog({ level: 'error', write: () => undefined, forPeople: false })));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, JSON.parse(body as string));
  });
  for (const each of [echo, echoFile, json])
    addRoute(app, each, {
      ...routeDeps(pools),
      authenticate: async ({ headers }) => ({
        principal: principalOf(Number(headers['x-application'] ?? 1)),
        call: {
          revoked: headers['x-revoked'] ? AbortSignal.abort(REVOKED) : NEVER_REVOKED,
          end: () => undefined,
        },
      }),
    });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
  url = `http://127.0.0.1:${port}/upload`;
});
afterAll(() => app.close());

interface Answer {
  status: number;
  json: Record<string, unknown>;
}
type Part = [field: string, value: string | Blob, name?: string];

async function send(parts: readonly Part[]): Promise<Answer> {
  const form = new FormData();
  for (const [field, value, name] of parts) {
    if (typeof value === 'string') form.append(field, value);
    else form.append(field, value, name);
  }
  const response = await fetch(url, { method: 'POST', body: form });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

const file = (content: string | Uint8Array<ArrayBuffer> = 'a,b\n', type = 'text/csv'): Blob =>
  new Blob([content], { type });

/** Temporary files of uploads that this process holds open. */
const spools = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes('touchstone-upload-') ? [target] : [];
    } catch {
      return [];
    }
  });
const nothingIsKept = (): Promise<void> => expect.poll(spools).toEqual([]);

describe('a form with a file', () => {
  it('reaches the handler: its fields parsed, its file byte by byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const answer = await send([
      ['kind', 'A'],
      ['topicId', UUID.toUpperCase()],
      ['file', file(bytes), 'Daten ü.csv'],
    ]);
    expect(answer).toEqual({
      status: 201,
      json: {
        fields: { kind: 'A', topicId: UUID },
        name: 'Daten ü.csv',
        mimeType: 'text/csv',
        size: 256,
        hex: Buffer.from(bytes).toString('hex'),
      },
    });
    await nothingIsKept();
  });

  it('may have its fields before and after the file, and empty ones are none', async () => {
    const answer = await send([
      ['topicId', ''],
      ['file', file(), 'a.csv'],
      ['kind', 'B'],
    ]);
    expect(answer.json).toMatchObject({ fields: { kind: 'B', topicId: null }, size: 4 });
  });

  it('comes from curl', async () => {
    const run = ['-sS', '-F', 'file=@-;filename=a.txt;type=text/plain', '-F', 'kind=A', url];
    const running = promisify(execFile)('curl', run);
    running.child.stdin?.end('from curl');
    expect(JSON.parse((await running).stdout)).toMatchObject({
      name: 'a.txt',
      size: 9,
      fields: { kind: 'A' },
    });
  });

  it('may be as large as allowed, and empty', async () => {
    for (const size of [MAX_UPLOAD_BYTES, 0]) {
      const { json: answer } = await send([
        ['kind', 'A'],
        ['file', file(new Uint8Array(size)), 'a.csv'],
      ]);
      expect(answer).toMatchObject({ size, hex: size === 0 ? '' : size });
    }
  });

  it.each([
    ['/etc/passwd.csv', 'passwd.csv'],
    [String.raw`C:\data\x.csv`, 'x.csv'],
    ['../../x.csv', 'x.csv'],
    ['a\u0000\u007f\u202eb.csv', 'ab.csv'],
    [`${'x'.repeat(300)}.CSV`, `${'x'.repeat(251)}.CSV`],
    [`😀${'x'.repeat(250)}.csv`, `\ufffd${'x'.repeat(250)}.csv`],
  ])('is called by the plain part of its name: %j', async (name, expected) => {
    expect(
      (
        await send([
          ['kind', 'A'],
          ['file', file(), name],
        ])
      ).json,
    ).toMatchObject({ name: expected });
  });
});

describe('a form that is rejected', () => {
  const good: Part = ['file', file(), 'a.csv'];
  const cases: [rule: string, parts: Part[], issues: object[]][] = [
    ['no file', [['kind', 'A']], [{ code: 'invalid_type', message: 'must be a file', path: ['file'] }]],
    [
      'text for a file',
      [
        ['kind', 'A'],
        ['file', 'a,b'],
      ],
      [{ path: ['file'] }],
    ],
    [
      'a file of another kind',
      [
        ['kind', 'A'],
        ['file', file(), 'a.exe'],
      ],
      [{ code: 'custom', path: ['file'] }],
    ],
    ['two files', [['kind', 'A'], good, good], [{ code: 'too_big', path: ['file'] }]],
    ['a file in another field', [['kind', 'A'], ['upload', file(), 'a.csv'], good], [{ path: ['upload'] }]],
    ['a missing field', [good], [{ code: 'invalid_type', path: ['kind'] }]],
    [
      'wrong fields',
      [['kind', 'C'], ['topicId', 'x'], good],
      [
        { code: 'invalid_enum_value', path: ['kind'] },
        { code: 'invalid_string', path: ['topicId'] },
      ],
    ],
    ['a field twice', [['kind', 'A'], ['kind', 'B'], good], [{ path: ['kind'] }]],
    [
      'a long field',
      [['kind', 'A'], ['title', 'x'.repeat(20_000)], good],
      [{ code: 'too_big', path: ['title'] }],
    ],
    [
      'many fields',
      [...Array.from({ length: 21 }, (_, i): Part => [`f${i}`, 'x']), good],
      [{ code: 'too_big', path: [] }],
    ],
  ];
  it.each(cases)('has %s', async (_definition, parts, issues) => {
    const before = calls;
    const answer = await send(parts);
    expect(answer).toMatchObject({ status: 422, json: { issues } });
    expect((answer.json['issues'] as unknown[]).length).toBe(issues.length);
    expect(calls).toBe(before);
    await nothingIsKept();
  });

  it('is too large: 413, whether that was announced or not', async () => {
    const before = calls;
    expect(
      (
        await send([
          ['kind', 'A'],
          ['file', file(new Uint8Array(MAX_UPLOAD_BYTES + 1)), 'a.csv'],
        ])
      ).status,
    ).toBe(413);
    expect(
      (
        await send([
          ['kind', 'A'],
          ['file', file(new Uint8Array(2 * MAX_UPLOAD_BYTES)), 'a.csv'],
        ])
      ).status,
    ).toBe(413);
    const unannounced = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: endlessPreamble(),
      duplex: 'half',
    });
    expect(unannounced.status).toBe(413);
    expect(calls).toBe(before);
    await nothingIsKept();
  });

  it.each([
    ['application/json', '{}', 415],
    ['text/csv', 'a,b', 415],
    ['multipart/form-data', 'x', 415],
    ['multipart/form-data; charset=utf-8', 'x', 400],
    ['multipart/form-data; boundary=x', 'nothing of the kind', 400],
    ['multipart/form-data; boundary=x', '', 400],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nab',
      400,
    ],
  ])('is no form: %s %j', async (type, body, status) => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([status, ['message']]);
    await nothingIsKept();
  });

  it('has a file in a part without a name', async () => {
    const body = '--b\r\nContent-Disposition: form-data; filename="a.csv"\r\n\r\nx\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await fetch(url, { method: 'POST', headers, body });
    const { issues } = (await response.json()) as { issues: unknown[] };
    expect([response.status, issues]).toEqual([422, [expect.objectContaining({ path: [] })]]);
    await nothingIsKept();
  });

  it('has a field after its file that is too long, and leaves no rejection unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', note);
    for (let i = 0; i < 20; i++) {
      const answer = await send([
        ['file', file(), 'a.csv'],
        ['title', 'x'.repeat(17 * 1024)],
      ]);
      expect(answer.status).toBe(422);
    }
    await nothingIsKept();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is sent where JSON belongs', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/json`, { method: 'POST', body: new FormData() });
    expect(response.status).toBe(415);
  });
});

/** Begins an upload and leaves it there. */
async function begin(application = 1): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /upload HTTP/1.1\r\nhost: x\r\nx-application: ${application}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n' +
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsome of it',
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

describe('uploads that stop midway', () => {
  it('leave nothing when the sender hangs up', async () => {
    const before = calls;
    const socket = await begin();
    await expect.poll(spools).toHaveLength(1);
    socket.destroy();
    await nothingIsKept();
    expect(calls).toBe(before);
  });

  it('are few at once for one application and for one organisation, and leave others their turn', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => begin()));
    await expect.poll(spools).toHaveLength(4);
    const greedy = await sendAs(1);
    expect([greedy.status, greedy.headers.get('retry-after')]).toEqual([503, '1']);
    expect(pools.uploads.used).toBe(4);
    sockets.push(await begin(3), await begin(4));
    await expect.poll(() => pools.uploads.used).toBe(6);
    for (let application = 5; application < 25; application++)
      expect((await sendAs(application)).status).toBe(503);
    expect((await sendAs(2)).status).toBe(201);

    for (const socket of sockets) socket.destroy();
    await nothingIsKept();
    await expect.poll(() => [pools.uploads.used, memory.used]).toEqual([0, 0]);
    expect((await sendAs(1)).status).toBe(201);
  });
});

it.each([
  [
    'a form',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na\r\n',
  ],
  ['a file', 'text/csv', 'a,b\n'],
])('%s whose sender has lost the permission before it is read is rejected', async (_what, type, content) => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const headers = { 'content-type': type, 'x-revoked': 'yes' };
  const response = await fetch(url.replace('/upload', '/file'), { method: 'POST', headers, body: content });
  expect([response.status, await response.json()]).toEqual([401, { message: REVOKED.message }]);
  await setImmediate();
  process.off('unhandledRejection', onUnhandled);
  expect([unhandled, pools.uploads.used, memory.used]).toEqual([[], 0, 0]);
});

describe('a form in tiny pieces', () => {
  /** The same form in chunks of `size` bytes. */
  async function sendInChunks(content: string, size: number): Promise<RawAnswer> {
    const head = '--x\r\ncontent-disposition: form-data; name=';
    const body = `${head}"kind"\r\n\r\nA\r\n${head}"file"; filename="a.csv"\r\n\r\n${content}\r\n--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    return sendRaw(`http://127.0.0.1:${port}`, { path: '/upload', headers, body, chunked: size });
  }

  it('arrives as it is while it is small', async () => {
    const answer = await sendInChunks('a,b\n'.repeat(100), 1);
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([201, { size: 400 }]);
  });

  it('arrives as it is in chunks of some bytes', async () => {
    const answer = await sendInChunks('0123456789\n'.repeat(100_000), 40);
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([201, { size: 1_100_000 }]);
  });

  it('is rejected when it is large', async () => {
    const answer = await sendInChunks('x'.repeat(50_000), 1);
    expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('chunks')]);
    await nothingIsKept();
    expect(memory.used).toBe(0);
  });
});

function sendAs(application: number): Promise<Response> {
  const form = new FormData();
  form.append('kind', 'A');
  form.append('file', file(), 'a.csv');
  return fetch(url, { method: 'POST', headers: { 'x-application': String(application) }, body: form });
}

/** A body that never comes to its first part. */
function endlessPreamble(): ReadableStream {
  const piece = randomBytes(1024 * 1024);
  return new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
}
