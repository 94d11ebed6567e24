import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run, type RunOptions, type Server, start, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

const PRESET_KEY = `sk_PresetKey123_${'s'.repeat(43)}`;
const PRESETS = {
  TOUCHSTONE_BOOTSTRAP_ORG_ID: 'acme',
  TOUCHSTONE_BOOTSTRAP_APPLICATION_ID: '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
  TOUCHSTONE_BOOTSTRAP_API_KEY: PRESET_KEY,
};
const SPANS = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'a span',
              startTimeUnixNano: '1700000000000000000',
              endTimeUnixNano: '1700000001000000000',
            },
          ],
        },
      ],
    },
  ],
});

let folder: Folder;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = folder.file('data');
});
afterEach(() => folder[Symbol.dispose]());

const serving = (args: readonly string[] = [], options?: RunOptions): Promise<Server> =>
  startServer(data, args, options);
const firstKey = (): string => readFileSync(`${data}/first-key`, 'utf8').trim();
const modeOf = (file: string): number => statSync(file).mode & 0o777;

const headersFor = ({ applicationId }: Server, key: string) => ({
  'x-api-key': key,
  'x-application-id': applicationId,
  'content-type': 'application/json',
});
const sendSpans = (server: Server, key: string): Promise<Response> =>
  fetch(`${server.url}/v1/traces`, { method: 'POST', headers: headersFor(server, key), body: SPANS });
async function traceCount(server: Server, key: string): Promise<number> {
  const response = await fetch(`${server.url}/v0/traces`, { headers: headersFor(server, key) });
  return ((await response.json()) as { pagination: { total: number } }).pagination.total;
}

async function stop(server: Server): Promise<void> {
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
}

describe('the first start', () => {
  it('without a terminal keeps the key in a file, and prints where, with commands that work as they are', async () => {
    await using server = await serving();
    const key = firstKey();
    expect(key).toMatch(/^sk_[A-Za-z\d]{12}_[A-Za-z\d]{43}$/);
    expect(modeOf(data)).toBe(0o700);
    expect(readdirSync(data).map((name) => [name, modeOf(`${data}/${name}`)])).toEqual(
      expect.arrayContaining([
        ['first-key', 0o600],
        ['touchstone.db', 0o600],
      ]),
    );
    expect((await sendSpans(server, key)).status).toBe(200);
    expect(await traceCount(server, key)).toBe(1);
    await server.sees(/^ {2}curl .*\n/m);
    await tryCommands(server.stdout());
    await stop(server);
    const printed = server.stdout();
    expect(printed).toContain(`${data}/first-key`);
    expect(printed).toContain(`TOUCHSTONE_URL=${server.url}\n`);
    expect(printed).toContain(`TOUCHSTONE_APPLICATION_ID=${server.applicationId}\n`);
    expect(printed).not.toContain(key.slice(16));
  });

  /** Runs the printed commands; requests what they name. */
  async function tryCommands(printed: string): Promise<void> {
    const commands = printed.match(/^ {2}(?:export|curl) .*$/gm) ?? [];
    const script = commands.join('\n').replace(/^ *curl/m, "printf '%s\\n'");
    const env = `printf '%s\\n' "$OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces" "$OTEL_EXPORTER_OTLP_HEADERS"`;
    const words = execFileSync('sh', ['-euc', `${script}\n${env}`], { encoding: 'utf8' }).split('\n');
    const headers = words
      .filter((_word, i) => words[i - 1] === '-H')
      .map((header) => header.split(': ') as [string, string]);
    const [url = '', exporterUrl = '', exporterHeaders = ''] = words.slice(4);
    expect((await fetch(url, { headers })).status).toBe(200);

    const body = JSON.stringify({ resourceSpans: [] });
    const own = exporterHeaders.split(',').map((header) => header.split('=') as [string, string]);
    const all = { ...Object.fromEntries(own), 'content-type': 'application/json' };
    expect((await fetch(exporterUrl, { method: 'POST', body, headers: all })).status).toBe(200);
  }

  it('on a terminal prints the key, and keeps it nowhere', async () => {
    await using server = await serving([], { terminal: true });
    const [, key = ''] = await server.sees(/API key +(sk_\w+)/);
    expect((await sendSpans(server, key)).status).toBe(200);
    expect(existsSync(`${data}/first-key`)).toBe(false);
    await stop(server);
    for (const name of readdirSync(data))
      expect(readFileSync(`${data}/${name}`, 'latin1')).not.toContain(key.slice(16));
  });
});

