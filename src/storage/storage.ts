import type { MessagePort } from 'node:worker_threads';
import type { StoreNumbers } from '../runtime/scraped-metrics.ts';
import type { Read, Write } from './calls.ts';
import type { Clearing } from './clearing.ts';
import type { Replicas } from './replicas.ts';

/**
 * Interface between the modules and the database. An engine guarantees: - `write` resolves only when the command's
 * effects are durable: they survive `kill -9` and a power failure. It rejects when they are not, and then nothing of
 * that command is stored. A failed command does not affect others in the same commit. - Commands run one after
 * another, each seeing the effects of all earlier ones. Those with the same application in their arguments, and those
 * without one, run in the order of the calls; applications take turns. - `read` sees everything whose `write` had
 * resolved before the call, on one snapshot. It never waits for writes. - AppErrors thrown by an operation are passed
 * on unchanged; `unavailable` means that nothing was done and the call may be retried. Any other temporary failure of
 * the engine (disk full, file busy) becomes `unavailable` too. - No operation takes effect twice, and none is retried
 * once its caller has a response.
 */
export interface Storage {
  readonly write: Write;
  readonly read: Read;
  /** True if other processes may use the same store at the same time. */
  readonly isShared: boolean;
  /** Agreement of the processes that share the store. */
  readonly replicas: Replicas;
  /**
   * Returns a value that changes with each commit that changed data, in this and other processes. Callers look for
   * work only after a change.
   */
  readonly version: () => string;
  /**
   * Returns a port to the same writer for another thread's bulk commands; calls of `write` take precedence over them.
   */
  readonly connectWriter: () => MessagePort;
  readonly stats: () => Promise<StoreNumbers>;
  /**
   * Overwrites some of what the engine has left of deleted rows, in the store and in its log. `begun` is null for the first call
   * after a deletion, then what the last one returned; call again until the state is `done`.
   */
  readonly clearRemains: (begun: number | null) => Promise<Clearing>;
  /** Finishes accepted calls, then closes the files. */
  close(): Promise<void>;
}
