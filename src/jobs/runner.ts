import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { AppError } from '../errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Call } from '../storage/operations.ts';
import { backOffMs } from './back-off.ts';
import type { ClaimedJob } from './claim.ts';
import type { jobCommands } from './operations.ts';
import type { EndRun } from './store.ts';

const MIN_WAIT_MS = 50;
/** Jobs that were enqueued without a poke wait no longer than this; so do calls that the store refused. */
const MAX_WAIT_MS = 1_000;
const GRACE_MS = 10_000;
const STOPPED = 'the service stopped';

/** What a run of a kind that `waits` reports, so that jobs that only waited lose no attempt when the process dies. */
export interface RunProgress {
  /** The run waits for its turn from now on. */
  waits(): Promise<void>;
  /** Its turn has come. To be awaited before the work begins, which may bring the process down. */
  begins(): Promise<void>;
}

/** How the jobs of one kind are done. */
export interface JobKind {
  /**
   * Does the work. The command that stores its outcome calls finishJob, retryJob or buryJob with `job.id`, so that both
   * are kept or neither; when it fails before, the job is retried. Ends soon after `signal` aborts.
   */
  run(job: ClaimedJob, signal: AbortSignal, progress: RunProgress): Promise<void>;
  /** Whether runs wait for a turn and report it. Default: false, a run begins at once. */
  waits?: boolean;
  /** How many run at once in all, and of one application: fewer, so that no application ever has all the slots. */
  total: number;
  perApplication: number;
  /**
   * How many runs a job gets: those that `run` puts off itself count, and those that had begun when the process died.
   */
  maxAttempts: number;
  /** How long runs may go on after `stop` before their signals abort. Default: 10 s. */
  graceMs?: number;
}

export interface JobsOptions {
  write: Call<typeof jobCommands>;
  kinds: Readonly<Record<string, JobKind>>;
  metrics: Pick<Metrics, 'jobRuns'>;
  log: Log;
  now: () => number;
}

export interface Jobs {
  /** To be called when jobs were enqueued: claims at once. */
  poke(): void;
  /** Resolves when nothing runs and nothing is due. */
  idle(): Promise<void>;
  /** Claims no more, aborts what runs after a while, and resolves when all of it has ended. */
  stop(): Promise<void>;
}

interface Lane {
  name: string;
  kind: JobKind;
  queue: PQueue;
  underWay: Set<AbortController>;
  lastServed: number;
}

