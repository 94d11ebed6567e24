import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { finishJob, retryJob } from '../../src/jobs/calls.ts';
import type { ClaimedJob } from '../../src/jobs/claim.ts';
import { jobCommands } from '../../src/jobs/operations.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { type Jobs, startJobs } from '../../src/jobs/runner.ts';
import { enqueueJob, jobNumbers, listDeadJobs } from '../../src/jobs/store.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { Command, Write } from '../../src/storage/calls.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { KIND } from './kind.ts';
import { Desk, type JobRow, newDatabase, NOW } from './support.ts';

/** Runs commands on the connection itself, one after another, each in a transaction of its own. */
function writeTo(database: SqliteDatabase): Write {
  const commands = jobCommands as Record<string, (database: SqliteDatabase, args: unknown) => unknown>;
  return (async (name: string, args: unknown) => {
    await new Promise(setImmediate);
    return database.transaction(() => commands[name]?.(database, args));
  }) as Write;
}

interface Bench {
  database: SqliteDatabase;
  write: Write;
  jobs: Jobs;
  clock: { now: number };
  lines: string[];
  /** The calls that reached the store. */
  calls: string[];
  enqueue(key: string, application?: number, dueAt?: number): void;
  rows(): JobRow[];
  metrics(): Promise<string>;
}

interface BenchOptions extends Partial<JobKind> {
  /** Fills the store before the start. */
  before?: (database: SqliteDatabase) => void;
  /** Fails a call to the store by throwing. */
  reject?: (name: string) => void;
  /** By default the store always seems to have changed. */
  version?: () => string;
}

/** A runner over a store of its own; its handler finishes the job unless another is given. */
function startBench(options: BenchOptions = {}): Bench {
  let changes = 0;
  const { before, reject, version = () => `${++changes}`, ...kind } = options;
  const database = newDatabase();
  before?.(database);
  const calls: string[] = [];
  const direct = writeTo(database);
  const write = (async (name: Command, args: never) => {
    calls.push(name);
    reject?.(name);
    return direct(name, args);
  }) as Write;
  const clock = { now: NOW };
  const lines: string[] = [];
  const metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error('not asked for')),
    jobNumbers: async () => jobNumbers(database),
    memory: { used: 0, limit: 0 },
  });
  const run = ({ id }: ClaimedJob): Promise<void> => direct(finishJob, id);
  const jobs = startJobs({
    write,
    kinds: { [KIND]: { run, total: 10, perApplication: 5, maxAttempts: 3, graceMs: 60_000, ...kind } },
    metrics,
    log: createLog({ level: 'debug', write: (line) => lines.push(line), forPeople: false }),
    now: () => clock.now,
    isShared: false,
    version,
  });
  onTestFinished(() => jobs.stop());
  const enqueue = (key: string, application = 1, dueAt = NOW): void =>
    enqueueJob(database, { application, kind: KIND, key, dueAt, at: NOW });
  const rows = (): JobRow[] => database.all<JobRow>('SELECT * FROM job ORDER BY key');
  return { database, write: direct, jobs, clock, lines, calls, enqueue, rows, metrics: () => metrics.text() };
}

