import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { AppError } from '../errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { NO_TRACES, type OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Write } from '../storage/calls.ts';
import { backOffMs } from './back-off.ts';
import { endRun, markRun } from './calls.ts';
import type { ClaimedJob, JobOfOrganisation, Served, WantedJobs } from './claim.ts';
import type { JobKind } from './job-kind.ts';
import type { EndRun } from './store.ts';

/** Pause before the end of a run is stored again, after the store rejected it. */
const RETRY_MS = 1_000;
const GRACE_MS = 10_000;
/** Part of the slots that one organisation may occupy, however many applications it has. */
const LARGEST_SHARE = 3 / 4;
/** Most organisations whose last turn is remembered. */
const MAX_SERVED = 1_000;
const STOPPED = 'the service stopped';

export interface JobQueueOptions {
  name: string;
  kind: JobKind;
  write: Write;
  metrics: Pick<Metrics, 'jobRuns'>;
  traces?: OwnTraces;
  log: Log;
  now: () => number;
  /** Called when a slot becomes free. */
  onFree: () => void;
}

/** Runs the claimed jobs of one kind, as many at once as the kind allows. */
export class JobQueue {
  private readonly options: JobQueueOptions;
  private readonly queue: PQueue;
  private readonly running = new Set<AbortController>();
  /** The last application of each organisation that was served, the longest ago first. */
  private readonly lastServed = new Map<string, Served>();
  /** Turns of interrupted jobs to prepare their work; see `prepareAlone`. */
  private readonly suspects = new PQueue({ concurrency: 1 });
  private isStopping = false;
  private abortTimer: NodeJS.Timeout | undefined;

  constructor(options: JobQueueOptions) {
    const { name, kind, onFree } = options;
    if (kind.total > 1 && kind.perApplication >= kind.total)
      throw new Error(`jobs of kind ${name}: one application could take all ${kind.total} slots`);
    this.options = options;
    this.queue = new PQueue({ concurrency: kind.total });
    this.queue.addEventListener('next', onFree);
  }

  get isEmpty(): boolean {
    return this.queue.pending + this.queue.size === 0;
  }

  /** Jobs that the free slots can take. */
  get wanted(): WantedJobs {
    const { name, kind } = this.options;
    const { total, perApplication, waits = false } = kind;
    const limit = total - this.queue.pending - this.queue.size;
    const perOrganisation = Math.max(perApplication, Math.floor(total * LARGEST_SHARE));
    const lastServed = [...this.lastServed.values()];
    return { kind: name, limit, total, perApplication, perOrganisation, lastServed, waits };
  }

  add(job: JobOfOrganisation): void {
    const { organisation, application } = job;
    this.lastServed.delete(organisation);
    this.lastServed.set(organisation, { organisation, application });
    const [oldest] = this.lastServed.keys();
    if (this.lastServed.size > MAX_SERVED && oldest !== undefined) this.lastServed.delete(oldest);
    void this.queue.add(() => this.perform(job));
  }

  /** Aborts all runs. */
  abort(): void {
    for (const controller of this.running) controller.abort();
  }

  /**
   * Stops starting runs; jobs that are added from now on are released. Runs that exceed their time limit are
   * aborted.
   */
  close(): void {
    this.isStopping = true;
    const { graceMs = GRACE_MS } = this.options.kind;
    this.abortTimer = setTimeout(() => this.abort(), graceMs);
  }

  /** Resolves when all runs have ended. */
  async ended(): Promise<void> {
    await this.queue.onIdle();
    clearTimeout(this.abortTimer);
  }

  private async perform(job: ClaimedJob): Promise<void> {
    const { kind, name, traces = NO_TRACES } = this.options;
    // A run that crashes the process never reaches the end of this function.
    if (job.attempt > kind.maxAttempts)
      return this.settle(job, 'bury', 'the job reached its maximum number of runs');
    if (this.isStopping) return this.settle(job, 'release', STOPPED);
    const controller = new AbortController();
    this.running.add(controller);
    let reason = 'the run ended without an outcome';
    let error: unknown;
    let hasEnded = false;
    try {
      await traces.root(
        { name: `job ${name}`, attributes: { 'touchstone.job.attempt': job.attempt } },
        async () => this.run(job, controller.signal, () => (hasEnded = true)),
      );
    } catch (thrown) {
      error = thrown;
      reason = thrown instanceof AppError ? thrown.message : 'an unexpected error; see the log';
    }
    this.running.delete(controller);
    if (hasEnded && error === undefined) {
      this.options.metrics.jobRuns.inc({ kind: job.kind, outcome: 'settle' });
      return;
    }
    if (controller.signal.aborted) return this.settle(job, 'release', STOPPED, error);
    return this.settle(job, job.attempt < kind.maxAttempts ? 'retry' : 'bury', reason, error);
  }

  private async run(job: ClaimedJob, signal: AbortSignal, ends: () => void): Promise<void> {
    const { kind, write } = this.options;
    if (!kind.waits || job.cuts === 0)
      return kind.run(job, signal, { waits: async () => {}, begins: async () => {}, ends });
    const mark = (begun: boolean): Promise<void> => write(markRun, { id: job.id, begun });
    const release = await this.prepareAlone(job, signal);
    try {
      const waits = async (): Promise<void> => {
        await mark(false);
        release();
      };
      await kind.run(job, signal, { waits, begins: () => mark(true), ends });
    } finally {
      release();
    }
  }

  /**
   * Waits until no other interrupted job prepares its work, and marks this one as begun: preparing may be what crashes the
   * process, and then it costs only this job an attempt. The caller releases the turn.
   */
  private async prepareAlone({ id }: ClaimedJob, signal: AbortSignal): Promise<() => void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasTurn, resolve: takeTurn } = Promise.withResolvers<void>();
    void this.suspects.add(() => {
      takeTurn();
      return released;
    });
    try {
      await hasTurn;
      signal.throwIfAborted();
      await this.options.write(markRun, { id, begun: true });
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Stores the end of a run, and retries until that succeeds: a job that is never settled would occupy its
   * slot until the next start.
   */
  private async settle(
    job: ClaimedJob,
    fate: EndRun['fate'],
    reason: string,
    error?: unknown,
  ): Promise<void> {
    const { write, metrics, log, now } = this.options;
    const { id, kind, key, attempt } = job;
    const dueAt = now() + (fate === 'retry' ? backOffMs(attempt, Math.random) : 0);
    try {
      const outcome = (await write(endRun, { id, fate, dueAt, reason })) ? fate : 'settle';
      metrics.jobRuns.inc({ kind, outcome });
      if (error === undefined && outcome === 'settle') return;
      log.warn('a run of a job failed', { kind, job: key, attempt, outcome, reason, error });
    } catch (rejection) {
      log.warn('the outcome of a job could not be stored', { kind, job: key, attempt, error: rejection });
      if (this.isStopping) return;
      await delay(RETRY_MS);
      await this.settle(job, fate, reason, error);
    }
  }
}