/** Runs jobs from now on. Whatever an earlier process was running is run again. */
export function startJobs({ write, kinds, metrics, log, now }: JobsOptions): Jobs {
  const lanes: Lane[] = Object.entries(kinds).map(([name, kind]) => {
    if (kind.total > 1 && kind.perApplication >= kind.total)
      throw new Error(`jobs of kind ${name}: one application could take all ${kind.total} slots`);
    const queue = new PQueue({ concurrency: kind.total });
    queue.addEventListener('next', poke);
    return { name, kind, queue, underWay: new Set(), lastServed: 0 };
  });
  let epoch: number | null = null;
  const awaitingIdle: (() => void)[] = [];
  let woken = Promise.withResolvers<void>();
  let stopping: Promise<void> | null = null;
  const working = work();

  function poke(): void {
    woken.resolve();
  }

  async function work(): Promise<void> {
    for (;;) {
      if (stopping) return;
      woken = Promise.withResolvers();
      const timer = setTimeout(poke, await claim());
      timer.unref();
      await woken.promise;
      clearTimeout(timer);
    }
  }

  /** Takes over what an earlier process left; the number of the epoch. */
  async function open(): Promise<number> {
    const opened = await write('openEpoch', { now: now() });
    while (await write('leaveLanes', { kinds: Object.keys(kinds) }));
    return opened;
  }

  /** Claims for the slots that are free; how long to wait for the next time, in milliseconds. */
  async function claim(): Promise<number> {
    const wanted = lanes
      .map(({ name, kind: { total, perApplication, waits = false }, queue, lastServed }) => {
        const limit = total - queue.pending - queue.size;
        return { kind: name, limit, total, perApplication, lastServed, waits };
      })
      .filter(({ limit }) => limit > 0);
    if (wanted.length === 0) return MAX_WAIT_MS;
    const asked = awaitingIdle.splice(0);
    try {
      epoch ??= await open();
      const { jobs, nextDueAt } = await write('claimJobs', { epoch, now: now(), wanted });
      for (const job of jobs) start(job);
      if (isQuiet()) for (const resolve of asked) resolve();
      else awaitingIdle.push(...asked);
      return Math.min(Math.max((nextDueAt ?? Infinity) - now(), MIN_WAIT_MS), MAX_WAIT_MS);
    } catch (error) {
      awaitingIdle.push(...asked);
      log.warn('jobs could not be claimed; it is tried again', { error });
      return MAX_WAIT_MS;
    }
  }

  function isQuiet(): boolean {
    return lanes.every(({ queue }) => queue.pending + queue.size === 0);
  }

  function start(job: ClaimedJob): void {
    const lane = lanes.find(({ name }) => name === job.kind) as Lane;
    lane.lastServed = job.application;
    void lane.queue.add(() => perform(job, lane));
  }

  async function perform(job: ClaimedJob, { kind, underWay }: Lane): Promise<void> {
    // A run that takes the process down with it never gets to the end of this function.
    if (job.attempt > kind.maxAttempts) return settle(job, 'bury', 'it has had all its runs');
    if (stopping) return settle(job, 'release', STOPPED);
    const controller = new AbortController();
    underWay.add(controller);
    let reason = 'its run ended without an outcome';
    let error: unknown;
    try {
      await kind.run(job, controller.signal, progressOf(job, kind));
    } catch (thrown) {
      error = thrown;
      reason = thrown instanceof AppError ? thrown.message : 'an unexpected error, which the log tells of';
    }
    underWay.delete(controller);
    if (controller.signal.aborted) return settle(job, 'release', STOPPED, error);
    return settle(job, job.attempt < kind.maxAttempts ? 'retry' : 'bury', reason, error);
  }

  function progressOf({ id, cuts }: ClaimedJob, { waits }: JobKind): RunProgress {
    const mark = async (begun: boolean): Promise<void> => {
      if (waits && cuts > 0) await write('markRun', { id, begun });
    };
    return { waits: () => mark(false), begins: () => mark(true) };
  }

  /** Ends a run for good: a job that nobody settles would keep its slot until the next start. */
  async function settle(
    job: ClaimedJob,
    fate: EndRun['fate'],
    reason: string,
    error?: unknown,
  ): Promise<void> {
    const { id, kind, key, attempt } = job;
    const dueAt = now() + (fate === 'retry' ? backOffMs(attempt, Math.random) : 0);
    try {
      const outcome = (await write('endRun', { id, fate, dueAt, reason })) ? fate : 'settle';
      metrics.jobRuns.inc({ kind, outcome });
      if (error === undefined && outcome === 'settle') return;
      log.warn('a run of a job failed', { kind, job: key, attempt, outcome, reason, error });
    } catch (refusal) {
      log.warn('the end of a job could not be stored', { kind, job: key, attempt, error: refusal });
      if (stopping) return;
      await delay(MAX_WAIT_MS);
      await settle(job, fate, reason, error);
    }
  }

  async function end(): Promise<void> {
    poke();
    const cuts = lanes.map(({ kind: { graceMs = GRACE_MS }, underWay }) =>
      setTimeout(() => {
        for (const controller of underWay) controller.abort();
      }, graceMs),
    );
    await working;
    await Promise.all(lanes.map(({ queue }) => queue.onIdle()));
    for (const cut of cuts) clearTimeout(cut);
    for (const resolve of awaitingIdle.splice(0)) resolve();
  }

  return {
    poke,
    idle: () =>
      new Promise((resolve) => {
        awaitingIdle.push(resolve);
        poke();
      }),
    stop: () => (stopping ??= end()),
  };
}
