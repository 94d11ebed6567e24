import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPresets } from '../support/child-server.ts';
import { type Server, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { jsonRequest, jsonSpan, newTraceId } from './otlp-sender.ts';

const REJECTS = 'the store rejects data; senders get 503 and retry. Run `touchstone doctor`';
const ACCEPTS = 'the store accepts data again';
const presets = newPresets();
const headers = { 'x-api-key': presets.apiKey, 'x-application-id': presets.applicationId };
/** One connection that stays open, also while no further one is possible. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

let folder: Folder;
let data: string;
let server: Server;
beforeAll(async () => {
  folder = temporaryFolder();
  data = folder.file('data');
  server = await startServer(data, [], {
    env: {
      TOUCHSTONE_BOOTSTRAP_APPLICATION_ID: presets.applicationId,
      TOUCHSTONE_BOOTSTRAP_API_KEY: presets.apiKey,
    },
  });
});
afterAll(async () => {
  agent.destroy();
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Reply {
  status: number | undefined;
  retryAfter: string | undefined;
  text: string;
}

function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sent = request(server.url + path, {
    method,
    agent,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
  });
  sent.on('error', reject).on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => (text += part));
    response.on('end', () =>
      resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], text }),
    );
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** A matcher of texts, with the type of one. */
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

const send = (text = 'hello'): Promise<Reply> => {
  const attributes = [{ key: 'input.value', value: { stringValue: text } }];
  return call('POST', '/v1/traces', jsonRequest(jsonSpan(newTraceId(), 'step', { attributes })));
};
const limit = (what: 'fsize' | 'nofile', value: number | 'unlimited'): void => {
  execFileSync('prlimit', ['--pid', String(server.child.pid), `--${what}=${value}:`]);
};
/** What the log says of faults, but for the speed of the disk. */
const messages = (): string[] =>
  server
    .stdout()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error)"|accepts data|free again/.test(line))
    .map((line) => (JSON.parse(line) as { message: string }).message)
    .filter((message) => !message.startsWith('the disk is'));
const checkOf = async (name: string): Promise<{ level: string; message: string; advice: string | null }> => {
  const { data: system } = JSON.parse((await call('GET', '/v0/system')).text) as {
    data: { checks: { name: string; level: string; message: string; advice: string | null }[] };
  };
  return system.checks.find((check) => check.name === name) as Awaited<ReturnType<typeof checkOf>>;
};
const metric = async (name: string): Promise<number> => {
  const { text } = await call('GET', '/metrics');
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`no ${name} in: ${text.slice(0, 500)}`);
  return Number(value);
};

it('a disk that cannot be written: senders retry, readers read, one line says so', async () => {
  expect(await send()).toMatchObject({ status: 200 });
  limit('fsize', 4_096);
  for (let i = 0; i < 5; i += 1)
    expect(await send()).toMatchObject({
      status: 503,
      retryAfter: '1',
      text: matching(/SQLITE_/),
    });
  expect(await call('GET', '/v0/traces')).toMatchObject({ status: 200 });
  // What is stored is counted before the response, and cannot be saved.
  expect(await call('GET', '/v0/retention?days=1')).toMatchObject({ status: 200 });
  expect(await checkOf('Commits')).toMatchObject({
    level: 'problem',
    message: matching(/^The store rejects data \(SQLITE_/),
    advice: matching(/disk/),
  });
  await expect.poll(messages).toEqual([REJECTS]);
  limit('fsize', 'unlimited');
  expect(await send()).toMatchObject({ status: 200 });
  await expect.poll(messages).toEqual([REJECTS, ACCEPTS]);
  expect(await checkOf('Commits')).toMatchObject({ level: 'warning' });
});

it('without a free descriptor, no thread can start, and the server continues', async () => {
  const used = new Set(readdirSync(`/proc/${server.child.pid}/fd`).map(Number));
  let lowestFree = 0;
  while (used.has(lowestFree)) lowestFree += 1;
  limit('nofile', lowestFree);
  // More than the log may have before a thread copies it.
  for (let i = 0; i < 6; i += 1)
    expect(await send(randomBytes(2 ** 20).toString('base64'))).toMatchObject({ status: 200 });
  await expect.poll(() => metric('touchstone_store_failed_checkpoints_total')).toBeGreaterThan(0);
  await expect.poll(() => messages().at(-1)).toMatch(/hardly any file descriptor is free/);
  for (const path of ['/v0/traces', '/v0/system', '/healthz', '/readyz'])
    expect(await call('GET', path)).toMatchObject({ status: 200 });
  limit('nofile', 4_096);
  expect(await send()).toMatchObject({ status: 200 });
  await expect.poll(() => metric('touchstone_store_checkpoints_total')).toBeGreaterThan(0);
  await expect.poll(() => messages().at(-1)).toMatch(/enough file descriptors are free again/);
});

it('a store that is damaged while the server runs: senders retry, one line says so, and it ends cleanly', async () => {
  const before = messages().length;
  const file = `${data}/touchstone.db`;
  const { size } = statSync(file);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size - 40_960, 0xee), 0, size - 40_960, 40_960);
  closeSync(descriptor);
  await expect.poll(async () => (await send()).status).toBe(503);
  expect(await send()).toMatchObject({
    status: 503,
    retryAfter: '1',
    text: matching(/damaged/),
  });
  expect(await call('GET', '/healthz')).toMatchObject({ status: 200 });
  await expect.poll(() => messages().slice(before)).toEqual([REJECTS]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});
