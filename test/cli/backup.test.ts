import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { requestOf } from '../support/otlp-json.ts';
import { type Ended, run } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { until } from '../support/until.ts';

let folder: Folder;
let data: string;
let good: string;
let withKey: string;
/** Traces that were acknowledged before the first backup began. */
let acknowledged: Set<string>;
let backedUp: { first: Ended; second: Ended; others: number };
const presets = newPresets();

/** Sends one trace a request, over several connections, until it is stopped. */
class Load {
  readonly acknowledged: string[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  constructor(server: ChildServer) {
    this.running = [1, 2, 3, 4].map(() => this.send(server));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  private async send(server: ChildServer): Promise<void> {
    while (!this.isStopped) {
      const traceId = randomBytes(16).toString('hex');
      const body = requestOf({
        traceId,
        spanId: randomBytes(8).toString('hex'),
        name: 'call',
        startTimeUnixNano: '1790000000000000000',
        endTimeUnixNano: '1790000000500000000',
      });
      const headers = { ...server.headers, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body });
      if (response.status === 200) this.acknowledged.push(traceId);
    }
  }
}

beforeAll(async () => {
  folder = temporaryFolder();
  data = folder.file('data');
  good = folder.file('good.backup');
  withKey = folder.file('with-key.backup');
  const server = await ChildServer.start({ dataDir: data, presets });
  const load = new Load(server);
  await until(() => load.acknowledged.length > 200);
  acknowledged = new Set(load.acknowledged);
  const first = await run(['backup', good, '--data-dir', data, '--json']);
  const second = await run(['backup', withKey, '--data-dir', data, '--with-secret-key']);
  backedUp = { first, second, others: load.acknowledged.length - acknowledged.size };
  await load.stop();
  await server.stop('SIGKILL');
});
afterAll(() => folder[Symbol.dispose]());

const restoreTo = (file: string, name: string, ...flags: string[]): Promise<Ended> =>
  run(['restore', file, '--data-dir', folder.file(name), ...flags]);

function storedIn(name: string): Set<string> {
  const store = new Sqlite(`${folder.file(name)}/touchstone.db`, { readonly: true });
  try {
    const ids = store.prepare<[], string>('SELECT lower(hex(trace_id)) FROM trace').pluck().all();
    return new Set(ids);
  } finally {
    store.close();
  }
}

const saying = (text: string | RegExp): unknown => expect.stringMatching(text);

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('a backup under load', () => {
  it('is one checked file of its user, while the server continues', () => {
    const { first, second, others } = backedUp;
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({
      file: good,
      includesSecretKey: false,
    });
    expect(second.stdout).toMatch(/It includes the secret key/);
    expect(modeOf(good)).toBe('600');
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'good.backup', 'with-key.backup']);
    expect(others).toBeGreaterThan(0);
  });

  it('is read by any SQLite', () => {
    const store = new Sqlite(good, { readonly: true });
    expect(store.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(store.pragma('journal_mode', { simple: true })).toBe('delete');
    store.close();
  });

  it('has all that was acknowledged before it began, and a server starts over it', async () => {
    const { code, stdout, stderr } = await restoreTo(good, 'restored');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Restored .* traces, .* bytes, as of /);
    expect(stdout).toMatch(/The secret key \([\da-f]{8}\) is not in the backup: copy it to/);
    expect(modeOf(folder.file('restored'))).toBe('700');
    expect(modeOf(folder.file('restored/touchstone.db'))).toBe('600');
    const stored = storedIn('restored');
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size).toBe((JSON.parse(backedUp.first.stdout) as { traces: number }).traces);

    const server = await ChildServer.start({ dataDir: folder.file('restored'), presets });
    const response = await fetch(`${server.url}/v0/traces?limit=1`, { headers: server.headers });
    expect(await response.json()).toMatchObject({ pagination: { total: stored.size } });
    await server.stop('SIGTERM');
  });
});

