import type { ClaimedJob } from './claim.ts';

/** Callbacks for a run. Those of a kind that `waits` keep jobs that were only waiting from losing an attempt when the process dies. */
export interface RunProgress {
  /** Reports that the run waits for its turn. */
  waits(): Promise<void>;
  /** Reports that the turn of the run has come. Await it before the work begins, which may crash the process. */
  begins(): Promise<void>;
  /**
   * Reports that the command with the outcome has been committed, which saves the command that looks for a job without one. Not
   * required.
   */
  ends(): void;
}

/** Settings and work of the jobs of one kind. */
export interface JobKind {
  /**
   * Performs the work. The command that stores its outcome calls finishJob, retryJob or buryJob with `job.id`, so
   * both are committed together. If the run fails before that, the job is retried. Must end soon after `signal`
   * aborts.
   */
  run(job: ClaimedJob, signal: AbortSignal, progress: RunProgress): Promise<void>;
  /** True if runs wait for a turn and report it. Default: false, a run begins at once. */
  waits?: boolean;
  /** Most runs at once in this process. */
  total: number;
  /** Most runs at once of one application: fewer than `total`, so that no application ever occupies all slots. */
  perApplication: number;
  /**
   * Maximum number of runs of a job. Counts runs that postponed themselves and runs that had begun when the
   * process died.
   */
  maxAttempts: number;
  /** Time in milliseconds that runs may continue after `stop` before their signals abort. Default: 10 s. */
  graceMs?: number;
}