/** A handler that ends only with its signal, and who it was called for. */
function hanging(): { run: JobKind['run']; seen: ClaimedJob[] } {
  const seen: ClaimedJob[] = [];
  const run = (job: ClaimedJob, signal: AbortSignal): Promise<void> => {
    seen.push(job);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
  return { run, seen };
}

describe('a runner', () => {
  it('does what waits from before, and what is enqueued while it runs', async () => {
    const bench = startBench({ before: (database) => new Desk(database).enqueue('before') });
    await bench.jobs.idle();
    expect(bench.rows()).toEqual([]);
    bench.enqueue('after');
    bench.jobs.wake();
    await bench.jobs.idle();
    expect(bench.rows()).toEqual([]);
    expect(await bench.metrics()).toContain('touchstone_job_runs_total{kind="work",outcome="settle"} 2');
    expect(bench.lines).toEqual([]);
  });

  it('runs again at its start what an earlier process was running', async () => {
    const bench = startBench({
      before: (database) => {
        const desk = new Desk(database);
        desk.enqueue('a');
        desk.claimOne();
      },
    });
    await bench.jobs.idle();
    expect(bench.rows()).toEqual([]);
  });

  it('never runs more at once than the kind and the application may', async () => {
    const counts = new Map<number, number>();
    let most = 0;
    let mostOfOne = 0;
    const bench: Bench = startBench({
      total: 4,
      perApplication: 3,
      before: (database) => {
        const desk = new Desk(database);
        for (let n = 0; n < 60; n++) desk.enqueue(`${n}`, 1 + (n % 2));
      },
      run: async ({ id, application }) => {
        const count = (counts.get(application) ?? 0) + 1;
        counts.set(application, count);
        mostOfOne = Math.max(mostOfOne, count);
        most = Math.max(
          most,
          counts.values().reduce((sum, one) => sum + one, 0),
        );
        for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
        counts.set(application, (counts.get(application) ?? 0) - 1);
        await bench.write(finishJob, id);
      },
    });
    await bench.jobs.idle();
    expect([most, mostOfOne]).toEqual([4, 2]);
    for (let n = 0; n < 20; n++) bench.enqueue(`${n}`);
    await bench.jobs.idle();
    expect([most, mostOfOne]).toEqual([4, 3]);
    expect(bench.rows()).toEqual([]);
  });

  it('claims many jobs with one command', async () => {
    const bench = startBench({
      before: (database) => {
        const desk = new Desk(database);
        for (let n = 0; n < 10; n++) desk.enqueue(`${n}`, n);
      },
    });
    await bench.jobs.idle();
    const firstEnd = bench.calls.indexOf('endRun');
    expect(bench.calls.slice(0, firstEnd)).toEqual(['openLease', 'leaveQueues', 'claimJobs']);
    expect(bench.calls.filter((name) => name === 'endRun')).toHaveLength(10);
  });

  it('looks for the job of a run only if the run has not reported its end', async () => {
    const bench = startBench({
      run: async ({ id, key }, _signal, progress) => {
        await bench.write(finishJob, id);
        if (key === 'reports') progress.ends();
      },
      before: (database) => {
        const desk = new Desk(database);
        for (const key of ['reports', 'silent']) desk.enqueue(key);
      },
    });
    await bench.jobs.idle();
    expect(bench.calls.filter((name) => name === 'endRun')).toHaveLength(1);
    expect(bench.rows()).toEqual([]);
    expect(await bench.metrics()).toContain('touchstone_job_runs_total{kind="work",outcome="settle"} 2');
  });

  it('starts the job of another application at once while one hangs in 10 000', async () => {
    const { run, seen } = hanging();
    const ofOther = Promise.withResolvers<void>();
    const bench = startBench({
      run: async (job, signal, progress) => {
        if (job.application === 1) return run(job, signal, progress);
        await bench.write(finishJob, job.id);
        ofOther.resolve();
      },
      before: (database) => {
        const desk = new Desk(database);
        for (let n = 0; n < 10_000; n++) desk.enqueue(`${n}`);
      },
      graceMs: 0,
    });
    await expect.poll(() => seen).toHaveLength(5);
    bench.enqueue('other', 2);
    bench.jobs.wake();
    await ofOther.promise;
    expect(seen).toHaveLength(5);
    await bench.jobs.stop();
    const states = bench.rows().map(({ state, attempts }) => `${state} ${attempts}`);
    expect(states).toHaveLength(10_000);
    expect(new Set(states)).toEqual(new Set(['waiting 0']));
  });
});

describe('a run that does not settle its job', () => {
  const failures: [string, () => Promise<void>, string][] = [
    ['fails', () => Promise.reject(new AppError('unavailable', 'no room')), 'no room'],
    [
      'throws what nobody foresaw',
      () => Promise.reject(new Error('secret')),
      'an unexpected error; see the log',
    ],
    [
      'throws before it begins to wait',
      () => {
        throw new AppError('invalid', 'odd');
      },
      'odd',
    ],
    ['just ends', () => Promise.resolve(), 'the run ended without an outcome'],
  ];
  it.each(failures)(
    'because it %s is retried after a while, and fails in the end',
    async (_what, run, reason) => {
      const runs: number[] = [];
      const bench = startBench({
        run: ({ attempt }) => {
          runs.push(attempt);
          return run();
        },
      });
      bench.enqueue('a');
      for (const least of [800, 1_600]) {
        await bench.jobs.idle();
        const [row] = bench.rows();
        expect(row).toMatchObject({ state: 'waiting', reason });
        const wait = (row?.due_at ?? 0) - bench.clock.now;
        expect(wait).toBeGreaterThanOrEqual(least);
        expect(wait).toBeLessThanOrEqual(least * 1.5);
        bench.clock.now += wait;
      }
      await bench.jobs.idle();
      expect(runs).toEqual([1, 2, 3]);
      expect(listDeadJobs(bench.database, { application: 1, limit: 2 })).toMatchObject([
        { key: 'a', attempts: 3, reason },
      ]);
      expect(bench.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { level: 'warn', kind: KIND, job: 'a', attempt: 1, outcome: 'retry' },
        { attempt: 2, outcome: 'retry' },
        { attempt: 3, outcome: 'bury' },
      ]);
      const text = await bench.metrics();
      expect(text).toContain('touchstone_job_runs_total{kind="work",outcome="retry"} 2');
      expect(text).toContain('touchstone_job_runs_total{kind="work",outcome="bury"} 1');
      expect(text).toContain('touchstone_jobs{kind="work",state="dead"} 1');
    },
  );

  it('because each took the process down fails without another run', async () => {
    const runs: string[] = [];
    const bench = startBench({
      run: async ({ key }) => void runs.push(key),
      before: (database) => {
        new Desk(database).enqueue('poison');
        for (let n = 0; n < 3; n++) new Desk(database).claimOne();
      },
    });
    await bench.jobs.idle();
    expect(runs).toEqual([]);
    expect(bench.rows()).toMatchObject([{ key: 'poison', state: 'dead', attempts: 4 }]);
  });
});

