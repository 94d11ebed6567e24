import type { ClaimedJob } from './claim.ts';

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
  /** How many run at once in this process. */
  total: number;
  /** How many of one application run at once: fewer than `total`, so that no application ever has all the slots. */
  perApplication: number;
  /**
   * How many runs a job gets: those that `run` puts off itself count, and those that had begun when the process died.
   */
  maxAttempts: number;
  /** How long runs may go on after `stop` before their signals abort. Default: 10 s. */
  graceMs?: number;
}