describe('presets', () => {
  const otherKey = `sk_OtherKey1234_${'t'.repeat(43)}`;

  it('are taken by the first start, which never shows the key, and change nothing later', async () => {
    const first = await serving([], { env: PRESETS });
    expect(first.applicationId).toBe(PRESETS.TOUCHSTONE_BOOTSTRAP_APPLICATION_ID);
    expect((await sendSpans(first, PRESET_KEY)).status).toBe(200);
    expect(existsSync(`${data}/first-key`)).toBe(false);
    await stop(first);
    expect(first.stdout()).not.toContain('s'.repeat(43));

    const env = { ...PRESETS, TOUCHSTONE_BOOTSTRAP_ORG_ID: 'other', TOUCHSTONE_BOOTSTRAP_API_KEY: otherKey };
    const other = await serving([], { env });
    expect(other.stdout().match(/"level":"warn","message":"(?!the disk is)/g)).toHaveLength(1);
    expect(other.stdout()).toContain('were ignored: BOOTSTRAP_ORG_ID, BOOTSTRAP_API_KEY.');
    expect((await sendSpans(other, otherKey)).status).toBe(401);
    expect((await sendSpans(other, PRESET_KEY)).status).toBe(200);
    await stop(other);

    expect(await run(['keys', 'revoke', 'PresetKey123', '--data-dir', data])).toMatchObject({ code: 0 });
    await using same = await serving([], { env: PRESETS, terminal: true });
    expect((await sendSpans(same, PRESET_KEY)).status, 'a revoked preset key stays revoked').toBe(401);
    expect(same.stdout()).not.toContain('ignored');
    expect(same.stdout()).toContain(`keys create --application-id ${same.applicationId}`);
  });
});

describe('a later start', () => {
  it('after kill -9 has the lock and everything that was acknowledged, and says nothing but its log', async () => {
    const first = await serving();
    const key = firstKey();
    expect((await sendSpans(first, key)).status).toBe(200);
    first.child.kill('SIGKILL');
    expect((await first.ended).signal).toBe('SIGKILL');

    await using second = await serving();
    expect(second.applicationId).toBe(first.applicationId);
    expect(await traceCount(second, key)).toBe(1);
    await stop(second);
    const lines = second.stdout().trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
    // The log names a slow disk too.
    expect(messages.filter((message) => !message.startsWith('the disk is'))).toEqual([
      'listening',
      'stopping',
      'stopped',
    ]);
  });

  it('makes a first key again when the first start was interrupted before it was done', async () => {
    await stop(await serving());
    rmSync(`${data}/touchstone.db`);
    const stale = firstKey();
    await using server = await serving();
    expect(firstKey()).not.toBe(stale);
    expect((await sendSpans(server, firstKey())).status).toBe(200);
  });
});

describe('a signal', () => {
  /** A request whose body is still on its way: the rest, and its answer. */
  async function openRequest(server: Server, key: string, spans = SPANS) {
    const headers = { ...headersFor(server, key), expect: '100-continue' };
    const call = request(`${server.url}/v1/traces`, { method: 'POST', headers });
    const answer = once(call, 'response').then(
      ([response]) => (response as { statusCode: number }).statusCode,
    );
    answer.catch(() => undefined);
    call.flushHeaders();
    // The server has it, however slow the machine is.
    await once(call, 'continue');
    call.write(spans.slice(0, 50));
    return { finish: () => call.end(spans.slice(50)), answer };
  }

  it('lets a request in progress finish, and takes no new one', async () => {
    let key = '';
    for (const [stored, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
      await using server = await serving();
      key ||= firstKey();
      expect(await traceCount(server, key)).toBe(stored);
      const open = await openRequest(server, key, SPANS.replace('5b8e', `5b8${stored}`));
      server.child.kill(signal);
      const reach = (): Promise<string> =>
        fetch(`${server.url}/healthz`).then(
          () => 'open',
          () => 'closed',
        );
      await expect.poll(reach).toBe('closed');
      await expect(sendSpans(server, key)).rejects.toThrow('fetch failed');
      open.finish();
      expect(await open.answer).toBe(200);
      expect(await server.ended).toMatchObject({ code: 0, signal: null });
      expect(existsSync(`${data}/touchstone.db-wal`)).toBe(false);
    }
    await using next = await serving();
    expect(await traceCount(next, key)).toBe(2);
  });

  it('that arrives twice at once counts once', async () => {
    await using server = await serving();
    const open = await openRequest(server, firstKey());
    // Of two kinds, as the system may pass on two of a kind as one; and without a pause, which may become a long one.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) server.child.kill(signal);
    await server.sees(/stopping/);
    open.finish();
    expect(await open.answer).toBe(200);
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
  });

  it('that arrives again later ends it at once', async () => {
    await using server = await serving();
    const open = await openRequest(server, firstKey());
    server.child.kill('SIGTERM');
    await server.sees(/stopping/);
    await sleep(2_200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 1 });
    await expect(open.answer).rejects.toThrow('socket hang up');
  });

  it('interrupts what takes longer than ten seconds', async () => {
    await using server = await serving();
    const open = await openRequest(server, firstKey());
    server.child.kill('SIGTERM');
    await expect(open.answer).rejects.toThrow('socket hang up');
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('requests were aborted');
  });
});

describe('a start that is truncated by a signal', () => {
  it('ends well', async () => {
    await using program = start(['--port', '0', '--data-dir', data]);
    await program.sees(/Touchstone/);
    program.child.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