describe('a run that settles its job', () => {
  it('and fails after it, leaves the job as it settled it', async () => {
    const bench = startBench({
      run: async ({ id }) => {
        await bench.write(retryJob, { id, dueAt: NOW + 77, reason: 'not yet' });
        throw new Error('later');
      },
    });
    bench.enqueue('a');
    await bench.jobs.idle();
    expect(bench.rows()).toMatchObject([{ state: 'waiting', due_at: NOW + 77, reason: 'not yet' }]);
    expect(bench.lines.join()).toContain('"outcome":"settle"');
    expect(await bench.metrics()).toContain(
      'touchstone_jobs_oldest_due_timestamp_seconds{kind="work"} 1000.077',
    );
  });

  it('is followed by another when the job was requested meanwhile', async () => {
    const runs: number[] = [];
    const bench = startBench({
      run: async ({ id, attempt }) => {
        runs.push(attempt);
        if (runs.length === 1) bench.enqueue('a');
        await bench.write(finishJob, id);
      },
    });
    bench.enqueue('a');
    await bench.jobs.idle();
    expect(runs).toEqual([1, 1]);
    expect(bench.rows()).toEqual([]);
  });
});

describe('a store that rejects calls', () => {
  afterEach(() => vi.useRealTimers());
  const unavailable = (): never => {
    throw new AppError('unavailable', 'the disk is full');
  };

  it.each(['openLease', 'leaveQueues', 'claimJobs', 'endRun'])(
    'once at %s keeps the runner going',
    async (rejected) => {
      let left = 1;
      const bench = startBench({
        reject: (name) => (name === rejected && left-- > 0 ? unavailable() : undefined),
      });
      bench.enqueue('a');
      await bench.jobs.idle();
      expect(bench.rows()).toEqual([]);
      expect(bench.calls.filter((name) => name === rejected).length).toBeGreaterThan(1);
      expect(bench.lines.join()).toContain('the disk is full');
    },
  );

  it('does not keep the runner from stopping', async () => {
    const bench = startBench({
      reject: (name) => (name === 'endRun' ? unavailable() : undefined),
      run: () => Promise.resolve(),
    });
    bench.enqueue('a');
    bench.jobs.wake();
    await expect.poll(() => bench.calls).toContain('endRun');
    await bench.jobs.stop();
    expect(bench.rows()).toMatchObject([{ state: 'running' }]);
  });
});

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

