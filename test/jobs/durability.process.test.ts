import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buryJob, claimJobs, enqueueJob as enqueueJobCommand, openLease } from '../../src/jobs/calls.ts';
import { enqueueJob } from '../../src/jobs/store.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';
import { KIND } from './kind.ts';
import { finishWork, startThread } from './thread.ts';

const JOBS = 300;
const KILLS = 4;
/** Jobs that may be in progress at once in the child. */
const TOTAL = 8;

/** A folder with a store where the commands of the threads find their tables. */
function newFolder(): Folder {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  use(folder, ({ connection }) => {
    connection.exec('CREATE TABLE begun (key TEXT); CREATE TABLE done (key TEXT)');
  });
  return folder;
}

function use<T>(folder: Folder, run: (database: SqliteDatabase) => T): T {
  const database = openDatabase(folder.file('store.db'));
  try {
    return run(database);
  } finally {
    database.connection.close();
  }
}

/** Has another process do the jobs until it has finished so many and kills itself, or until none is left. */
async function work(
  folder: Folder,
  killAfter: number | null,
): Promise<{ code: number | null; errors: string }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'child.ts'), folder.file('store.db'), ...(killAfter ? [`${killAfter}`] : [])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

describe('jobs of processes that are killed in the middle', () => {
  it('are all done, each once, and begun again only where a process ended in them', async () => {
    const folder = newFolder();
    use(folder, (database) =>
      database.connection.transaction(() => {
        for (let n = 0; n < JOBS; n++)
          enqueueJob(database, { application: n % 5, kind: KIND, key: `${n}`, dueAt: n, at: n });
      })(),
    );
    for (let kill = 0; kill < KILLS; kill++) expect((await work(folder, 20 + kill)).code).toBeNull();
    expect(use(folder, (database) => database.get('SELECT count(*) > 0 AS some FROM job'))).toEqual({
      some: 1,
    });
    expect(await work(folder, null)).toEqual({ code: 0, errors: '' });

    use(folder, (database) => {
      expect(database.get('SELECT count(*) AS n FROM job')).toEqual({ n: 0 });
      const done = 'SELECT count(*) AS n, count(DISTINCT key) AS keys FROM done';
      expect(database.get(done)).toEqual({ n: JOBS, keys: JOBS });
      const begun = database.get<{ n: number }>('SELECT count(*) AS n FROM begun')?.n ?? 0;
      expect(begun).toBeGreaterThanOrEqual(JOBS);
      expect(begun).toBeLessThanOrEqual(JOBS + KILLS * TOTAL);
      expect(database.connection.pragma('integrity_check', { simple: true })).toBe('ok');
    });
  });
});

describe('the commands of jobs in the thread of the writer', () => {
  it('keep what was enqueued and finish what was claimed, through a new start', async () => {
    const folder = newFolder();
    const file = folder.file('store.db');
    const now = 5;
    const wanted = [
      { kind: KIND, limit: 9, total: 9, perApplication: 9, perOrganisation: 9, lastServed: [] },
    ];
    const first = startThread(file);
    const [lease] = await Promise.all([
      first.write(openLease, { now, isShared: false }),
      ...['a', 'b', 'c'].map((key) =>
        first.write(enqueueJobCommand, { application: 1, kind: KIND, key, dueAt: now, at: now }),
      ),
    ]);
    const { jobs } = await first.write(claimJobs, { lease, now, wanted });
    expect(jobs.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await first.write(finishWork, { id: jobs[0]?.id ?? 0, key: 'a' });
    await first.write(buryJob, { id: jobs[1]?.id ?? 0, reason: 'hopeless' });
    await first.close();

    const second = startThread(file);
    const later = await second.write(openLease, { now, isShared: false });
    expect(await second.write(claimJobs, { lease: later, now, wanted })).toMatchObject({
      jobs: [{ key: 'c', attempt: 2 }],
    });
    await expect(second.write(claimJobs, { lease, now, wanted })).rejects.toMatchObject({
      code: 'conflict',
    });
    await second.close();
    const rows = use(folder, (database) => database.all('SELECT key, state FROM job ORDER BY key'));
    expect(rows).toEqual([
      { key: 'b', state: 'dead' },
      { key: 'c', state: 'running' },
    ]);
  });
});
