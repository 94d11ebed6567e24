import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directCalls } from '../../src/cli/direct-calls.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { applicationsWithTraces } from '../../src/resources/retention/calls.ts';
import { measureDays } from '../../src/resources/retention/count-days.ts';
import { createLog } from '../../src/runtime/log.ts';
import { Organisations } from '../../src/runtime/organisations.ts';
import {
  type StoredBytes,
  type StoredBytesOptions,
  watchStoredBytes,
} from '../../src/server/stored-limit.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import type { Query } from '../../src/storage/calls.ts';
import { deleteTrace, purgeTrace, storeLogs } from '../../src/traces/calls.ts';
import { buildLogBatch } from '../../src/traces/log-batch.ts';
import { incomingLogs } from '../support/otlp-logs.ts';
import { BASE_MS, traceBytes } from '../support/spans.ts';
import { type Folder, openDatabase, storeArgs, temporaryFolder, writeSlice } from '../support/storage.ts';

let folder: Folder;
let database: SqliteDatabase;
let organisations: Organisations;
let lines: string[];
let watches: StoredBytes[];
let version: string;
let elapsedMs: number;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('touchstone.db'));
  organisations = new Organisations();
  lines = [];
  watches = [];
  version = '';
  elapsedMs = 0;
  for (const [index, orgId] of ['A', 'A', 'B'].entries()) {
    insertApplication(database, {
      id: randomUUID(),
      orgId,
      fields: withDefaults({ title: 'A', type: 'AGENT' }),
      at: BASE_MS,
    });
    organisations.assign(index + 1, orgId);
  }
});
afterEach(async () => {
  for (const watch of watches) await watch.stop();
  database.close();
  folder[Symbol.dispose]();
});

function watching(limit: number | null, read = directCalls(database).read): StoredBytes {
  const watch = watchStoredBytes({
    write: directCalls(database).write,
    read,
    now: () => BASE_MS,
    elapsed: () => elapsedMs,
    version: () => version,
    organisations,
    limit,
    log: createLog({ level: 'info', forPeople: false, write: (line) => void lines.push(line) }),
  });
  watches.push(watch);
  return watch;
}

/** Stores a span with a random text in each of two applications of A. */
async function store(trace: number, { id = 1, at = BASE_MS, bytes = 1_000 } = {}): Promise<void> {
  const { write } = directCalls(database);
  const attributes = { note: randomBytes(bytes).toString('base64') };
  for (const application of [1, 2])
    await writeSlice(write, storeArgs(application, [{ trace, id, attributes }], { at }));
}

async function remove(trace: number): Promise<void> {
  const { write } = directCalls(database);
  for (const application of [1, 2]) {
    const deleted = await write(deleteTrace, { application, traceIds: [traceBytes(trace)], at: BASE_MS });
    while (await write(purgeTrace, { tkey: deleted?.tkey ?? 0 }));
  }
}

/** Counts again, as if the store had changed. */
async function refresh(watch: StoredBytes): Promise<void> {
  version += 'x';
  elapsedMs += 3_600_000;
  await watch.refresh();
}

describe('the limit of stored bytes', () => {
  it('counts all applications of an organisation, and no others', async () => {
    await store(1);
    const watch = watching(2_000);
    expect(() => watch.admit(1)).not.toThrow();
    await watch.refresh();
    expect(organisations.storedBytes('A')).toBeGreaterThan(2_000);
    for (const application of [1, 2])
      expect(() => watch.admit(application)).toThrow(
        expect.objectContaining({ code: 'forbidden', retryAfter: null }),
      );
    expect(() => watch.admit(3)).not.toThrow();
  });

  it('counts log records, also those without a trace', async () => {
    const { write } = directCalls(database);
    await write(storeLogs, {
      application: 1,
      keyId: 'key',
      at: BASE_MS,
      requests: 1,
      batch: buildLogBatch(incomingLogs([{ body: randomBytes(2_000).toString('base64') }])),
      dropped: 0,
      rejected: {},
      rejections: [],
    });
    const watch = watching(2_000);
    await watch.refresh();
    expect(() => watch.admit(2)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(() => watch.admit(3)).not.toThrow();
  });

  it('counts once at the start, also when a tick falls into that count', async () => {
    await store(1);
    let counts = 0;
    const calls = directCalls(database);
    const read = ((query: Query, args: never) => {
      if (query === applicationsWithTraces) counts += 1;
      return calls.read(query, args);
    }) as StoredBytesOptions['read'];
    const watch = watching(2_000, read);
    await Promise.all([watch.refresh(), watch.refresh()]);
    expect(counts).toBe(1);
  });

  it('makes senders retry while what was stored since the last count exceeds it', async () => {
    const watch = watching(100_000);
    await watch.refresh();
    organisations.addStored(1, 60_000);
    expect(() => watch.admit(2)).not.toThrow();
    organisations.addStored(2, 60_000);
    for (const application of [1, 2])
      expect(() => watch.admit(application)).toThrow(
        expect.objectContaining({ code: 'rate_limited', retryAfter: 3 }),
      );
    expect(() => watch.admit(3)).not.toThrow();
    await refresh(watch);
    expect(() => watch.admit(1)).not.toThrow();
  });

  it.each([
    ['on the day of their arrival', BASE_MS],
    ['of days that were counted for the last time', BASE_MS - 30 * 86_400_000],
  ])('admits again once traces %s were deleted', async (_when, at) => {
    await store(1, { at });
    const watch = watching(2_000);
    await watch.refresh();
    expect(() => watch.admit(1)).toThrow('delete traces, shorten retention');
    await remove(1);
    await refresh(watch);
    expect(organisations.storedBytes('A')).toBe(0);
    expect(() => watch.admit(1)).not.toThrow();
  });

  it('counts late spans of traces whose day was counted for the last time', async () => {
    const days = 86_400_000;
    await store(1, { at: BASE_MS - 30 * days });
    const watch = watching(10_000);
    await watch.refresh();
    const before = organisations.storedBytes('A');
    await store(1, { id: 2, bytes: 5_000 });
    await refresh(watch);
    expect(organisations.storedBytes('A')).toBeGreaterThan(before + 8_000);
    expect(() => watch.admit(1)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it('counts near the limit at most a twentieth of the time, and else once an hour', async () => {
    await store(1);
    const watch = watching(1e9);
    await watch.refresh();
    await store(2);
    const counted = organisations.countedBytes('A');
    version += 'x';
    elapsedMs += 3_500_000;
    await watch.refresh();
    expect(organisations.countedBytes('A')).toBe(counted);
    organisations.addStored(1, 1e9);
    await watch.refresh();
    expect(organisations.countedBytes('A')).toBeGreaterThan(counted);
  });

  it('warns once from 80 % on', async () => {
    await store(1);
    await watching(1).refresh();
    lines = [];
    const watch = watching(Math.floor(organisations.storedBytes('A') / 0.85));
    await watch.refresh();
    await refresh(watch);
    expect(lines.filter((line) => line.includes('nearly as many bytes'))).toHaveLength(1);
    expect(() => watch.admit(1)).not.toThrow();
  });

  it('is none without a setting, and the bytes are those that retention has counted', async () => {
    await store(1);
    const watch = watching(null);
    await watch.refresh();
    expect(organisations.storedBytes('A')).toBe(0);
    for (const application of [1, 2])
      await measureDays(
        { ...directCalls(database), now: () => BASE_MS, isStopped: () => false },
        application,
      );
    await refresh(watch);
    expect(organisations.storedBytes('A')).toBeGreaterThan(2_000);
    expect(() => watch.admit(1)).not.toThrow();
  });
});
