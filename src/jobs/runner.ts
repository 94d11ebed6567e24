import { AppError } from '../errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Write } from '../storage/calls.ts';
import { StoreWatch } from '../storage/store-watch.ts';
import { claimJobs, closeLease, leaveQueues, openLease, renewLease } from './calls.ts';
import type { JobKind } from './job-kind.ts';
import { JobQueue } from './job-queue.ts';
import { RENEWAL_MS } from './lease.ts';

const MIN_WAIT_MS = 50;
/** Longest wait for jobs that were enqueued without a wake, and for calls that the store rejected. */
const MAX_WAIT_MS = 1_000;

export interface JobsOptions {
  write: Write;
  kinds: Readonly<Record<string, JobKind>>;
  metrics: Pick<Metrics, 'jobRuns'>;
  /** Default: none. */
  traces?: OwnTraces;
  log: Log;
  now: () => number;
  /** True if other processes share the store; see `Storage`. */
  isShared: boolean;
  version: () => string;
}

export interface Jobs {
  /** Claims jobs at once. Call it after enqueuing. */
  wake(): void;
  /** Resolves when no job runs and none is due. */
  idle(): Promise<void>;
  /** Stops claiming, aborts running jobs after their grace time, and resolves when all have ended. */
  stop(): Promise<void>;
}

/** Starts running jobs, including those that an earlier process left unfinished. */
export const startJobs = (options: JobsOptions): Jobs => new Runner(options);

class Runner implements Jobs {
  private readonly options: JobsOptions;
  private readonly queues: ReadonlyMap<string, JobQueue>;
  private readonly watch: StoreWatch;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly working: Promise<void>;
  private readonly awaitingIdle: (() => void)[] = [];
  private lease: number | null = null;
  private woken = Promise.withResolvers<void>();
  private stopping: Promise<void> | null = null;

  constructor(options: JobsOptions) {
    const { kinds, version, now } = options;
    this.options = options;
    this.watch = new StoreWatch(version, now);
    this.queues = new Map(
      Object.entries(kinds).map(([name, kind]) => [
        name,
        new JobQueue({ ...options, name, kind, onFree: () => this.wake() }),
      ]),
    );
    this.heartbeat = setInterval(() => void this.renewLease(), RENEWAL_MS);
    this.heartbeat.unref();
    this.working = this.work();
  }

  wake(): void {
    this.woken.resolve();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.awaitingIdle.push(resolve);
      this.wake();
    });
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      this.woken = Promise.withResolvers();
      await this.claim();
      await this.sleep();
    }
  }

  /** Claims jobs for the slots that are free, and starts them. */
  private async claim(): Promise<void> {
    const { write, log, now } = this.options;
    const wanted = [...this.queues.values()].map((queue) => queue.wanted).filter(({ limit }) => limit > 0);
    if (wanted.length === 0) return;
    const asked = this.awaitingIdle.splice(0);
    try {
      await this.watch.look(async () => {
        this.lease ??= await this.openLease();
        const claims = await write(claimJobs, { lease: this.lease, now: now(), wanted });
        for (const job of claims.jobs) this.queues.get(job.kind)?.add(job);
        return claims.nextDueAt;
      });
      if (this.isQuiet) for (const resolve of asked.splice(0)) resolve();
    } catch (error) {
      if (!this.hasLostLease(error)) log.warn('jobs could not be claimed; retrying', { error });
    }
    this.awaitingIdle.push(...asked);
  }

  /** Sleeps until woken, or until a job may be due. */
  private async sleep(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      const waitMs = Math.min(Math.max(this.watch.waitMs, MIN_WAIT_MS), MAX_WAIT_MS);
      timer = setTimeout(() => (this.watch.isDue ? this.wake() : wait()), waitMs);
      timer.unref();
    };
    wait();
    await this.woken.promise;
    clearTimeout(timer);
  }

  private get isQuiet(): boolean {
    return this.queues.values().every((queue) => queue.isEmpty);
  }

  /** Opens a lease, which takes over the jobs of processes that no longer run, and returns its number. */
  private async openLease(): Promise<number> {
    const { write, isShared, kinds, now } = this.options;
    const lease = await write(openLease, { isShared, now: now() });
    while (await write(leaveQueues, { kinds: Object.keys(kinds) }));
    return lease;
  }

  /** Renews the lease while jobs run; claims renew it too. */
  private async renewLease(): Promise<void> {
    const { write, log, now } = this.options;
    if (this.lease === null || this.isQuiet) return;
    try {
      await write(renewLease, { lease: this.lease, now: now() });
    } catch (error) {
      if (!this.hasLostLease(error)) log.warn('the lease of the jobs could not be renewed', { error });
    }
  }

  /**
   * Reports whether the lease was lost, as happens when no job runs or when this process was suspended. Other
   * processes then run its jobs.
   */
  private hasLostLease(error: unknown): boolean {
    if (!(error instanceof AppError) || error.code !== 'conflict') return false;
    this.lease = null;
    for (const queue of this.queues.values()) queue.abort();
    this.wake();
    return true;
  }

  /** Gives back what is left to other processes. Alone, the next start does that, also after a crash. */
  private async closeLease(): Promise<void> {
    const { write, log, now, isShared } = this.options;
    if (!isShared || this.lease === null) return;
    try {
      await write(closeLease, { lease: this.lease, now: now() });
    } catch (error) {
      log.warn('the lease of the jobs was not ended; it expires', { error });
    }
  }

  private async end(): Promise<void> {
    this.wake();
    const queues = [...this.queues.values()];
    for (const queue of queues) queue.close();
    await this.working;
    await Promise.all(queues.map((queue) => queue.ended()));
    clearInterval(this.heartbeat);
    await this.closeLease();
    for (const resolve of this.awaitingIdle.splice(0)) resolve();
  }
}