describe('the time between claims', () => {
  afterEach(() => vi.useRealTimers());

  /** How many claims there are while so many milliseconds pass. */
  async function claimsIn(bench: Bench, ms: number): Promise<number> {
    const before = bench.calls.length;
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    return bench.calls.slice(before).filter((name) => name === 'claimJobs').length;
  }
  const startIdle = async (dueAt?: number): Promise<Bench> => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    const bench = startBench({
      before: (database) => {
        if (dueAt !== undefined) new Desk(database).enqueue('a', 1, dueAt);
      },
    });
    await bench.jobs.idle();
    return bench;
  };

  it.each([
    ['nothing waits', undefined, 1_000],
    ['the next job is due in an hour', NOW + 3_600_000, 1_000],
    ['the next job is due soon', NOW + 300, 300],
    ['the next job is due in a moment', NOW + 1, 50],
  ])('when %s (%d) is %d ms', async (_what, dueAt, ms) => {
    const bench = await startIdle(dueAt);
    expect(await claimsIn(bench, ms - 1)).toBe(0);
    expect(await claimsIn(bench, 1)).toBe(1);
  });

  it('lasts while the store does not change and no job is due', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    let changes = 0;
    const bench = startBench({ version: () => `${changes}` });
    bench.enqueue('a', 1, NOW + 90_000);
    await bench.jobs.idle();
    expect(await claimsIn(bench, 50_000)).toBe(0);
    changes += 1;
    expect(await claimsIn(bench, 1_000)).toBe(1);
    expect(await claimsIn(bench, 50_000)).toBe(0);
    bench.clock.now += 60_000;
    expect(await claimsIn(bench, 1_000)).toBe(1);
    expect(bench.rows()).toMatchObject([{ key: 'a', state: 'waiting' }]);
    bench.clock.now += 30_000;
    await claimsIn(bench, 1_000);
    expect(bench.rows()).toEqual([]);
  });

  it('ends with a wake', async () => {
    const bench = await startIdle();
    bench.jobs.wake();
    expect(await claimsIn(bench, 0)).toBe(1);
  });

  it('ends with a run, which leaves its slot to the next job', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    const bench = startBench({
      total: 1,
      before: (database) => {
        const desk = new Desk(database);
        for (const key of ['a', 'b', 'c']) desk.enqueue(key);
      },
    });
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(bench.rows()).toEqual([]);
  });

  it('is not shorter because jobs wait for a slot', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    const { run, seen } = hanging();
    const bench = startBench({ run, perApplication: 1, graceMs: 0 });
    for (const key of ['a', 'b', 'c']) bench.enqueue(key);
    bench.jobs.wake();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(seen).toHaveLength(1);
    expect(await claimsIn(bench, 999)).toBe(0);
    vi.useRealTimers();
  });
});

describe('stop', () => {
  it('lets what runs come to its end, and claims no more', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const bench = startBench({
      total: 1,
      run: async ({ id }, signal) => {
        started.resolve();
        await gate.promise;
        expect(signal.aborted).toBe(false);
        await bench.write(finishJob, id);
      },
    });
    bench.enqueue('a', 1, NOW - 1);
    bench.enqueue('b');
    bench.jobs.wake();
    await started.promise;
    let isOver = false;
    const stopped = bench.jobs.stop().then(() => (isOver = true));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(isOver).toBe(false);
    gate.resolve();
    await stopped;
    expect(bench.rows()).toMatchObject([{ key: 'b', state: 'waiting', attempts: 0 }]);
    expect(bench.lines).toEqual([]);
  });

  it('gives back what a claim in progress still brings', async () => {
    const stopped = Promise.withResolvers<void>();
    const { run, seen } = hanging();
    const bench: Bench = startBench({
      run,
      before: (database) => new Desk(database).enqueue('a'),
      reject: (name) => {
        if (name === 'claimJobs') stopped.resolve(bench.jobs.stop());
      },
    });
    await stopped.promise;
    expect(seen).toEqual([]);
    expect(bench.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });

  it('interrupts what runs too long; the run does not count', async () => {
    const { run, seen } = hanging();
    const bench = startBench({ run, graceMs: 1 });
    bench.enqueue('a');
    bench.jobs.wake();
    await expect.poll(() => seen).toHaveLength(1);
    await Promise.all([bench.jobs.stop(), bench.jobs.stop(), bench.jobs.idle()]);
    expect(bench.rows()).toMatchObject([
      { state: 'waiting', attempts: 0, due_at: NOW, reason: 'the service stopped' },
    ]);
  });
});

