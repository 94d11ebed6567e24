import type { ClaimedJob } from './claim.ts';

/**
 * Callbacks for a run of a kind that `waits`, so that jobs that only waited lose no attempt when the process dies.
 */
export interface RunProgress {
  /** The run waits for its turn from now on. */
  waits(): Promise<void>;
  /** Reports that the turn of the run has come. Await it before the work begins, which may crash the process. */
  begins(): Promise<void>;
}

/** Settings and work of the jobs of one kind. */
export interface JobKind {
  /**
   * Does the work. The command that stores its outcome calls finishJob, retryJob or buryJob with `job.id`, so that both
   * are kept or neither; when it fails before, the job is retried. Ends soon after `signal` aborts.
   */
  run(job: ClaimedJob, signal: AbortSignal, progress: RunProgress): Promise<void>;
  /** True if runs wait for a turn and report it. Default: false, a run begins at once. */
  waits?: boolean;
  /** Most runs at once in this process. */
  total: number;
  /** Most runs at once of one application: fewer than `total`, so that no application ever occupies all slots. */
  perApplication: number;
  /**
   * Number of runs that a job gets: those that `run` postpones itself count, and those that had begun when the
   * process died.
   */
  maxAttempts: number;
  /** Time that runs may go on after `stop` before their signals abort. Default: 10 s. */
  graceMs?: number;
}