describe('restore', () => {
  it('brings the key if the backup includes it', async () => {
    const { stdout } = await restoreTo(withKey, 'keyed', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ key: 'restored', replaced: null });
    expect(stdout).not.toContain('secretKey');
    expect(readFileSync(folder.file('keyed/secret.key'))).toEqual(readFileSync(`${data}/secret.key`));
    expect(modeOf(folder.file('keyed/secret.key'))).toBe('600');
  });

  it('rejects a folder that a server uses', async () => {
    const server = await ChildServer.start({ dataDir: folder.file('busy'), presets });
    expect(await restoreTo(good, 'busy', '--replace')).toMatchObject({
      code: 1,
      stderr: saying('is in use by another Touchstone server'),
    });
    await server.stop('SIGTERM');
  });

  it('rejects a folder with a store, or moves that aside with the option for it', async () => {
    await restoreTo(good, 'twice');
    expect(await restoreTo(good, 'twice')).toMatchObject({
      code: 1,
      stderr: saying('contains a store; choose another data folder'),
    });
    const { stdout } = await restoreTo(withKey, 'twice', '--replace', '--json');
    const { replaced } = JSON.parse(stdout) as { replaced: string };
    expect(existsSync(`${replaced}/touchstone.db`)).toBe(true);
    expect(modeOf(replaced)).toBe('700');
  });

  const DAMAGED: readonly (readonly [string, (file: string) => void, RegExp])[] = [
    [
      'the last byte is missing',
      (file) => truncateSync(file, statSync(file).size - 1),
      /is not a backup of Touchstone, or its end is missing/,
    ],
    [
      'half is missing',
      (file) => truncateSync(file, statSync(file).size / 2),
      /is not a backup of Touchstone, or its end is missing/,
    ],
    [
      'a byte of a page was changed',
      (file) => changeByte(file, statSync(file).size / 2),
      /is damaged: the SHA-256 of its database is another one/,
    ],
    [
      'a byte of the description was changed',
      (file) => changeByte(file, statSync(file).size - 200),
      /is damaged: its description was changed/,
    ],
    ['it is another file', (file) => writeFileSync(file, 'text'), /is not a backup of Touchstone/],
  ];
  it.each(DAMAGED)('rejects a backup when %s, and leaves nothing', async (name, damage, message) => {
    const file = folder.file('damaged.backup');
    copyFileSync(good, file);
    damage(file);
    const target = `after ${name}`;
    expect(await restoreTo(file, target)).toMatchObject({ code: 1, stderr: saying(message) });
    const left = existsSync(folder.file(target)) ? readdirSync(folder.file(target)) : [];
    expect(left.filter((entry) => entry !== 'lock.db')).toEqual([]);
  });

  it('rejects a file that does not exist', async () => {
    expect(await restoreTo(folder.file('none'), 'no')).toMatchObject({
      code: 1,
      stderr: saying('cannot be read .ENOENT.'),
    });
  });
});

function changeByte(file: string, position: number): void {
  const bytes = readFileSync(file);
  const at = Math.floor(position);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('backup', () => {
  it('replaces no file without the option for it', async () => {
    const again = (...flags: string[]): Promise<Ended> =>
      run(['backup', withKey, '--data-dir', data, ...flags]);
    expect(await again()).toMatchObject({
      code: 1,
      stderr: saying('exists; choose another name'),
    });
    expect(await again('--overwrite')).toMatchObject({ code: 0 });
  });

  it('needs a store, a file and a folder for it', async () => {
    expect(await run(['backup', '--data-dir', data])).toMatchObject({
      code: 1,
      stderr: 'backup takes one file: the backup to write.\n',
    });
    expect(await run(['backup', folder.file('x'), '--data-dir', folder.file('nothing')])).toMatchObject({
      code: 1,
      stderr: saying('There is no store in'),
    });
    expect(await run(['backup', folder.file('no/x'), '--data-dir', data])).toMatchObject({
      code: 1,
      stderr: saying('cannot be written .the path does not exist.'),
    });
  });
});