it('a kind of which one application could take all slots is not run', () => {
  expect(() => startBench({ total: 4, perApplication: 4 })).toThrow('could take all 4 slots');
});

describe('a kind whose runs wait for a turn', () => {
  const reporting = (bench: () => Bench): JobKind['run'] => {
    return async ({ id }, _signal, progress) => {
      await progress.waits();
      await progress.begins();
      await bench().write(finishJob, id);
    };
  };

  it('reports when work begins only for jobs that were interrupted before', async () => {
    const bench: Bench = startBench({
      waits: true,
      run: reporting(() => bench),
      before: (database) => {
        const desk = new Desk(database);
        desk.enqueue('cut');
        desk.claimOne(NOW, true);
        desk.enqueue('new');
      },
    });
    await bench.jobs.idle();
    expect(bench.rows()).toEqual([]);
    expect(bench.calls.filter((name) => name === 'markRun')).toHaveLength(3);
  });

  it('is the only one that reports', async () => {
    const bench: Bench = startBench({
      run: reporting(() => bench),
      before: (database) => {
        const desk = new Desk(database);
        desk.enqueue('cut');
        desk.claimOne();
      },
    });
    await bench.jobs.idle();
    expect(bench.calls).not.toContain('markRun');
  });
});

describe('the lease of a runner', () => {
  afterEach(() => vi.useRealTimers());
  const passTime = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };

  it('is renewed every five seconds while a job runs, and not while none does', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    const { run, seen } = hanging();
    const bench = startBench({ run, graceMs: 0, version: () => '' });
    const renewals = () => bench.calls.filter((name) => name === 'renewLease').length;
    await bench.jobs.idle();
    await passTime(60_000);
    expect(renewals()).toBe(0);
    bench.enqueue('a');
    bench.jobs.wake();
    await passTime(0);
    expect(seen).toHaveLength(1);
    await passTime(10_000);
    expect(renewals()).toBe(2);
    vi.useRealTimers();
  });

  it('is opened again when it is void, and the runs under it are aborted', async () => {
    const { run, seen } = hanging();
    const bench = startBench({ run, graceMs: 0 });
    bench.enqueue('a');
    bench.jobs.wake();
    await expect.poll(() => seen).toHaveLength(1);
    bench.database.run('DELETE FROM job_lease');
    bench.database.run(`UPDATE job SET state = 'waiting', lease = NULL, due_at = ?`, NOW);
    bench.jobs.wake();
    await expect.poll(() => seen).toHaveLength(2);
    expect(bench.rows()).toMatchObject([{ key: 'a', state: 'running', lease: 2 }]);
  });
});

describe('interrupted jobs of a kind that waits', () => {
  /** Jobs that an earlier process had claimed when it died. */
  const claimedBefore = (database: SqliteDatabase): void => {
    const desk = new Desk(database);
    for (const key of ['a', 'b', 'c', 'd', 'e']) desk.enqueue(key);
    desk.claim({ waits: true });
  };
  const begun = (bench: Bench): number =>
    bench.database.get<{ n: number }>('SELECT count(*) AS n FROM job WHERE begun = 1')?.n ?? 0;

  it('prepare their work one at a time, so that the next death costs one of them an attempt', async () => {
    const prepared: string[] = [];
    const next = { go: Promise.withResolvers<void>() };
    const run: JobKind['run'] = async ({ id, key }, _signal, progress) => {
      prepared.push(key);
      await next.go.promise;
      await progress.waits();
      await bench.write(finishJob, id);
    };
    const bench = startBench({ run, waits: true, before: claimedBefore });
    await expect.poll(() => [prepared.length, begun(bench)]).toEqual([1, 1]);
    next.go.resolve();
    await bench.jobs.idle();
    expect(prepared).toHaveLength(5);
    expect(bench.rows()).toEqual([]);
  });

  it('wait for a turn together, and then count as not begun', async () => {
    const end = Promise.withResolvers<void>();
    let waiting = 0;
    const run: JobKind['run'] = async ({ id }, _signal, progress) => {
      await progress.waits();
      waiting += 1;
      await end.promise;
      await bench.write(finishJob, id);
    };
    const bench = startBench({ run, waits: true, before: claimedBefore });
    await expect.poll(() => [waiting, begun(bench)]).toEqual([5, 0]);
    end.resolve();
    await bench.jobs.idle();
  });
});
